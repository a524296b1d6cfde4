//! Every way with every seed.

use super::beams::{self, Beam};
use super::claims::claims;
use super::exposure::Exposure;
use super::gender::{self, Pronouns};
use super::trials::{Judged, Trial, Way};
use crate::bootstrap::Interval;
use crate::translating::recurrent::CompareArgs;
use crate::translating::{PartScores, Repetitions, differences, side_by_side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Output, Table, say};

/// By the name that they have in the results.
const WAYS: [(&str, Way); 4] = [
    ("simple", Way::Simple),
    ("in_full", Way::InFull),
    ("wider", Way::Wider),
    ("own_words", Way::OwnWords),
];

/// What is held against what.
const PAIRS: [(&str, Way, Way); 4] = [
    ("in_full", Way::InFull, Way::Simple),
    ("wider", Way::Wider, Way::Simple),
    ("in_full_wider", Way::InFull, Way::Wider),
    ("own_words", Way::OwnWords, Way::Simple),
];

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// By name: `simple`, `in_full`, `wider`, `own_words`.
    pub models: BTreeMap<String, Model>,
    /// BLEU of a model minus that of the simple one, by part; and of `in_full` minus `wider`.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What it costs to read one's own words, by model.
    pub exposure: BTreeMap<String, Exposure>,
    /// The simple model on the test part, by way of searching.
    pub beams: BTreeMap<String, Beam>,
    /// The simple model on sentences about people, by group and English pronoun.
    pub pronouns: BTreeMap<String, Pronouns>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Differs from run to run: minutes.
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
pub fn compare(arguments: &CompareArgs) -> Result<()> {
    let output = Output::open(&arguments.repeated.common, "seq2seq")?;
    let begin = Instant::now();
    let corpus = arguments.corpus()?;
    let (seeds, epochs) = (arguments.repeated.seeds(), arguments.repeated.epochs as usize);
    let trials: Vec<Trial> = WAYS
        .iter()
        .flat_map(|(_, way)| seeds.iter().map(|seed| Trial { way: *way, seed: *seed }))
        .collect();
    let judged = side_by_side("trials", &trials, trials.len() * epochs, |trial, progress| {
        trial.run(&corpus, arguments, progress)
    })?;
    let of = |way: Way| judged.iter().filter(|run| run.way == way).collect::<Vec<&Judged>>();
    let simple = of(Way::Simple);
    let scores = |runs: &[&Judged]| -> Vec<_> { runs.iter().map(|r| r.scores.clone()).collect() };
    let model = |way: Way| {
        let runs = of(way);
        let parts = PartScores::by_part(runs.iter().map(|run| &run.scores[..]));
        Model { hidden: runs[0].hidden, parameters: runs[0].parameters, parts }
    };
    let difference = |(name, these, those): (&str, Way, Way)| {
        let [these, those] = [these, those].map(|way| scores(&of(way)));
        let [these, those]: [Vec<_>; 2] =
            [&these, &those].map(|runs| runs.iter().map(Vec::as_slice).collect());
        (name.to_owned(), differences(&these, &those))
    };
    let exposure =
        |way: Way| Exposure::of(&of(way).iter().map(|run| &run.losses).collect::<Vec<_>>());
    let searched: Vec<_> = simple.iter().map(|run| &run.searched[..]).collect();
    let pronouns: Vec<_> = simple.iter().map(|run| &run.pronouns[..]).collect();
    let named = |(name, way): &(&str, Way)| (name.to_string(), *way);
    let mut results = Results {
        plan: Repetitions::new(&arguments.repeated, &corpus),
        models: WAYS.iter().map(named).map(|(name, way)| (name, model(way))).collect(),
        differences: PAIRS.into_iter().map(difference).collect(),
        exposure: WAYS.iter().map(named).map(|(name, way)| (name, exposure(way))).collect(),
        beams: beams::over_seeds(&searched),
        pronouns: gender::over_seeds(&pronouns),
        claims: BTreeMap::new(),
        minutes: begin.elapsed().as_secs_f64() / 60.0,
    };
    results.claims = claims(&results);
    tell(&results);
    output.results(&results)?;
    say(format!("results.json is in {}", output.folder().display()));
    Ok(())
}

fn tell(results: &Results) {
    let mut table = Table::new(["model", "parameters", "test", "loss", "after its own words"]);
    for (name, model) in &results.models {
        let (test, exposure) = (&model.parts["test"], &results.exposure[name]);
        table.row([
            name.clone(),
            model.parameters.to_string(),
            format!("{:.1}", test.bleu.mean),
            format!("{:.2}", exposure.after_true.mean),
            format!("{:.2}", exposure.after_own.mean),
        ]);
    }
    say(format!("BLEU and nats a word, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    let mut table = Table::new(["search", "BLEU", "length", "proven", "empty"]);
    for (name, beam) in &results.beams {
        table.row([
            name.clone(),
            format!("{:.1}", beam.bleu.mean),
            format!("{:.3}", beam.length_ratio.mean),
            beam.proven.as_ref().map_or("–".to_owned(), |p| format!("{:.1} %", 100.0 * p.mean)),
            format!("{:.1} %", 100.0 * beam.empty.mean),
        ]);
    }
    say(table);
    results.claims.values().for_each(say);
}
