//! Everything the page quotes.

use super::claims::claims;
use super::statistics::{BothSolved, Paired, Seeds};
use super::study::{Example, Noise, Stage, Study};
use super::training::Learned;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::Spread;

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Three labels, worked by hand.
    pub example: Example,
    /// The estimator against the enumerated gradient, `early` and `late` in one training.
    pub study: BTreeMap<String, Study>,
    /// The variance of the estimate all along that training.
    pub stages: Vec<Stage>,
    /// How much gradients differ from batch to batch, by method, `early` and `late`.
    pub noise: BTreeMap<String, BTreeMap<String, Noise>>,
    /// By method.
    pub trained: BTreeMap<String, Learned>,
    /// Baseline and entropy bonus, by the bonus's weight λ.
    pub bonus: BTreeMap<String, Learned>,
    /// Hard attention with baseline and entropy bonus minus soft attention, the same seeds.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    /// The same in the seeds that both solve.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub both_solved: BothSolved,
    /// What one who knows the world gets right.
    pub ceiling: Ceiling,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Milliseconds a training step, by method: of one machine on one day, not compared.
    pub measured: BTreeMap<String, Float>,
}

impl Results {
    /// Compared and judged by what was recorded of estimates and trainings.
    pub fn judged(self) -> Results {
        let [hard, soft] = ["baseline_entropy", "soft"].map(|name| &self.trained[name].of_seeds);
        let compared = [
            ("accuracy", [hard, soft].map(|of| of.accuracy.clone())),
            ("steps_to_80", [hard, soft].map(|of| of.steps_to_80.clone())),
        ];
        let minus =
            |(name, [these, those]): &(&str, [Spread; 2])| ((*name).to_owned(), these.minus(those));
        let differences = compared.iter().map(minus).collect();
        let both_solved = BothSolved::new([&hard.accuracy, &soft.accuracy], compared);
        let claims = claims(&self.study, &self.trained);
        Results { differences, both_solved, claims, ..self }
    }
}

/// The nearest key under the true rotation, and the nearest digit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ceiling {
    /// Share of right answers.
    pub accuracy: Float,
    /// Share of places found.
    pub found: Float,
}
