//! Several looks in turn: what the credit of each does to the estimate, and to the training.
//!
//! | file | about |
//! |---|---|
//! | `training` | how several looks are taught, and a training |
//! | `estimates` | many estimates of one gradient, against the exact one |

mod estimates;
mod training;

pub use estimates::Estimate;
pub use training::{Estimator, test, train, world};

use super::config::Config;
use super::statistics::{Paired, Seeds, Trained};
use super::training::{TESTED, is_sampled};
use crate::trail::{Asked, Episode, LOOKS};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread, trainings, with_seeds};

/// Everything `--about sequence` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InTurn {
    pub seeds: usize,
    pub steps: usize,
    /// The estimates of one gradient, `early` and `late` in one training, by estimator.
    pub estimates: BTreeMap<String, BTreeMap<String, Estimate>>,
    /// By task, by estimator: an answer `always`, `at_the_end`, or at the end with `separate` scores.
    pub trained: BTreeMap<String, BTreeMap<String, Trained>>,
    /// Shares of solved trainings, paired: named `task_these_against_those`.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    /// The same of the steps to 0.8.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub steps_differences: BTreeMap<String, Paired>,
    pub claims: BTreeMap<String, Claim>,
}

/// Steps before the two closer looks.
const LOOKED_AT: [(&str, usize); 2] = [("early", 100), ("late", 600)];

#[derive(Clone, Copy)]
struct Task {
    name: &'static str,
    asked: Asked,
    scores: usize,
}

const TASKS: [Task; 3] = [
    Task { name: "always", asked: Asked::Always, scores: 1 },
    Task { name: "at_the_end", asked: Asked::AtTheEnd, scores: 1 },
    Task { name: "separate", asked: Asked::AtTheEnd, scores: LOOKS },
];

pub fn run(config: &Config) -> Result<InTurn> {
    let estimates = LOOKED_AT.par_iter();
    let estimates =
        estimates.map(|(name, steps)| ((*name).to_owned(), estimates::estimates(config, *steps)));
    let estimates: BTreeMap<_, _> = estimates.collect();
    let jobs = TASKS.into_iter().flat_map(|task| {
        estimators(task.asked).into_iter().map(move |estimator| (task, estimator))
    });
    let jobs: Vec<(Task, Estimator)> = jobs.collect();
    let runs =
        trainings("looks in turn", &with_seeds(&jobs, config.seeds), |((task, estimator), s)| {
            Ok(one_run(config, *task, *estimator, *s))
        })?;
    let mut trained: BTreeMap<String, BTreeMap<String, Trained>> = BTreeMap::new();
    for ((task, estimator), runs) in jobs.into_iter().zip(runs.chunks(config.seeds)) {
        let of_task = trained.entry(task.name.into()).or_default();
        of_task.insert(estimator.name().into(), Trained::new(runs));
    }
    let (differences, steps_differences, claims) = Default::default();
    let (seeds, steps) = (config.seeds, config.steps);
    let all = InTurn { seeds, steps, estimates, trained, differences, steps_differences, claims };
    Ok(all.judged())
}

