//! 7.6 A capstone: the learner's mean and the learner's power of two, together.

use tests::exercises::{Exercise, Kind, Wrong, show};

use super::Matrix;

/// The answers to 7.1 and 7.5.
#[derive(Clone, Copy)]
pub struct Parts {
    pub mean: fn(&Matrix) -> Matrix,
    pub power_of_two: fn(u32) -> u32,
}

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 6,
        title: "everything together",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 1,
        check,
        wrong: &[Wrong {
            name: "too large a power",
            hint: "not 4",
            answer: Parts {
                mean: |x| Matrix::from_fn(1, x.ncols(), |_, j| x.column(j).mean()),
                power_of_two: |n| 2 * n.next_power_of_two(),
            },
        }],
    }
}

fn check(parts: Parts) {
    let mean = (parts.mean)(&Matrix::from_row_slice(2, 1, &[2.0, 4.0]))[0];
    let power = (parts.power_of_two)(mean as u32);
    show(format!("your mean is {mean}, your power {power}"));
    assert!(power == 4, "{power}, not 4");
}
