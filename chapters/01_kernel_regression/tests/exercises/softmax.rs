//! 1.3 spot the bug: far from all keys

use super::solutions;
use super::support::columns_normalised;
use kernel_regression::{Float, Matrix};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard};

pub const EXERCISE: Exercise<fn(&Matrix) -> Matrix> = Exercise {
    check,
    wrong: &[
        bug("NaN is 0/0: where does a sum become 0?", |scores| {
            columns_normalised(exponentials(scores))
        }),
        wrong("every column must sum to 1, this one, too", |scores| {
            columns_normalised(exponentials(scores)).map(|a| if a.is_nan() { 0.0 } else { a })
        }),
        wrong(
            "subtract something before you exponentiate: these exponentials are all 0, or infinite",
            |scores| columns_normalised(scores.map(Float::exp)),
        ),
    ],
};

fn check(softmax: fn(&Matrix) -> Matrix) {
    let hard = hard::scores().map(|(_, scores)| Matrix::from_columns(&[scores]));
    let several = [
        Matrix::from_row_slice(3, 2, &[0.0, 1.0, -1.0, 0.5, -2.0, 3.0]),
        // the second query is far from all keys
        Matrix::from_row_slice(2, 2, &[0.0, -200.0, -1.0, -200.0]),
        // spread so widely that only the largest score of the column itself is safe to subtract
        Matrix::from_column_slice(3, 2, &[-300.0, 0.0, -1.0, -500.0, -200.0, -201.0]),
    ];
    for scores in hard.chain(several) {
        expect(softmax(&scores), solutions::softmax(&scores), 1e-4)
            .of("softmax(scores)")
            .given("scores", &scores)
            .check();
    }
}

/// Relative to the largest score of all columns.
fn exponentials(scores: &Matrix) -> Matrix {
    scores.map(|score| (score - scores.max()).exp())
}
