//! What the page measures: the estimator against the gradient it estimates, and soft against hard
//! attention on a retrieval task.
//!
//! | file | about |
//! |---|---|
//! | `config`, `results` | what can be set, everything that is quoted, what was claimed beforehand |
//! | [`study`] | the estimator under the magnifying glass |
//! | [`training`], [`learning`] | soft, enumerated and sampled attention learn the same task |
//! | [`marginal`] | the marginal likelihood beside its bound |
//! | [`collapse`] | why alignments sharpen early: one change at a time |
//! | [`in_turn`] | several looks in turn, and the credit of each |
//! | `figures`, `report` | the pictures, the tables |
//! | [`statistics`] | means, paired differences and their test, numbers short enough to be quoted |

#![allow(missing_docs)] // an experiment: names say it

pub mod collapse;
mod config;
mod figures;
pub mod in_turn;
pub mod learning;
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
use workbench::error::Result;

/// Runs everything.
pub fn run(config: &Config) -> Result<Results> {
    let [trained, bonus] = learning::trainings(config)?;
    let snapshots = study::snapshots(config);
    let of_each = || snapshots.iter();
    let mut study: BTreeMap<String, Study> =
        of_each().map(|(name, at)| (name.clone(), study::study(config, at))).collect();
    for (_, study) in study.iter_mut().filter(|(name, _)| *name != "early") {
        study.forget_running(); // the figure shows the early ones
    }
    let (accuracy, found) = learning::ceiling(config);
    let (differences, both_solved, claims) = Default::default();
    let results = Results {
        example: study::example(),
        study,
        stages: study::stages(config),
        noise: of_each().map(|(name, at)| (name.clone(), study::noise(config, at))).collect(),
        trained,
        bonus,
        differences,
        both_solved,
        ceiling: Ceiling { accuracy, found },
        claims,
        measured: learning::times(config),
    };
    Ok(results.judged())
}
