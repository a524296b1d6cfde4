//! 14.7: which run tells?

use super::solutions;
use tests::exercises::{Exercise, check_answers, unhinted, with};

type TellingRuns = fn() -> [bool; 5];

pub const EXERCISE: Exercise<TellingRuns> = Exercise {
    check,
    wrong: &[
        unhinted("more seeds", || with(solutions::telling_runs(), 0, true)),
        unhinted("enough steps tell nothing", || with(solutions::telling_runs(), 1, false)),
        unhinted("fewer steps tell nothing", || with(solutions::telling_runs(), 2, false)),
        unhinted("wider vectors", || with(solutions::telling_runs(), 3, true)),
        unhinted("drawn anew is another model", || with(solutions::telling_runs(), 4, false)),
    ],
};

const WHY: [&str; 5] = [
    "both explain the same difference: more seeds measure it more exactly",
    "A predicts that the harm is gone, B that it stays",
    "A predicts the harm without any linear start, B none",
    "neither says anything about width",
    "A predicts the harm, for as few steps are left; B none, for the tables are where a softmax begins",
];

fn check(telling_runs: TellingRuns) {
    check_answers(telling_runs(), solutions::telling_runs(), WHY);
}
