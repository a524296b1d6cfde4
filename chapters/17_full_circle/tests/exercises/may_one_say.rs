//! 17.7: four memories.

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type MayOneSay = fn() -> [bool; 5];

pub const EXERCISE: Exercise<MayOneSay> = Exercise {
    check,
    wrong: &[
        unhinted("ranges that part decide nothing", || with(0)),
        unhinted("ranges that overlap decide", || with(1)),
        unhinted("five ranges are not enough for a sentence about them", || with(2)),
        unhinted("one change is no cause", || with(3)),
        unhinted("what was measured here holds everywhere", || with(4)),
    ],
};

/// Right, except for one.
fn with(i: usize) -> [bool; 5] {
    let mut all = solutions::may_one_say();
    all[i] = !all[i];
    all
}

fn check(may_one_say: MayOneSay) {
    let hints = [
        "do the ranges overlap?",
        "do the ranges overlap?",
        "the sentence speaks of these five seeds alone",
        "what else could differ, if nothing else does?",
        "on which targets was it measured?",
    ];
    let pairs = may_one_say().into_iter().zip(solutions::may_one_say());
    for (i, (said, right)) in pairs.enumerate() {
        assert!(said == right, "sentence {} is judged wrong\nhint: {}", i + 1, hints[i]);
    }
}
