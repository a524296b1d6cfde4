//! 9.3: what all tokens share.

use super::attempts::Layer;
use scoring_functions::weights;
use shared::{Matrix, product};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type TakeTheMeanAway = fn(usize) -> Layer;

const ALIKE: &str = "in a mean of all tokens every weight is 1/n: which queries score all keys alike, whatever \
                     the keys are?";
const SIGN: &str = "the sign: the mean was added";

pub const EXERCISE: Exercise<TakeTheMeanAway> = Exercise {
    check,
    wrong: &[
        wrong(ALIKE, |d| head(d, 1.0, 1.0, -1.0)),
        wrong("nearly 0 is not 0", |d| head(d, 1e-6, 1.0, -1.0)),
        wrong(SIGN, |d| head(d, 0.0, 1.0, 1.0)),
        wrong("this is x itself: nothing was taken away", |d| head(d, 0.0, 0.0, 0.0)),
        wrong("the softmax divides already, and by n, not by d", |d| {
            head(d, 0.0, 1.0, -1.0 / d as f32)
        }),
        wrong(
            "the mean is over tokens, for each entry by itself, not over a token's entries",
            |d| Layer {
                w_v: Matrix::from_element(d, d, 1.0 / d as f32),
                ..head(d, 0.0, 0.0, -1.0)
            },
        ),
    ],
};

/// `W_q = q·I`, `W_k = I`, `W_v = v·I`, `W_o = o·I`.
fn head(d: usize, q: f32, v: f32, o: f32) -> Layer {
    let [w_q, w_k, w_v, w_o] = [q, 1.0, v, o].map(|factor| Matrix::identity(d, d) * factor);
    Layer { w_q, w_k, w_v, w_o }
}

fn check(take_the_mean_away: TakeTheMeanAway) {
    for (d, n) in [(3, 4), (5, 2), (4, 9), (2, 1)] {
        let x = uneven(d, n, 0.7);
        let Layer { w_q, w_k, w_v, w_o } = take_the_mean_away(d);
        for (name, w) in [("w_q", &w_q), ("w_k", &w_k), ("w_v", &w_v), ("w_o", &w_o)] {
            assert!(w.shape() == (d, d), "{name} has the shape {:?}, for d = {d}", w.shape());
        }
        let alpha = |x: &Matrix| weights(&product(&w_q, x), &product(&w_k, x));
        let even = Matrix::from_element(n, n, 1.0 / n as f32);
        expect(alpha(&x), &even, 1e-5).of(format!("the weights of {n} tokens")).check();
        expect(alpha(&(&x * 1e18)), &even, 1e-5) // where small scores are small no longer
            .of(format!("the weights of {n} tokens that are 10¹⁸ times as large"))
            .check();
        let found = &x + product(&w_o, &product(&product(&w_v, &x), &even));
        expect(found, &x - &x * &even, 1e-5)
            .of(format!("x + W_o·attention(W_q x, W_k x, W_v x) for {n} tokens"))
            .given("x", &x)
            .check();
    }
}
