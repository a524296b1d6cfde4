//! 1.9 a memory of two keys that answers with a sigmoid

use crate::support::weights;
use kernel_regression::Float;
use tests::exercises::{Exercise, Kind, Wrong};

type Memory = fn(Float) -> ([Float; 2], [Float; 2], Float);

pub fn exercise() -> Exercise<Memory> {
    Exercise {
        number: 9,
        title: "construct: a sigmoid from two keys",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "half the slope",
                hint: "difference of the two scores",
                answer: |beta| ([-1.0, 1.0], [0.0, 1.0], (4.0 / beta).sqrt()),
            },
            Wrong {
                name: "the bandwidth's square",
                hint: "difference of the two scores",
                answer: |beta| ([-1.0, 1.0], [0.0, 1.0], 2.0 / beta),
            },
            Wrong {
                name: "falling",
                hint: "large for large x",
                answer: |beta| ([-1.0, 1.0], [1.0, 0.0], (2.0 / beta).sqrt()),
            },
            Wrong {
                name: "from −1 to 1",
                hint: "between 0 and 1",
                answer: |beta| ([-1.0, 1.0], [-1.0, 1.0], (2.0 / beta).sqrt()),
            },
            Wrong {
                name: "beside the origin",
                hint: "½ at x = 0",
                answer: |beta| ([0.0, 1.0], [0.0, 1.0], (1.0 / beta).sqrt()),
            },
        ],
    }
}

fn check(memory: Memory) {
    for beta in [0.5, 2.0, 6.0] {
        let (keys, values, h) = memory(beta);
        assert!(h > 0.0 && h.is_finite(), "the bandwidth for β = {beta} is {h}");
        for x in [0.0, 0.3, -0.4, 1.1, -2.0, 3.0] {
            let alpha = weights(&[x], &keys, h);
            let found = alpha[0] * values[0] + alpha[1] * values[1];
            let wanted = 1.0 / (1.0 + (-beta * x).exp());
            assert!(
                (found - wanted).abs() < 1e-4,
                "β = {beta}: the memory answers {found} at x = {x}, the sigmoid is {wanted}\nhint: {}",
                match () {
                    () if values != [0.0, 1.0] && values != [1.0, 0.0] =>
                        "the sigmoid lies between 0 and 1, and so must the values: one is 0, one is 1",
                    () if x == 0.0 => "the sigmoid is ½ at x = 0: how far are the keys from there?",
                    () if (found - 0.5) * (wanted - 0.5) < 0.0 =>
                        "the sigmoid is large for large x: which key is near there?",
                    () =>
                        "a softmax of two scores is a sigmoid of the difference of the two scores",
                }
            );
        }
    }
}