/// The accuracy of last answers, following the likeliest places; the steps until that was more than
/// 0.8, or all; the share of first looks that go to the right place.
fn one_run(
    config: &Config,
    task: Task,
    estimator: Estimator,
    seed: u64,
) -> [(&'static str, f64); 3] {
    let (world, fresh) = (world(config, seed), &mut rng(config.stream(13_000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.trails(fresh)).collect();
    let mut steps_to_80 = None;
    let model = train(estimator, (task.asked, task.scores), config, seed, |step, model| {
        let asked = step > 0 && steps_to_80.is_none() && is_sampled(step, config);
        if asked && test(model, &fresh).0 > 0.8 {
            steps_to_80 = Some(step);
        }
    });
    let (last, first_look) = test(&model, &fresh);
    let steps_to_80 = steps_to_80.unwrap_or(config.steps) as f64;
    [("last", last), ("steps_to_80", steps_to_80), ("first_look", first_look)]
}

impl InTurn {
    pub fn judged(self) -> InTurn {
        let differences = paired(&self.trained, |at| at["last"].above(0.9));
        let steps_differences = paired(&self.trained, |at| at["steps_to_80"].clone());
        let claims = claims(&self.estimates, &self.trained, &differences);
        InTurn { differences, steps_differences, claims, ..self }
    }
}

/// When only the last answer counts, the whole loss and the loss to go are the same number.
fn estimators(asked: Asked) -> Vec<Estimator> {
    let same = |estimator: &Estimator| {
        matches!(estimator, Estimator::WholeBare | Estimator::Whole | Estimator::ToGoOne)
    };
    Estimator::ALL
        .into_iter()
        .filter(|estimator| asked == Asked::Always || !same(estimator))
        .collect()
}

const COMPARED: [(&str, Estimator, Estimator); 7] = [
    ("always", Estimator::ToGoBare, Estimator::WholeBare),
    ("always", Estimator::ToGo, Estimator::Whole),
    ("always", Estimator::ToGo, Estimator::ToGoBare),
    ("always", Estimator::ToGo, Estimator::ToGoOne),
    ("always", Estimator::ToGo, Estimator::Own),
    ("at_the_end", Estimator::ToGo, Estimator::Own),
    ("separate", Estimator::ToGo, Estimator::Own),
];

fn paired(
    trained: &BTreeMap<String, BTreeMap<String, Trained>>,
    number: fn(&Trained) -> Spread,
) -> BTreeMap<String, Paired> {
    let of = |(task, these, those): (&str, Estimator, Estimator)| {
        let [a, b] = [these, those].map(|estimator| number(&trained[task][estimator.name()]));
        (format!("{task}_{}_against_{}", these.name(), those.name()), a.minus(&b))
    };
    COMPARED.map(of).into()
}

/// What was claimed before the first run, and the last one before the row was run that it is about. About
/// solved trainings: decided when both the interval of the paired difference and the sign test decide.
fn claims(
    estimates: &BTreeMap<String, BTreeMap<String, Estimate>>,
    trained: &BTreeMap<String, BTreeMap<String, Trained>>,
    differences: &BTreeMap<String, Paired>,
) -> BTreeMap<String, Claim> {
    let both =
        |holds: &dyn Fn(&BTreeMap<String, Estimate>) -> bool| Some(estimates.values().all(holds));
    let unbiased = [
        Estimator::WholeBare,
        Estimator::Whole,
        Estimator::ToGoBare,
        Estimator::ToGoOne,
        Estimator::ToGo,
    ];
    let lower = |these: Estimator, those: Estimator| {
        both(&|at| at[these.name()].variance < at[those.name()].variance)
    };
    let more = |name: &str| differences[name].more_often();
    workbench::claims([
        (
            "a_unbiased",
            "the mean of the estimates lies within 4 standard errors of the exact gradient in each of its 256 entries, for the whole loss and for the loss to go, with and without baselines",
            both(&|at| unbiased.iter().all(|estimator| at[estimator.name()].largest_z <= 4.0)),
        ),
        (
            "b_own",
            "with its own loss alone for each look, the mean is further away than 4 standard errors in some entry",
            both(&|at| at[Estimator::Own.name()].largest_z > 4.0),
        ),
        (
            "c_to_go",
            "the loss to go with a baseline for each look has a smaller variance than the whole loss with its baseline",
            lower(Estimator::ToGo, Estimator::Whole),
        ),
        (
            "d_each",
            "a baseline for each look has a smaller variance than one for all",
            lower(Estimator::ToGo, Estimator::ToGoOne),
        ),
        (
            "e_trained",
            "the loss to go with a baseline for each look solves more trainings than the whole loss",
            more("always_to_go_against_whole"),
        ),
        (
            "f_own_always",
            "while every answer counts, the loss to go solves more trainings than its own loss for each look",
            more("always_to_go_against_own"),
        ),
        (
            "g_own_end",
            "when only the last answer counts, the loss to go solves more trainings than its own loss for each look",
            more("at_the_end_to_go_against_own"),
        ),
        (
            "h_own_separate",
            "when only the last answer counts and each look has a score of its own, the loss to go solves more trainings than its own loss for each look",
            more("separate_to_go_against_own"),
        ),
        (
            "i_exact",
            "the exact gradient solves every training of all three kinds",
            Some(trained.values().all(|estimators| {
                let exact = &estimators[Estimator::Exact.name()];
                exact.solved == exact["last"].of_seeds.len()
            })),
        ),
        (
            "j_bare",
            "with no baseline, the loss to go has a smaller variance than the whole loss",
            lower(Estimator::ToGoBare, Estimator::WholeBare),
        ),
    ])
}

impl Findings for InTurn {
    fn print(&self) {
        let mut table =
            Table::new(["when", "credit", "furthest entry", "cosine", "length", "variance"]);
        for (when, estimators) in &self.estimates {
            for (estimator, at) in estimators {
                table.row([
                    when.clone(),
                    estimator.replace('_', " "),
                    format!("{:.1}", at.largest_z),
                    format!("{:.4}", at.cosine),
                    format!("{:.3}", at.length),
                    format!("{:.3}", at.variance),
                ]);
            }
        }
        say(&table);
        let mut table = Table::new(["asked", "taught by", "solved", "last right", "steps to 0.8"]);
        for (asked, estimators) in &self.trained {
            for (estimator, at) in estimators {
                let last = &at["last"];
                table.row([
                    asked.replace('_', " "),
                    estimator.replace('_', " "),
                    format!("{}/{}", at.solved, self.seeds),
                    format!("{:.3} ({:.3} to {:.3})", last.mean, last.lowest, last.highest),
                    format!("{:.0}", at["steps_to_80"].mean),
                ]);
            }
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
