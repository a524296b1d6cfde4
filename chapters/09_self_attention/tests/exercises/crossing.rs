//! 9.8: where the costs cross.

use super::solutions;
use tests::exercises::{Exercise, unhinted, wrong};

type Crossing = fn(usize, usize) -> usize;

pub const EXERCISE: Exercise<Crossing> = Exercise {
    check,
    wrong: &[
        wrong(
            "n²d and knd² are orders of growth: here the constants count, 2n²d + 3nd² against knd²",
            |d, k| k * d + 1,
        ),
        wrong("self-attention also projects every token, three times", |d, k| k * d / 2 + 1),
        wrong(
            "scores are one product of n × n, but the layer mixes values with another",
            |d, k| k.saturating_sub(3) * d + 1,
        ),
        wrong("three times: to a query, a key and a value", |d, k| k.saturating_sub(1) * d / 2 + 1),
        wrong("as many are not more", |d, k| (k.saturating_sub(3) * d).div_ceil(2).max(1)),
        unhinted("small windows not thought of", |d, k| (k - 3) * d / 2 + 1),
        wrong("n is a whole number already where it is more", |d, k| {
            solutions::crossing(d, k) + k.saturating_sub(3) * d % 2
        }),
    ],
};

fn check(crossing: Crossing) {
    let sizes = [(8, 7), (64, 5), (5, 4), (512, 9), (7, 3), (6, 1), (3, 2)];
    for (d, k) in sizes.into_iter().chain((1..100).map(|i| (1 + i % 10, 1 + i / 10))) {
        // Queries, keys and values, scores and means; and a matrix a neighbour.
        let self_attention = |n| 3 * n * d * d + 2 * n * n * d;
        let convolution = |n| k * n * d * d;
        let larger = (1..).find(|n| self_attention(*n) > convolution(*n));
        let right = larger.expect("n² wins in the end");
        let found = crossing(d, k);
        assert!(
            found == right,
            "crossing({d}, {k}) is {found}: there self-attention needs {} multiplications and the \
             convolution {}",
            self_attention(found),
            convolution(found)
        );
    }
}
