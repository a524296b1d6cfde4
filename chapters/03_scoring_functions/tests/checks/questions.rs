//! The answers of `questions.md`, computed.

use scoring_functions::{causal, covariance, dot, masked_softmax};
use shared::{Matrix, Tape};
use tests::questions::{answers, option, order};

/// The weights of scores (m, n), of which each query sees as many.
fn weights(scores: Matrix, lengths: &[usize]) -> Matrix {
    Matrix::clone(&masked_softmax(Tape::no_grad().constant(scores), lengths).value())
}

#[test]
fn answers_are_those_computed() {
    let tape = Tape::no_grad();
    let query = tape.constant(Matrix::from_column_slice(2, 1, &[1.0, 0.0]));
    let keys = tape.constant(Matrix::from_column_slice(2, 3, &[1.0, 0.0, 3.0, 3.0, 2.0, -4.0]));
    let ranked = weights(Matrix::clone(&dot(query, keys).value()), &[3]);

    let times_zero = weights(Matrix::from_column_slice(3, 1, &[0.0, 0.0, 5.0 * 0.0]), &[3])[2];
    let seen = weights(Matrix::zeros(10, 10), &causal(10)).iter().filter(|w| **w > 0.0).count();

    let values = Matrix::from_row_slice(2, 3, &[1.0, 2.0, -1.0, 0.5, -3.0, 2.0]);
    let saturated = weights(Matrix::from_column_slice(3, 1, &[40.0, 0.0, -3.0]), &[3]);
    let to_scores = covariance(&values, &saturated).amax() > 1e-6;
    let to_values = saturated.amax() > 1e-6; // ∂o/∂v_i = α_i
    let none = [to_scores && !to_values, to_values && !to_scores, !to_values && !to_scores];
    answers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("3a", order(&[0, 1, 2].map(|key| f64::from(ranked[key])))),
            ("3b", format!("{times_zero:.2}")),
            ("3c", seen.to_string()),
            ("3d", option(none)),
        ],
    );
}
