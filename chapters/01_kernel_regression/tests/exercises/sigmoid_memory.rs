//! 1.9 a memory of two keys that answers with a sigmoid

use super::solutions;
use kernel_regression::{Float, Kernel, nadaraya_watson};
use tests::exercises::{Exercise, wrong};
use tests::expect;

type Memory = fn(Float) -> ([Float; 2], [Float; 2], Float);

const SCORES: &str = "a softmax of two scores is a sigmoid of the difference of the two scores";

pub const EXERCISE: Exercise<Memory> = Exercise {
    check,
    wrong: &[
        wrong(SCORES, |beta| solutions::sigmoid_memory(beta / 2.0)),
        wrong(SCORES, |beta| ([-1.0, 1.0], [0.0, 1.0], 2.0 / beta)),
        wrong("the sigmoid is large for large x: which key is near there?", |beta| {
            ([-1.0, 1.0], [1.0, 0.0], (2.0 / beta).sqrt())
        }),
        wrong("it lies between 0 and 1, as the values must", |beta| {
            ([-1.0, 1.0], [-1.0, 1.0], (2.0 / beta).sqrt())
        }),
        wrong("it is ½ at x = 0: how far are the keys?", |beta| {
            ([0.0, 1.0], [0.0, 1.0], (1.0 / beta).sqrt())
        }),
    ],
};

fn check(memory: Memory) {
    for beta in [0.5, 2.0, 6.0] {
        let (keys, values, h) = memory(beta);
        assert!(h > 0.0 && h.is_finite(), "the bandwidth for β = {beta} is {h}");
        for x in [0.0, 0.3, -0.4, 1.1, -2.0, 3.0] {
            let found = nadaraya_watson(&[x], &keys, &values, Kernel::Gaussian, h)[0];
            expect(found, 1.0 / (1.0 + (-beta * x).exp()), 1e-4)
                .of(format!("the memory for β = {beta}, asked at x = {x}"))
                .check();
        }
    }
}
