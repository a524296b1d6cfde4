//! What was expected before the first run.

use super::beams::Beam;
use super::results::Results;
use std::collections::BTreeMap;
use workbench::Claim;

pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    let first = &results.exposure.behind[0];
    let mut costs = first.after_own.of_seeds.iter().zip(&first.after_true.of_seeds);
    let mut hesitates = first.entropy_own.of_seeds.iter().zip(&first.entropy_true.of_seeds);
    let [wide, wide_mean] =
        ["width_64_alpha_0", "width_64_alpha_1"].map(|name| results.beams[name].difference);
    workbench::claims([
        (
            "exposure",
            "the word behind the first mistake costs at least twice as much as behind the true word, with every seed",
            Some(costs.all(|(own, truly)| *own >= 2.0 * truly)),
        ),
        (
            "lost",
            "behind its first mistake the model hesitates more than behind the true word, with every seed",
            Some(hesitates.all(|(own, truly)| own > truly)),
        ),
        (
            "wide",
            "a beam of 64 that ranks by probability (α = 0) has a lower BLEU than one of 4",
            wide.and_then(|wide| wide.is_positive()).map(|is| !is),
        ),
        (
            "wide_mean",
            "a beam of 64 that ranks by the mean (α = 1) differs from one of 4 by less than 1 BLEU",
            wide_mean.and_then(|wide| wide.is_within(1.0)),
        ),
        (
            "empty",
            "for one sentence of the test part at least, the most probable translation is the empty one",
            empty_is_best(&results.beams["pruned_64_alpha_0"]),
        ),
        (
            "he",
            "in most translations a doctor, a farmer … who is “she” in English is “il” in French, with every seed",
            Some(results.pronouns["masculine_she"].il.lowest > 0.5),
        ),
    ])
}

/// Whether the empty translation was proven to be the best of some sentence; it is not where the
/// search found a more probable one for each.
fn empty_is_best(beam: &Beam) -> Option<bool> {
    let proven = beam.more.empty_proven.as_ref().is_some_and(|share| share.highest > 0.0);
    (proven || beam.more.empty_gap.highest < 0.0).then_some(proven)
}
