//! What was expected before the comparison ran.

use super::results::{Results, Row};
use std::collections::BTreeMap;
use workbench::study::{Claim, Verdict, all_hold, claims_of_rows, smaller};

/// Judges every claim by the numbers beside it; rows that are missing make none. A claim that one way is
/// better than another is decided in a task when their seeds do not overlap; one about several tasks holds
/// when it holds in each, and fails when it fails in one.
pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    claims_of_rows([
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
                Some(smaller(&row.bag_of_words.of_seeds, seeds(row, "pre_trained")?))
            }),
        ),
        (
            "in_common",
            "with 1000 examples, who sees the words in common and nothing else tells less of *continuation* than the pre-trained encoder",
            in_common(results),
        ),
    ])
}

fn seeds<'a>(row: &'a Row, way: &str) -> Option<&'a Vec<f64>> {
    Some(&row.ways.get(way)?.accuracy.of_seeds)
}

fn everywhere(results: &Results, examples: &str, less: &str, more: &str) -> Verdict {
    of_all(results, examples, |row| Some(smaller(seeds(row, less)?, seeds(row, more)?)))
}

fn of_all(results: &Results, examples: &str, judge: impl Fn(&Row) -> Verdict) -> Verdict {
    let verdicts = results.tasks.values().map(|task| judge(task.by_examples.get(examples)?));
    let verdicts: Vec<Option<bool>> = verdicts.collect::<Option<_>>()?;
    (verdicts.len() >= 3).then(|| all_hold(verdicts))
}

fn in_common(results: &Results) -> Verdict {
    let row = results.tasks.get("continuation")?.by_examples.get("1000")?;
    let counted = row.words_in_common.as_ref()?;
    Some(smaller(&counted.of_seeds, seeds(row, "pre_trained")?))
}

fn fifty_for_a_thousand(results: &Results) -> Verdict {
    let of_task = |rows: &BTreeMap<String, Row>| {
        let many = seeds(rows.get("1000")?, "from_scratch")?;
        Some(smaller(many, seeds(rows.get("0050")?, "pre_trained")?).map(|holds| !holds))
    };
    let fails = results.tasks.values().map(|task| of_task(&task.by_examples));
    let fails: Vec<Option<bool>> = fails.collect::<Option<_>>()?;
    Some(all_hold(fails).map(|fails| !fails)) // one task is enough
}
