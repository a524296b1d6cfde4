//! What was expected before the first run.

use super::results::Results;
use std::collections::BTreeMap;
use workbench::{Claim, smaller};

/// Judges every claim about models that are in the results.
pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    if results.models.len() < 2 {
        return BTreeMap::new(); // --only one of them
    }
    let own = |name: &str| &results.exposure[name].all.after_own.of_seeds;
    let bleu = |name: &str| &results.models[name].parts["test"].bleu.of_seeds;
    let higher = |difference: &str, this: &str, that: &str| {
        both(smaller(bleu(that), bleu(this)), results.differences[difference]["test"].is_positive())
    };
    if results.models.contains_key("own_words") {
        return workbench::claims([
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
        ]);
    }
    workbench::claims([(
        "in_full",
        "a last layer that sees the word before and the context raises BLEU on the test part",
        higher("in_full", "in_full", "simple"),
    )])
}

/// What the seeds and the sentences say, if they say the same.
fn both(seeds: Option<bool>, sentences: Option<bool>) -> Option<bool> {
    seeds.filter(|_| seeds == sentences)
}
