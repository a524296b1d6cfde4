//! What was expected before the comparison ran.

use super::results::{Results, Row};
use std::collections::BTreeMap;
use workbench::{Claim, smaller};

/// Judges every claim by the numbers beside it; rows that are missing make none. A claim that one way is
/// better than another is decided in a task when their seeds do not overlap; one about several tasks holds
/// when it holds in each, and fails when it fails in one.
pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    let all = [
        (
            "fifty",
            "with 50 examples, the pre-trained encoder tells more of the test than the same one from scratch, in all three tasks",
            everywhere(results, "0050", "from_scratch", "pre_trained"),
        ),
        (
            "thousand",
            "so it does with 1000",
            everywhere(results, "1000", "from_scratch", "pre_trained"),
        ),
        (
            "fifty_for_a_thousand",
            "in at least one task, 50 examples after pre-training are worth more than 1000 from scratch",
            fifty_for_a_thousand(results),
        ),
        (
            "frozen_fifty",
            "with 50 examples, the new layer alone upon the frozen encoder tells more than the encoder from scratch, in all three tasks",
            everywhere(results, "0050", "from_scratch", "frozen"),
        ),
        (
            "frozen_thousand",
            "with 1000 examples, it tells less than when the encoder is trained too, in all three tasks",
            everywhere(results, "1000", "frozen", "pre_trained"),
        ),
        (
            "counting",
            "with 1000 examples, counting words tells less than the pre-trained encoder, in all three tasks",
            of_all(results, "1000", |row| {
                smaller(&row.bag_of_words.of_seeds, &row.ways["pre_trained"].accuracy.of_seeds)
            }),
        ),
        (
            "in_common",
            "with 1000 examples, who sees the words in common and nothing else tells less of *continuation* than the pre-trained encoder",
            in_common(results),
        ),
    ];
    let there = all.into_iter().filter_map(|(name, claim, holds)| Some((name, claim, holds?)));
    workbench::claims(there)
}

/// Whether the one way tells less than the other at a number of examples, in all tasks.
fn everywhere(results: &Results, examples: &str, less: &str, more: &str) -> Option<Option<bool>> {
    of_all(results, examples, |row| {
        let [less, more] = [less, more].map(|way| &row.ways[way].accuracy.of_seeds);
        smaller(less, more)
    })
}

/// What a judge says of all three tasks together.
fn of_all(
    results: &Results,
    examples: &str,
    judge: impl Fn(&Row) -> Option<bool>,
) -> Option<Option<bool>> {
    if results.tasks.len() < 3 {
        return None;
    }
    let verdicts: Option<Vec<Option<bool>>> =
        results.tasks.values().map(|task| task.by_examples.get(examples).map(&judge)).collect();
    let verdicts = verdicts?;
    Some(match verdicts.contains(&Some(false)) {
        true => Some(false),
        false => verdicts.iter().all(|verdict| *verdict == Some(true)).then_some(true),
    })
}

/// Whether the words that two texts have in common tell less than the encoder that reads both.
fn in_common(results: &Results) -> Option<Option<bool>> {
    let row = results.tasks.get("continuation")?.by_examples.get("1000")?;
    let counted = row.words_in_common.as_ref()?;
    Some(smaller(&counted.of_seeds, &row.ways["pre_trained"].accuracy.of_seeds))
}

/// Whether few examples after pre-training are worth more than many without, in one task at least.
fn fifty_for_a_thousand(results: &Results) -> Option<Option<bool>> {
    let of_task = |rows: &BTreeMap<String, Row>| {
        let many = &rows.get("1000")?.ways["from_scratch"].accuracy.of_seeds;
        Some(smaller(many, &rows.get("0050")?.ways["pre_trained"].accuracy.of_seeds))
    };
    let verdicts = results.tasks.values().map(|task| of_task(&task.by_examples));
    let verdicts: Vec<Option<bool>> = verdicts.collect::<Option<_>>()?;
    Some(match verdicts.contains(&Some(true)) {
        true => Some(true),
        false => verdicts.iter().all(|verdict| *verdict == Some(false)).then_some(false),
    })
}
