//! What was claimed before the first run.

use super::study::Study;
use super::training::Learned;
use std::collections::BTreeMap;
use workbench::Claim;

/// The claims, by name.
pub fn claims(
    study: &BTreeMap<String, Study>,
    trained: &BTreeMap<String, Learned>,
) -> BTreeMap<String, Claim> {
    let steps = |method: &str| trained[method].steps_to_80.unwrap_or(usize::MAX);
    let sampled = ["no_baseline", "baseline", "baseline_entropy"];
    let unbiased = |at: &Study| at.baselines.values().all(|at| at.largest_z <= 4.0);
    let halved = |at: &Study| {
        let [none, moving, optimal] =
            ["none", "moving", "optimal"].map(|name| at.baselines[name].variance);
        moving <= none / 2.0 && optimal <= moving
    };
    let (bare, bonus) = (&trained["baseline"], &trained["baseline_entropy"]);
    let list: [(&str, &str, bool); 8] = [
        (
            "a_unbiased",
            "the mean of the estimates lies within 4 standard errors of the enumerated gradient in each of its 256 entries, whatever the baseline",
            study.values().all(unbiased),
        ),
        (
            "b_variance",
            "the moving average at least halves the variance, and the optimal constant does no worse",
            study.values().all(halved),
        ),
        (
            "c_straight_through",
            "the mean of the straight-through estimate is further away than 4 standard errors in some entry",
            study.values().all(|at| at.straight_through.largest_z > 4.0),
        ),
        (
            "d_hard_learns",
            "hard attention with baseline and entropy bonus answers more than 0.9 right by argmax, with every seed",
            bonus.lowest > 0.9,
        ),
        (
            "e_slower",
            "it needs at least twice as many steps to 0.8 as soft attention",
            steps("baseline_entropy") >= 2 * steps("soft").min(usize::MAX / 2),
        ),
        (
            "f_enumerated",
            "the enumerated gradient needs fewer steps to 0.8 than any sampled one",
            sampled.iter().all(|method| steps("enumerated") < steps(method)),
        ),
        (
            "g_baseline",
            "without a baseline fewer answers are right at the end than with one",
            trained["no_baseline"].accuracy < bare.accuracy,
        ),
        (
            "h_collapse",
            "without the entropy bonus alignments are sharper at the end and fewer answers are right",
            bare.entropy < bonus.entropy && bare.accuracy < bonus.accuracy,
        ),
    ];
    workbench::claims(list)
}
