//! 8.13: which counts of solved trainings decide a claim.

use hard_attention::program::statistics::sign_test;
use tests::exercises::{Exercise, unhinted};

type Verdicts = fn() -> [Option<bool>; 6];

const HELD: Option<bool> = Some(true);
const REFUTED: Option<bool> = Some(false);

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    check,
    wrong: &[
        unhinted("the larger share wins", || [HELD, HELD, HELD, HELD, REFUTED, HELD]),
        unhinted("all against none", || [HELD, None, HELD, HELD, REFUTED, None]),
        unhinted("the same shares, the same verdict", || [HELD, None, None, None, REFUTED, None]),
        unhinted("what is refuted is not decided", || [HELD, None, None, HELD, None, None]),
        unhinted("what is not decided does not hold", || {
            [HELD, REFUTED, REFUTED, HELD, REFUTED, REFUTED]
        }),
        unhinted("no difference was found, so there is none", || {
            [HELD, None, None, HELD, REFUTED, HELD]
        }),
    ],
};

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
        let said = verdict.map_or("undecided", |held| if held { "held" } else { "refuted" });
        assert!(verdict == right, "claim {number} is not {said}\nhint: {hint}");
    }
}
