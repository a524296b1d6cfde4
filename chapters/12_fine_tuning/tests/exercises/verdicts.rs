//! 12.9: three seeds, four ways.

use super::solutions;
use tests::exercises::{Exercise, check_answers, unhinted, with};
use workbench::statistics::smaller;

type Verdicts = fn() -> [Option<bool>; 6];

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    check,
    wrong: &[
        unhinted("by the means", || with(solutions::verdicts(), 0, Some(true))),
        unhinted("nothing is decided", || [None; 6]),
        unhinted("what is not shown is open", || with(solutions::verdicts(), 1, None)),
        unhinted("a difference is all that counts", || with(solutions::verdicts(), 1, Some(true))),
        unhinted("the middle seeds agree", || with(solutions::verdicts(), 2, Some(false))),
        unhinted("mostly is always", || with(solutions::verdicts(), 3, Some(false))),
        unhinted("beyond the table", || with(solutions::verdicts(), 4, Some(true))),
        unhinted("above chance is above chance", || with(solutions::verdicts(), 5, Some(false))),
    ],
};

const PRE_TRAINED: [[f64; 3]; 2] = [[71.2, 74.9, 78.3], [93.1, 93.4, 93.8]];
const FROZEN: [[f64; 3]; 2] = [[70.1, 72.6, 75.0], [78.9, 79.3, 79.6]];
const FROM_SCRATCH: [f64; 3] = [70.2, 79.1, 88.0];
const COUNTED: [f64; 3] = [51.0, 51.4, 52.2];

const WHY: [&str; 6] = [
    "the seeds overlap, from 71.2 to 75.0",
    "all three seeds of the frozen encoder lie below all three of the trained one",
    "the seeds overlap: 70.2 is below, 88.0 above",
    "the seeds overlap: 70.2 without lies below all with, 79.1 and 88.0 above",
    "the table says nothing about more than 1000 examples",
    "52.2 is less than 3 points above 50",
];

fn check(verdicts: Verdicts) {
    let right = [
        smaller(&FROZEN[0], &PRE_TRAINED[0]),
        smaller(&PRE_TRAINED[1], &FROZEN[1]),
        smaller(&FROZEN[1], &FROM_SCRATCH),
        smaller(&FROM_SCRATCH, &PRE_TRAINED[0]),
        None,
        Some(COUNTED.iter().all(|share| *share <= 53.0)),
    ];
    check_answers(verdicts(), right, WHY);
}
