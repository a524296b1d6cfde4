//! 10.11: what does the table show?

use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Option<bool>; 5];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 11,
        title: "what does the table show?",
        kind: Kind::Judge,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "by the means",
                hint: "overlap",
                answer: || [Some(true), Some(false), Some(true), Some(false), None],
            },
            Wrong {
                name: "what raises BLEU lowers the perplexity",
                hint: "rises",
                answer: || [Some(true), Some(true), None, Some(false), None],
            },
            Wrong {
                name: "nearly never is never",
                hint: "one seed of five",
                answer: || [Some(true), Some(false), None, Some(true), None],
            },
            Wrong {
                name: "one run is no run",
                hint: "one seed of five",
                answer: || [Some(true), Some(false), None, None, None],
            },
            Wrong {
                name: "the difference has the cause that has a name",
                hint: "more than one thing",
                answer: || [Some(true), Some(false), None, Some(false), Some(true)],
            },
            Wrong { name: "nothing is ever decided", hint: "all five", answer: || [None; 5] },
            Wrong {
                name: "what overlaps is equal",
                hint: "overlap",
                answer: || [Some(true), Some(false), Some(false), Some(false), None],
            },
            Wrong {
                name: "another cause is proven",
                hint: "more than one thing",
                answer: || [Some(true), Some(false), None, Some(false), Some(false)],
            },
        ],
    }
}

const SHARP: [f64; 5] = [58.9, 59.6, 60.4, 61.0, 61.2];
const SMOOTHED: [f64; 5] = [61.9, 62.2, 62.8, 63.1, 63.3];
const PRE: [f64; 5] = [61.5, 62.0, 62.9, 63.4, 63.6];
const NO_WARM_UP: [f64; 5] = [2.7, 2.9, 3.1, 3.3, 62.5];
const SHARP_PERPLEXITY: [f64; 5] = [2.29, 2.30, 2.31, 2.33, 2.35];
const SMOOTHED_PERPLEXITY: [f64; 5] = [2.49, 2.50, 2.52, 2.54, 2.55];

fn check(verdicts: Verdicts) {
    let never = NO_WARM_UP.iter().all(|bleu| *bleu < 10.0); // one run is enough to refute it
    let right = [
        higher(&SMOOTHED, &SHARP),
        higher(&SHARP_PERPLEXITY, &SMOOTHED_PERPLEXITY),
        higher(&PRE, &SMOOTHED).map(|_| true), // higher or lower: they differ
        Some(never),
        None,
    ];
    let why = [
        "all five runs with smoothed labels lie above all five with sharp ones",
        "it rises, in all seeds: smoothed labels ask for less certainty, and perplexity is a measure of certainty",
        "the seeds overlap, whatever the means are",
        "one seed of five learnt, and “never” is refuted by one",
        "more than one thing has changed between these rows: the labels too, and perhaps the warm-up",
    ];
    let told = |verdict| match verdict {
        Some(true) => "shown",
        Some(false) => "refuted",
        None => "not decided",
    };
    let mut wrong = String::new();
    for (i, (found, right)) in verdicts().into_iter().zip(right).enumerate() {
        if found != right {
            wrong += &format!("claim {i}: you say {}\nhint: {}\n", told(found), why[i]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether all of `a` lie above all of `b`; `None` where they overlap.
fn higher(a: &[f64], b: &[f64]) -> Option<bool> {
    let above = |a: &[f64], b: &[f64]| a.iter().all(|a| b.iter().all(|b| a > b));
    match (above(a, b), above(b, a)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}
