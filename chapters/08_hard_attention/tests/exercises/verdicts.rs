//! 8.13: which counts of solved trainings decide a claim.

use hard_attention::experiment::statistics::sign_test;
use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Option<bool>; 6];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 13,
        title: "judge: which way solves more?",
        kind: Kind::Judge,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the larger share wins",
                hint: "claim 2",
                answer: || {
                    [Some(true), Some(true), Some(true), Some(true), Some(false), Some(true)]
                },
            },
            Wrong {
                name: "six trainings more are six trainings more",
                hint: "claim 2",
                answer: || [Some(true), Some(true), None, Some(true), Some(false), None],
            },
            Wrong {
                name: "all against none",
                hint: "claim 3",
                answer: || [Some(true), None, Some(true), Some(true), Some(false), None],
            },
            Wrong {
                name: "the same shares, the same verdict",
                hint: "claim 4",
                answer: || [Some(true), None, None, None, Some(false), None],
            },
            Wrong {
                name: "what is refuted is not decided",
                hint: "claim 5",
                answer: || [Some(true), None, None, Some(true), None, None],
            },
            Wrong {
                name: "what is not decided does not hold",
                hint: "claim 2",
                answer: || {
                    [Some(true), Some(false), Some(false), Some(true), Some(false), Some(false)]
                },
            },
            Wrong {
                name: "no difference was found, so there is none",
                hint: "claim 6",
                answer: || [Some(true), None, None, Some(true), Some(false), Some(true)],
            },
        ],
    }
}

/// Seeds that A alone solves, and B alone.
const ALONE: [(usize, usize); 6] = [(6, 0), (7, 1), (5, 0), (14, 2), (0, 9), (1, 1)];

fn check(verdicts: Verdicts) {
    for (number, (verdict, (a, b))) in (1..).zip(verdicts().into_iter().zip(ALONE)) {
        let decided = sign_test(a, b) < 0.05;
        let right = if number < 6 { decided.then_some(a > b) } else { decided.then_some(false) };
        let hint = match number {
            6 => "a test that finds no difference has not shown that there is none",
            _ if decided => "count the ways in which so many coins fall, and those as uneven",
            _ => "how often do fair coins fall so unevenly, one way or the other?",
        };
        assert!(verdict == right, "claim {number} is not {}\nhint: {hint}", told(verdict));
    }
}

fn told(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "held",
        Some(false) => "refuted",
        None => "undecided",
    }
}
