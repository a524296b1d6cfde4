//! 15.3: evenness and the scores.

use super::solutions;
use nalgebra::DMatrix;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard, uneven};

type EvenGradient = fn(&Matrix) -> Matrix;

pub const EXERCISE: Exercise<EvenGradient> = Exercise {
    check,
    wrong: &[
        wrong("a place that was looked at too seldom is to gain", |scores| {
            -solutions::even_gradient(scores)
        }),
        wrong("the derivative of a square has a 2", |scores| {
            solutions::even_gradient(scores) / 2.0
        }),
        wrong("from the weights it is one step more to the scores", |scores| {
            of_weights(&solutions::softmax(scores))
        }),
        wrong("the softmax of a column is the weights of a word", of_weights),
        wrong("a softmax subtracts a mean, since its weights sum to 1", |scores| {
            let alpha = solutions::softmax(scores);
            of_weights(&alpha).component_mul(&alpha)
        }),
        wrong("1 − Σₜ αₜᵢ, not 1 − αₜᵢ: all words share a place's sum", |scores| {
            passed(
                &solutions::softmax(scores),
                &solutions::softmax(scores).map(|alpha| -2.0 * (1.0 - alpha)),
            )
        }),
    ],
};

fn of_weights(alpha: &Matrix) -> Matrix {
    Matrix::from_fn(alpha.nrows(), alpha.ncols(), |i, _| -2.0 * (1.0 - alpha.row(i).sum()))
}

fn passed(alpha: &Matrix, d: &Matrix) -> Matrix {
    Matrix::from_fn(alpha.nrows(), alpha.ncols(), |i, t| {
        alpha[(i, t)] * (d[(i, t)] - alpha.column(t).dot(&d.column(t)))
    })
}

fn term(scores: &DMatrix<f64>) -> f64 {
    let mut alpha = scores.clone();
    for mut word in alpha.column_iter_mut() {
        let most = word.max();
        word.apply(|score| *score = (*score - most).exp());
        word /= word.sum();
    }
    alpha.row_iter().map(|row| (1.0 - row.sum()).powi(2)).sum()
}

fn check(even_gradient: EvenGradient) {
    let sizes = [(4, 3), (3, 5), (2, 1), (6, 2), (1, 3)]
        .map(|(l, t)| ("begin with a single word, and two places", uneven(l, t, 0.7)));
    let hard = hard::scores().map(|(hint, scores)| {
        (hint, Matrix::from_fn(scores.len(), 2, |i, t| [scores[i], i as f32][t]))
    });
    for (hint, scores) in sizes.into_iter().chain(hard) {
        expect(even_gradient(&scores), finite_difference(term, &scores), 1e-4)
            .of("even_gradient(scores)")
            .given("scores", &scores)
            .hint(hint)
            .check();
    }
}
