//! 1.7 one pass: what one more key does to the three numbers of a running softmax

use super::solutions;
use kernel_regression::Float;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type OnePass = fn([Float; 3], Float, Float) -> [Float; 3];

pub const EXERCISE: Exercise<OnePass> = Exercise {
    check,
    wrong: &[
        wrong(
            "S and T are relative to e_max, else every exponential may be 0",
            |[_, sum, total], s, y| [0.0, sum + s.exp(), total + s.exp() * y],
        ),
        wrong(
            "the sums are relative to the largest score so far: when it grows, both sums shrink",
            |[largest, sum, total], s, y| {
                let now = largest.max(s);
                [now, sum + (s - now).exp(), total + (s - now).exp() * y]
            },
        ),
        wrong(
            "a larger score shrinks both sums, that of the weights and that of the values",
            |[largest, sum, total], s, y| {
                let [now, _, total] = solutions::one_pass([largest, sum, total], s, y);
                [now, sum + (s - now).exp(), total]
            },
        ),
        wrong(
            "the sums are relative to the largest score so far, not the newest",
            |[largest, sum, total], s, y| {
                let factor = (largest - s).exp();
                [s, sum * factor + 1.0, total * factor + y]
            },
        ),
        wrong("e_max is the largest score so far, not the newest", |running, s, y| {
            let [_, sum, total] = solutions::one_pass(running, s, y);
            [s, sum, total]
        }),
        wrong("a value's weight is exp(e − e_max)", |running, s, y| {
            let [now, sum, total] = solutions::one_pass(running, s, y);
            [now, sum, total - (s - now).exp() * y + y]
        }),
    ],
};

fn check(one_pass: OnePass) {
    // Rising, falling, equal; and there is always a larger score to come.
    let several = [vec![-2.0, -0.5, -1.0, -0.5, -3.0, 0.25], vec![400.0, -400.0, 500.0, 499.0]];
    let hard = hard::scores().map(|(_, scores)| scores.as_slice().to_vec());
    for scores in several.into_iter().chain(hard) {
        let mut running = [Float::NEG_INFINITY, 0.0, 0.0];
        for (s, y) in scores.into_iter().zip([7.0, 1.0, 4.0, -2.0, 3.0, 5.0]) {
            let right = solutions::one_pass(running, s, y);
            expect(one_pass(running, s, y), right, 1e-5)
                .of(format!("[e_max, S, T] = one_pass({running:?}, {s}, {y})"))
                .check();
            running = right;
        }
    }
}
