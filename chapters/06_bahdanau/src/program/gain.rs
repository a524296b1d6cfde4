//! With and without attention on equal parameters.

use super::arguments::Compare;
use super::claims::claims;
use super::looks::{Class, Look, best_possible};
use super::recipe::Chapter;
use super::rows::{Corner, Row, Trained, train};
use crate::Reading;
use corpora::detokenize;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use seq2seq::translating::{ModelScores, Quick, Repetitions, compared, quick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::figure::{Svg, colour};
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    #[serde(flatten)]
    pub plan: Repetitions,
    /// `with` and `without` attention.
    pub models: BTreeMap<String, ModelScores>,
    /// By kind of word, means over the seeds, on the test part.
    pub looks: BTreeMap<Class, Look>,
    /// The alignment error rate on the test part that one link a word could reach.
    pub best_possible_aer: f64,
    /// What the first seed's models make of the course's examples.
    pub examples: Vec<Translated>,
    pub claims: BTreeMap<String, Claim>,
    pub quick: Quick,
    pub measured: Measured,
}

/// What depends on the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub minutes: f64,
    /// Of one training on one thread, beside others.
    pub seconds_with: f64,
    pub seconds_without: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Translated {
    pub source: String,
    pub reference: String,
    pub with: String,
    pub without: String,
}

pub(super) fn gain(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let common = &arguments.common;
    let (sizes, repeated) = (common.sizes(corpus), &common.repeated);
    let both = [Corner::Attention, Corner::FixedForward];
    let rows = repeated.study.choose(both.map(|corner| corner.row(&sizes, repeated)).into())?;
    if rows.len() < both.len() {
        return Err(Error::argument("--only: one of two models is held against the other"));
    }
    let mut study = arguments.study(corpus)?;
    let found = train(&mut study, &rows, common, corpus)?;
    let (with, without) = (&found["with"], &found["without"]);
    for (name, figure) in with.iter().flat_map(|run| &run.more.figures) {
        study.output.figure(name, figure)?;
    }
    let model = |row: &Row| {
        let (hidden, runs) = (row.config.1.hidden, &found[&row.name]);
        let scores = ModelScores::new(hidden, runs).with_lengths(runs, corpus).with_curve(runs);
        (row.name.clone(), scores)
    };
    let (models, looks) = (rows.iter().map(model).collect(), looks(with));
    let choices = Reading::BothDirections.into();
    study.publish(&Results {
        plan: Repetitions::new(repeated, corpus),
        claims: claims(&models, &looks),
        models,
        looks,
        best_possible_aer: best_possible(&corpus.tests[0]),
        examples: translated(&with[0], &without[0]),
        quick: quick::<Chapter>(&Config { sizes: SizeArgs::QUICK, choices }),
        measured: Measured {
            minutes: study.minutes(),
            seconds_with: seconds(with),
            seconds_without: seconds(without),
        },
    })
}

fn seconds(runs: &[Trained]) -> f64 {
    let sum: f64 = runs.iter().map(|run| run.judgement.seconds).sum();
    (sum / runs.len() as f64).round()
}

fn translated(with: &Trained, without: &Trained) -> Vec<Translated> {
    let translations = with.more.translations.iter().zip(&without.more.translations);
    let example = |(pair, (with, without)): (corpora::Pair, (&String, &String))| Translated {
        source: detokenize(&pair.source),
        reference: detokenize(&pair.target),
        with: with.clone(),
        without: without.clone(),
    };
    parallel::examples().into_iter().zip(translations).map(example).collect()
}

fn looks(runs: &[Trained]) -> BTreeMap<Class, Look> {
    let mean = |class: &Class| {
        let looks = runs.iter().map(|run| run.more.looks[class]);
        let sum = looks.reduce(|a, b| a.zip(b, |a, b| a + b)).expect("a seed");
        (*class, sum.mean(runs.len()))
    };
    runs[0].more.looks.keys().map(mean).collect()
}

impl Findings for Results {
    fn print(&self) {
        let heads = ["model", "parameters", "test", "long", "compositional", "exact", "AER"];
        let mut table = Table::new(heads);
        for (name, model) in &self.models {
            let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
            let [on_test, long, compositional] = ["test", "long", "compositional"].map(bleu);
            let percent = |x: f64| format!("{:.1} %", 100.0 * x);
            let test = &model.parts["test"];
            let (exact, parameters) = (percent(test.exact.mean), model.parameters.to_string());
            let aer = test.aer.as_ref().map_or("–".to_owned(), |aer| percent(aer.mean));
            table.row([name.clone(), parameters, on_test, long, compositional, exact, aer]);
        }
        say(format!("BLEU, means over {} seeds\n\n{table}", self.plan.seeds.len()));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        let models = [
            ("with attention", &self.models["with"], colour::WITH_ATTENTION),
            ("without", &self.models["without"], colour::WITHOUT_ATTENTION),
        ];
        let by_length = models.map(|(name, model, colour)| (name, &model.by_length[..], colour));
        let learning = models.map(|(name, model, colour)| (name, &model.curve.bleu[..], colour));
        vec![
            ("by_length".to_owned(), compared::by_length("BLEU by length", &by_length)),
            ("learning".to_owned(), compared::learning(&learning)),
        ]
    }
}
