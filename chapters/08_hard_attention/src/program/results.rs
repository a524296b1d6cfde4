//! Everything the page quotes.

use super::learning::Learned;
use super::statistics::{BothSolved, Paired, Seeds};
use super::study::{Example, Noise, Stage, Study};
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::Spread;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub example: Example,
    /// The estimator against the enumerated gradient, `early` and `late` in one training.
    pub study: BTreeMap<String, Study>,
    pub stages: Vec<Stage>,
    /// How much gradients differ from batch to batch, by method, `early` and `late`.
    pub noise: BTreeMap<String, BTreeMap<String, Noise>>,
    pub trained: BTreeMap<String, Learned>,
    pub bonus: BTreeMap<String, Learned>,
    /// Hard attention with baseline and entropy bonus minus soft attention, the same seeds.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub both_solved: BothSolved,
    pub ceiling: Ceiling,
    pub claims: BTreeMap<String, Claim>,
    /// Milliseconds a training step, by method: of one machine on one day, not compared.
    pub measured: BTreeMap<String, Float>,
}

impl Results {
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

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ceiling {
    pub accuracy: Float,
    pub found: Float,
}

/// The claims, by name. Where methods are compared, the same seeds are: decided when the interval of
/// the paired difference does not contain zero.
fn claims(
    study: &BTreeMap<String, Study>,
    trained: &BTreeMap<String, Learned>,
) -> BTreeMap<String, Claim> {
    let steps = |method: &str| &trained[method].of_seeds.steps_to_80;
    let more = |these: &Spread, those: &Spread| these.minus(those).more();
    let sampled = ["no_baseline", "baseline", "baseline_entropy", "straight_through"];
    let unbiased = |at: &Study| at.baselines.values().all(|at| at.largest_z <= 4.0);
    let halved = |at: &Study| {
        let [none, moving, optimal] =
            ["none", "moving", "optimal"].map(|name| at.baselines[name].variance);
        moving <= none / 2.0 && optimal <= moving
    };
    let bonus = &trained["baseline_entropy"];
    let of = |method: &str| &trained[method].of_seeds;
    let list: [(&str, &str, Option<bool>); 8] = [
        (
            "a_unbiased",
            "the mean of the estimates lies within 4 standard errors of the enumerated gradient in each of its 256 entries, whatever the baseline",
            Some(study.values().all(unbiased)),
        ),
        (
            "b_variance",
            "the moving average at least halves the variance, and the optimal constant does no worse",
            Some(study.values().all(halved)),
        ),
        (
            "c_straight_through",
            "the mean of the straight-through estimate is further away than 4 standard errors in some entry",
            Some(study.values().all(|at| at.straight_through.largest_z > 4.0)),
        ),
        (
            "d_hard_learns",
            "hard attention with baseline and entropy bonus answers more than 0.9 right by argmax, with every seed",
            Some(bonus.lowest > 0.9),
        ),
        (
            "e_slower",
            "it needs at least twice as many steps to 0.8 as soft attention",
            more(steps("baseline_entropy"), &steps("soft").map(|steps| 2.0 * steps)),
        ),
        (
            "f_enumerated",
            "the enumerated gradient needs fewer steps to 0.8 than any sampled one",
            all(sampled.map(|method| more(steps(method), steps("enumerated")))),
        ),
        (
            "g_baseline",
            "without a baseline fewer answers are right at the end than with one",
            more(&of("baseline").accuracy, &of("no_baseline").accuracy),
        ),
        (
            "h_collapse",
            "without the entropy bonus alignments are sharper at the end and fewer answers are right",
            all([
                more(&of("baseline_entropy").entropy, &of("baseline").entropy),
                more(&of("baseline_entropy").accuracy, &of("baseline").accuracy),
            ]),
        ),
    ];
    workbench::claims(list)
}

fn all<const N: usize>(verdicts: [Option<bool>; N]) -> Option<bool> {
    if verdicts.contains(&Some(false)) {
        return Some(false);
    }
    verdicts.iter().all(|verdict| *verdict == Some(true)).then_some(true)
}
