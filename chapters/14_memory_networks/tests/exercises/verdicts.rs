//! 14.8: ten seeds.

use crate::solutions;
use tests::exercises::{Exercise, Kind, check_answers, with, wrong};

type Verdicts = fn() -> [Option<bool>; 6];

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    number: 8,
    title: "judge: ten seeds",
    kind: Kind::Judge,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong("nothing is decided", "", || [None; 6]),
        wrong("by the means", "", || with(solutions::verdicts(), 1, Some(true))),
        wrong("by the other means", "", || with(solutions::verdicts(), 2, Some(false))),
        wrong("the best counts", "", || with(solutions::verdicts(), 2, Some(true))),
        wrong("beyond the table", "", || with(solutions::verdicts(), 4, Some(true))),
        wrong("a spread is never decided", "", || with(solutions::verdicts(), 5, None)),
    ],
};

const WHY: [&str; 6] = [
    "98.4 lies above 52.2: no seed overlaps",
    "46.3 lies below 52.2: the seeds overlap",
    "64.7 lies below 81.0 and 100.0 above 91.3",
    "the best has 99.6",
    "ten trainings of one recipe did not; another recipe might",
    "35.3 points against 10.3, in the very seeds that the sentence is about",
];

fn check(verdicts: Verdicts) {
    check_answers(verdicts(), solutions::verdicts(), WHY);
}
