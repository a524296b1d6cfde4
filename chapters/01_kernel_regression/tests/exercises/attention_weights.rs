//! 1.2 attention weights: a softmax down each column, which does not underflow

use super::solutions;
use super::support::columns_normalised;
use kernel_regression::{Float, Kernel, Matrix, scores};
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type AttentionWeights = fn(&[Float], &[Float], Float) -> Matrix;

pub const EXERCISE: Exercise<AttentionWeights> = Exercise {
    check,
    wrong: &[
        wrong("each row sums to 1, but a column is a query", |q, k, h| {
            solutions::softmax(&scores(q, k, Kernel::Gaussian, h).transpose()).transpose()
        }),
        wrong("a row for each key, a column for each query", |q, k, h| {
            solutions::attention_weights(q, k, h).transpose()
        }),
        wrong("NaN is 0/0: every exponential is too small", |q, k, h| {
            columns_normalised(scores(q, k, Kernel::Gaussian, h).map(Float::exp))
        }),
        wrong("kernel values: each column must sum to 1", |q, k, h| {
            scores(q, k, Kernel::Gaussian, h).map(Float::exp)
        }),
        wrong("the score is a square: −(x − xᵢ)²/2h²", |q, k, h| {
            by_square(q, k, h, |x, k| (x - k).abs())
        }),
        wrong(
            "take the difference before you square it: of x² − 2xk + k², nothing is left where x and k are large",
            |q, k, h| by_square(q, k, h, |x, k| x * x - 2.0 * x * k + k * k),
        ),
        wrong("divide the square by 2h², not by h²", |q, k, h| {
            solutions::attention_weights(q, k, h / (2.0 as Float).sqrt())
        }),
        wrong("distances are divided by h", |q, k, h| solutions::attention_weights(q, k, 1.0 / h)),
    ],
};

fn check(attention_weights: AttentionWeights) {
    let keys = [0.0, 1.0, 3.0];
    for (queries, keys, h) in [
        (&[0.5, 2.0, 3.5][..], &[0.0, 1.0, 3.0, 4.5][..], 0.8),
        (&[0.4, 3.9], &keys, 0.001),
        (&[1.3], &keys, 0.001), // the nearest is neither the first nor the last
        (&[2019.3], &[2018.0, 2020.0, 2021.0], 0.8),
        (&[20.0], &[0.0, 0.02], 1.0), // far from both, which still share
    ] {
        let right = solutions::attention_weights(queries, keys, h);
        expect(attention_weights(queries, keys, h), right, 1e-4)
            .of(format!("attention_weights({queries:?}, {keys:?}, {h})"))
            .check();
    }
}

/// Right when `square(x, k)` is (x − k)².
fn by_square(q: &[Float], k: &[Float], h: Float, square: fn(Float, Float) -> Float) -> Matrix {
    let (m, n) = (k.len(), q.len());
    solutions::softmax(&Matrix::from_fn(m, n, |i, j| -square(q[j], k[i]) / (2.0 * h * h)))
}
