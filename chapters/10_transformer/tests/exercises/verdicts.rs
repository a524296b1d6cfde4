//! 10.11: what does the table show?

use tests::exercises::{Exercise, unhinted};
use workbench::statistics::smaller;

type Verdicts = fn() -> [Option<bool>; 5];

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    check,
    wrong: &[
        unhinted("by the means", || [YES, NO, YES, NO, None]),
        unhinted("what raises BLEU lowers the perplexity", || [YES, YES, None, NO, None]),
        unhinted("nearly never is never", || [YES, NO, None, YES, None]),
        unhinted("one run is no run", || [YES, NO, None, None, None]),
        unhinted("the difference has the cause that has a name", || [YES, NO, None, NO, YES]),
        unhinted("nothing is ever decided", || [None; 5]),
        unhinted("what overlaps is equal", || [YES, NO, NO, NO, None]),
        unhinted("another cause is proven", || [YES, NO, None, NO, NO]),
    ],
};

const SHARP: [f64; 5] = [58.9, 59.6, 60.4, 61.0, 61.2];
const SMOOTHED: [f64; 5] = [61.9, 62.2, 62.8, 63.1, 63.3];
const PRE: [f64; 5] = [61.5, 62.0, 62.9, 63.4, 63.6];
const NO_WARM_UP: [f64; 5] = [2.7, 2.9, 3.1, 3.3, 62.5];
const SHARP_PERPLEXITY: [f64; 5] = [2.29, 2.30, 2.31, 2.33, 2.35];
const SMOOTHED_PERPLEXITY: [f64; 5] = [2.49, 2.50, 2.52, 2.54, 2.55];

fn check(verdicts: Verdicts) {
    let rights = [
        (
            smaller(&SHARP, &SMOOTHED),
            "all five runs with smoothed labels lie above all five with sharp ones",
        ),
        (
            smaller(&SMOOTHED_PERPLEXITY, &SHARP_PERPLEXITY),
            "it rises, in all seeds: smoothed labels ask for less certainty, and perplexity is a measure of certainty",
        ),
        (smaller(&PRE, &SMOOTHED), "the seeds overlap, whatever the means are"),
        (
            Some(NO_WARM_UP.iter().all(|bleu| *bleu < 10.0)),
            "one seed of five learnt, and “never” is refuted by one",
        ),
        (
            None,
            "more than one thing has changed between these rows: the labels too, and perhaps the warm-up",
        ),
    ];
    let mut wrong = Vec::new();
    for (i, (found, (right, why))) in verdicts().into_iter().zip(rights).enumerate() {
        if found != right {
            wrong.push(format!("claim {i}: you say {found:?}\nhint: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
