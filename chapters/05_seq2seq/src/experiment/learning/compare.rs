//! Every way with every seed.

use super::super::arguments::Arguments;
use super::super::decoder::Exposure;
use super::claims::claims;
use super::trials::{Judged, Trial, Way};
use crate::translating::{PartScores, Repetitions, differences};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Output, Table, say};
use workbench::study::{Interval, side_by_side};

/// Models that are held against each other.
pub struct Study {
    /// By the name that they have in the results.
    ways: &'static [(&'static str, Way)],
    /// Differences that are told: a name, and which of the models minus which.
    pairs: &'static [(&'static str, Way, Way)],
}

/// What the last layer sees.
pub const LAYER: Study = Study {
    ways: &[("simple", Way::Simple), ("in_full", Way::InFull)],
    pairs: &[("in_full", Way::InFull, Way::Simple)],
};

/// What the decoder reads while it learns.
pub const OWN_WORDS: Study = Study {
    ways: &[("simple", Way::Simple), ("own_words", Way::OwnWords)],
    pairs: &[("own_words", Way::OwnWords, Way::Simple)],
};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// By name: `simple`, and `in_full` or `own_words`.
    pub models: BTreeMap<String, Model>,
    /// BLEU of a model minus that of the simple one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What it costs to read one's own words, by model.
    pub exposure: BTreeMap<String, Exposure>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Differs from run to run: minutes, those of kept trainings left out.
    pub minutes: f64,
}

/// A model's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Entries of a state.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
}

/// Trains and judges everything, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(study: &Study, arguments: &Arguments) -> Result<()> {
    let repeated = &arguments.usual.repeated;
    let output = Output::open(&repeated.common, "seq2seq")?;
    let begin = Instant::now();
    let corpus = arguments.usual.corpus()?;
    let (seeds, epochs) = (repeated.seeds(), repeated.epochs as usize);
    let of_way = |&(name, way): &(&'static str, Way)| {
        seeds.iter().map(move |&seed| Trial { name, way, seed })
    };
    let trials: Vec<Trial> = study.ways.iter().flat_map(of_way).collect();
    let judged = side_by_side("trials", &trials, trials.len() * epochs, |trial, progress| {
        trial.run(&corpus, arguments, progress)
    })?;
    let mut results = Results::new(study, Repetitions::new(repeated, &corpus), &judged);
    results.claims = claims(&results);
    results.minutes = begin.elapsed().as_secs_f64() / 60.0;
    tell(&results);
    output.results(&results)?;
    say(format!("results.json is in {}", output.folder().display()));
    Ok(())
}

impl Results {
    /// From what all trials found; the claims are still to be judged.
    fn new(study: &Study, plan: Repetitions, judged: &[Judged]) -> Results {
        let of = |way: Way| judged.iter().filter(|run| run.way == way).collect::<Vec<_>>();
        let scores = |way: Way| of(way).into_iter().map(|run| &run.scores[..]).collect::<Vec<_>>();
        let model = |way: Way| Model {
            hidden: of(way)[0].hidden,
            parameters: of(way)[0].parameters,
            parts: PartScores::by_part(scores(way)),
        };
        let exposure =
            |way: Way| Exposure::of(&of(way).iter().map(|run| &run.losses).collect::<Vec<_>>());
        let difference = |(name, these, those): &(&str, Way, Way)| {
            (name.to_string(), differences(&scores(*these), &scores(*those)))
        };
        Results {
            plan,
            models: study.ways.iter().map(|(name, way)| (name.to_string(), model(*way))).collect(),
            differences: study.pairs.iter().map(difference).collect(),
            exposure: study
                .ways
                .iter()
                .map(|(name, way)| (name.to_string(), exposure(*way)))
                .collect(),
            claims: BTreeMap::new(),
            minutes: 0.0,
        }
    }
}

fn tell(results: &Results) {
    let mut table = Table::new(["model", "parameters", "test", "loss", "after its own words"]);
    for (name, model) in &results.models {
        let (test, exposure) = (&model.parts["test"], &results.exposure[name]);
        table.row([
            name.clone(),
            model.parameters.to_string(),
            format!("{:.1}", test.bleu.mean),
            format!("{:.2}", exposure.all.after_true.mean),
            format!("{:.2}", exposure.all.after_own.mean),
        ]);
    }
    say(format!("BLEU and nats a word, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    results.claims.values().for_each(say);
}
