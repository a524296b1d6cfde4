//! The trainings of a comparison: how each is begun, and what it is judged by.

use super::recipe::Recipe;
use super::schedule;
use super::whole::train_observed;
use crate::translating::corpus::Corpus;
use crate::translating::judging::judge::{LengthScore, Scores, bleu_by_length, judge};
use crate::translator::Translator;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use workbench::error::Result;
use workbench::study::{Progress, Row, Spread, Study, StudyArgs};
use workbench::training::{History, Options, Value, json};

#[derive(Args, Clone, Debug)]
pub struct Repeated {
    #[command(flatten)]
    pub study: StudyArgs,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
}

impl Repeated {
    /// A chapter's study of rows that are trained as these arguments and `more` say.
    pub fn study(&self, chapter: &str, corpus: &Corpus, batch: u32, more: Value) -> Result<Study> {
        let mut about = json!({
            "texts": corpus.fingerprint(),
            "epochs": self.epochs,
            "batch": batch,
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            about[name] = value.clone();
        }
        Study::open(&self.study, chapter, about)
    }

    pub fn row<C>(&self, name: &str, config: C, against: Option<&'static str>) -> Row<C> {
        Row { name: name.to_owned(), config, epochs: self.epochs as usize, against }
    }

    /// How a recurrent translator is trained with a seed; what is kept has a folder for the trainings of
    /// every row.
    pub fn options(&self, row: &str, seed: u64) -> Options {
        let name = format!("{}_{seed}", row.replace(' ', "_"));
        let checkpoint = self.study.keep.as_ref().map(|keep| keep.join("trainings").join(name));
        let (epochs, resume) = (self.epochs as usize, checkpoint.is_some());
        Options { seed, epochs, resume, checkpoint, ..schedule::options() }
    }
}

/// A row with a seed, about to be trained.
pub struct Training<'a> {
    pub name: &'a str,
    pub corpus: &'a Corpus,
    pub batch: usize,
    pub options: Options,
    pub progress: &'a Progress,
}

impl Training<'_> {
    pub fn model<R: Recipe>(&self, config: &R::Config) -> Result<(R::Model, History)> {
        let Training { corpus, batch, options, progress, .. } = self;
        let trained = train_observed::<R>(corpus, config, *batch, options, &|| progress.epoch())?;
        Ok((trained.model, trained.history))
    }

    pub fn judged<R: Recipe>(&self, config: &R::Config) -> Result<(R::Model, Judgement)> {
        let begin = Instant::now();
        let (mut model, history) = self.model::<R>(config)?;
        let seconds = begin.elapsed().as_secs_f64();
        let evaluations = history.epochs.iter().filter_map(|epoch| epoch.evaluation.as_ref());
        let curve = evaluations.map(|e| (e.loss, e.scores["BLEU"])).collect();
        let judgement = Judgement { curve, seconds, ..self.judge(&mut model) };
        Ok((model, judgement))
    }

    /// Judges the model on every part, and prints.
    pub fn judge(&self, model: &mut impl Translator) -> Judgement {
        let Training { name, corpus, options, .. } = self;
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(model, corpus, part)).collect();
        let [test, long] = [0, 1].map(|part| scores[part].bleu);
        self.progress.say(format!(
            "{name}, seed {}: BLEU {test:.1} on test, {long:.1} on long",
            options.seed
        ));
        Judgement { parameters, scores, curve: Vec::new(), seconds: 0.0 }
    }
}

/// What a training found: its judgement, and what a comparison asks `more`.
#[derive(Serialize, Deserialize)]
pub struct Trained<M> {
    pub judgement: Judgement,
    #[serde(flatten)]
    pub more: M,
}

impl<M> Trained<M> {
    /// Seed by seed, the scores on every part.
    pub fn scores(runs: &[Trained<M>]) -> Vec<&[Scores]> {
        runs.iter().map(|run| &run.judgement.scores[..]).collect()
    }
}

/// A trained model, judged: all that a comparison needs of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    pub parameters: usize,
    pub scores: Vec<Scores>,
    /// After every epoch: the loss of validation, and BLEU of greedy translations of 200 of its pairs.
    pub curve: Vec<(f64, f64)>,
    /// How long the training took, beside others.
    pub seconds: f64,
}

impl Judgement {
    /// After every epoch, one of the curve's numbers over the seeds: mean, lowest, highest.
    pub fn curve_of(seeds: &[&Judgement], number: fn((f64, f64)) -> f64) -> Vec<(f64, f64, f64)> {
        let epoch = |epoch: usize| {
            let spread = Spread::of(seeds.iter().map(|seed| number(seed.curve[epoch])));
            (spread.mean, spread.lowest, spread.highest)
        };
        (0..seeds[0].curve.len()).map(epoch).collect()
    }

    /// BLEU by length, test and long together.
    pub fn by_length(&self, corpus: &Corpus) -> Vec<LengthScore> {
        bleu_by_length(&corpus.tests, &self.scores[..2])
    }
}
