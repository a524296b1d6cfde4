//! Everything the page quotes.

use super::recipe::{Chapter, Choices};
use super::trials::{Judged, Width};
use crate::translating::corpus::Corpus;
use crate::translating::recurrent::{CompareArgs, Config, SizeArgs};
use crate::translating::{
    Example, LengthSpread, PartScores, Quick, Repetitions, differences, quick,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::{Bootstrap, Interval, Spread};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// By name: `default`, `hidden_32` … and `reversed`.
    pub models: BTreeMap<String, ModelScores>,
    /// BLEU of a model minus that of the default one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// The default model on the test part, by way of searching.
    pub search: BTreeMap<String, Search>,
    /// What the first seed's default model makes of the course's examples.
    pub examples: Vec<Example>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// A run so short that a test repeats it.
    pub quick: Quick,
    /// Differs from run to run.
    pub measured: Measured,
}

/// What depends on the machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// All of `compare`.
    pub minutes: f64,
}

/// A model's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    /// Entries of a state, and so of the context.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
    /// BLEU by the number of source words, test and long together.
    pub by_length: Vec<LengthSpread>,
}

/// What a way of searching finds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Search {
    /// BLEU.
    pub bleu: Spread,
    /// BLEU minus that of a beam of four that ranks by the mean (α = 1).
    pub difference: Interval,
    /// Words of all translations by words of all references.
    pub length_ratio: Spread,
    /// The share of sentences whose reference is more probable than what was found.
    pub search_errors: Spread,
}

impl Results {
    /// From what all trials found; the claims are still to be judged.
    pub(super) fn new(arguments: &CompareArgs, corpus: &Corpus, judged: &[Judged]) -> Results {
        let mut by_name: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
        for run in judged {
            by_name.entry(run.name.clone()).or_default().push(run);
        }
        let models: BTreeMap<_, _> =
            by_name.iter().map(|(name, runs)| (name.clone(), ModelScores::of(runs))).collect();
        let default = &by_name["default"];
        let search = searches(default);
        let against_default = |(name, runs): (&String, &Vec<&Judged>)| {
            let [these, those] = [runs, default]
                .map(|runs| runs.iter().map(|run| &run.scores[..]).collect::<Vec<_>>());
            (name.clone(), differences(&these, &those))
        };
        let others = by_name.iter().filter(|(name, _)| *name != "default");
        let differences = others.map(against_default).collect();
        Results {
            plan: Repetitions::new(&arguments.repeated, corpus),
            models,
            differences,
            search,
            examples: default[0].examples.clone(),
            claims: BTreeMap::new(),
            quick: quick::<Chapter>(&Config { sizes: SizeArgs::QUICK, choices: Choices {} }),
            measured: Measured::default(),
        }
    }
}

impl ModelScores {
    fn of(runs: &[&Judged]) -> ModelScores {
        ModelScores {
            hidden: runs[0].hidden,
            parameters: runs[0].parameters,
            parts: PartScores::by_part(runs.iter().map(|run| &run.scores[..])),
            by_length: LengthSpread::by_length(runs.iter().map(|run| &run.by_length[..])),
        }
    }
}

fn searches(runs: &[&Judged]) -> BTreeMap<String, Search> {
    let usual = runs[0].searches.iter().position(|width| width.name == "width_4");
    let usual = usual.expect("a beam of four");
    let search = |i: usize| {
        let spread =
            |score: fn(&Width) -> f64| Spread::of(runs.iter().map(|run| score(&run.searches[i])));
        let counts = |i: usize| runs.iter().map(|run| run.searches[i].counts.clone()).collect();
        let [these, usual]: [Vec<_>; 2] = [i, usual].map(counts);
        let rng = &mut shared::rng(0);
        Search {
            bleu: spread(|s| s.bleu),
            difference: Bootstrap::default().difference(&these, &usual, rng).rounded(),
            length_ratio: spread(|s| s.length_ratio),
            search_errors: spread(|s| s.search_errors),
        }
    };
    let names = runs[0].searches.iter().map(|width| width.name.clone());
    names.enumerate().map(|(i, name)| (name, search(i))).collect()
}
