//! 7.6 A capstone: the learner's mean and the learner's power of two, together.

use tests::exercises::{Exercise, show, wrong};

use super::{Answers, Matrix, solutions};

/// The answers to 7.1 and 7.5.
#[derive(Clone, Copy)]
pub struct Parts {
    pub mean: fn(&Matrix) -> Matrix,
    pub power_of_two: fn(u32) -> u32,
}

impl From<Answers> for Parts {
    fn from(answers: Answers) -> Parts {
        Parts { mean: answers.mean, power_of_two: answers.power_of_two }
    }
}

const SOLVED: Parts = Parts { mean: solutions::mean, power_of_two: solutions::power_of_two };

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[wrong(
        "look at (7.5)",
        Parts { power_of_two: |n| 2 * n.next_power_of_two(), ..SOLVED },
    )],
};

fn check(parts: Parts) {
    let mean = (parts.mean)(&Matrix::from_row_slice(2, 1, &[2.0, 4.0]))[0];
    let power = (parts.power_of_two)(mean as u32);
    show(format!("your mean is {mean}, your power {power}"));
    assert!(power == 4, "{power}, not 4: look at (7.5)");
}
