//! What was expected before the first run.

use super::beams::Beam;
use super::compare::Results;
use crate::bootstrap::Interval;
use std::collections::BTreeMap;
use workbench::{Claim, smaller};

/// Judges every claim by the numbers beside it.
pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    let exposure = &results.exposure["simple"];
    let first = &exposure.behind[0];
    let dear = first.after_own.of_seeds.iter().zip(&first.after_true.of_seeds);
    let [wide, wide_mean] =
        ["width_64_alpha_0", "width_64_alpha_1"].map(|name| results.beams[name].difference);
    let own = |name: &str| &results.exposure[name].after_own.of_seeds;
    let bleu = |name: &str| &results.models[name].parts["test"].bleu.of_seeds;
    let higher = |difference: &str, this: &str, that: &str| {
        both(smaller(bleu(that), bleu(this)), raised(&results.differences[difference]["test"]))
    };
    workbench::claims([
        (
            "in_full",
            "a last layer that sees the word before and the context raises BLEU on the test part",
            higher("in_full", "in_full", "simple"),
        ),
        (
            "in_full_wider",
            "with as many parameters, it has a lower BLEU there than a wider model with the simple layer",
            higher("in_full_wider", "in_full", "wider").map(|higher| !higher),
        ),
        (
            "exposure",
            "the word behind the first mistake costs at least twice as much as behind the true word, with every seed",
            Some(dear.clone().all(|(own, truly)| *own >= 2.0 * truly)),
        ),
        (
            "scheduled_loss",
            "scheduled sampling lowers the loss after the model's own words",
            smaller(own("own_words"), own("simple")),
        ),
        (
            "scheduled",
            "scheduled sampling raises BLEU on the test part",
            higher("own_words", "own_words", "simple"),
        ),
        (
            "wide",
            "a beam of 64 that ranks by probability (α = 0) has a lower BLEU than one of 4",
            raised(&wide).map(|raised| !raised),
        ),
        (
            "wide_mean",
            "a beam of 64 that ranks by the mean (α = 1) differs from one of 4 by less than 1 BLEU",
            within(&wide_mean, 1.0),
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

/// What the seeds and the sentences say, if they say the same.
fn both(seeds: Option<bool>, sentences: Option<bool>) -> Option<bool> {
    seeds.filter(|_| seeds == sentences)
}

/// Whether the empty translation was proven to be the best of some sentence; it is not where the
/// search found a more probable one for each.
fn empty_is_best(beam: &Beam) -> Option<bool> {
    let proven = beam.empty_proven.as_ref().is_some_and(|share| share.highest > 0.0);
    (proven || beam.empty_gap.highest < 0.0).then_some(proven)
}

/// Whether a difference is above 0.
fn raised(difference: &Interval) -> Option<bool> {
    difference.excludes_zero().then_some(difference.low > 0.0)
}

/// Whether a difference lies between −`most` and `most`.
fn within(difference: &Interval, most: f64) -> Option<bool> {
    match (difference.low > -most && difference.high < most, difference.low, difference.high) {
        (true, ..) => Some(true),
        (_, low, high) if low > most || high < -most => Some(false),
        _ => None,
    }
}
