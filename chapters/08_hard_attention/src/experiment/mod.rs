//! What the page measures: the estimator against the gradient it estimates, and soft against hard
//! attention on a retrieval task.
//!
//! | file | about |
//! |---|---|
//! | `config`, `results` | what can be set, and everything that is quoted |
//! | [`study`] | the estimator under the magnifying glass |
//! | [`training`] | soft, enumerated and sampled attention learn the same task |
//! | [`marginal`] | the marginal likelihood beside its bound |
//! | [`collapse`] | why alignments sharpen early: one change at a time |
//! | [`in_turn`] | several looks in turn, and the credit of each |
//! | `claims` | what was claimed beforehand |
//! | `figures`, `report` | the pictures, the tables |
//! | [`statistics`] | means, paired differences and their test, numbers short enough to be quoted |

mod claims;
pub mod collapse;
mod config;
mod figures;
pub mod in_turn;
pub mod marginal;
mod report;
mod results;
pub mod statistics;
pub mod study;
pub mod training;

pub use config::Config;
pub use figures::{alignments, charts};
pub use results::{Ceiling, Results};

use std::collections::BTreeMap;
use study::Study;

/// The number of trainings [`run`] will do.
pub fn trainings(config: &Config) -> usize {
    (training::Kind::ALL.len() + training::OTHER_WEIGHTS.len()) * config.seeds
}

/// Runs everything; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Results {
    let trained = training::trainings(config, &done);
    let bonus = training::bonuses(config, &trained, &done);
    let snapshots = study::snapshots(config);
    let mut study: BTreeMap<String, Study> =
        snapshots.iter().map(|(name, at)| (name.clone(), study::study(config, at))).collect();
    let noise =
        snapshots.iter().map(|(name, at)| (name.clone(), study::noise(config, at))).collect();
    let (accuracy, found) = training::ceiling(config);
    let (differences, both_solved, claims) = Default::default();
    for (_, study) in study.iter_mut().filter(|(name, _)| *name != "early") {
        study.forget_running(); // the figure shows the early ones
    }
    Results {
        example: study::example(),
        study,
        stages: study::stages(config),
        noise,
        trained,
        bonus,
        differences,
        both_solved,
        ceiling: Ceiling { accuracy, found },
        claims,
        measured: training::times(config),
    }
    .judged()
}
