//! 6.5: the alignment error rate.

use super::solutions::{self, Link};
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type ErrorRate = fn(&Matrix, &[Link], &[Link]) -> f64;

pub const EXERCISE: Exercise<ErrorRate> = Exercise {
    check,
    wrong: &[
        wrong("look down the columns", |weights, sure, possible| {
            let rows = links(&weights.transpose()).into_iter();
            rate(&rows.map(|(j, i)| (i, j)).collect::<Vec<_>>(), sure, possible)
        }),
        wrong("the source word comes first", |weights, sure, possible| {
            let exchanged: Vec<Link> = links(weights).into_iter().map(|(i, j)| (j, i)).collect();
            rate(&exchanged, sure, possible)
        }),
        wrong(
            "every sure link is possible too, so a sure link found counts twice",
            |weights, sure, possible| {
                let found = links(weights);
                let right = common(&found, sure) + common(&found, possible);
                1.0 - right / (found.len() + sure.len()) as f64
            },
        ),
        wrong("to find a possible link costs nothing", |weights, sure, _| {
            solutions::alignment_error_rate(weights, sure, &[])
        }),
        wrong(
            "a possible link need not be found: |S| below the line counts sure ones",
            |weights, sure, possible| {
                solutions::alignment_error_rate(weights, &[sure, possible].concat(), &[])
            },
        ),
        wrong("subtract it from 1", |weights, sure, possible| {
            1.0 - solutions::alignment_error_rate(weights, sure, possible)
        }),
    ],
};

fn check(alignment_error_rate: ErrorRate) {
    // Four source words and five target words, the last of which has no link at all: of the links found,
    // (0, 0) (1, 1) (1, 2) (3, 3) (3, 4), three are sure and one more is possible.
    #[rustfmt::skip]
    let weights = Matrix::from_row_slice(4, 5, &[
        0.7, 0.1, 0.1, 0.0, 0.1,
        0.1, 0.6, 0.8, 0.1, 0.2,
        0.1, 0.2, 0.1, 0.1, 0.3,
        0.1, 0.1, 0.0, 0.8, 0.4,
    ]);
    // "not see" → "ne voit pas", looking at "not" three times.
    let not = Matrix::from_row_slice(2, 3, &[0.9, 0.6, 0.8, 0.1, 0.4, 0.2]);
    let cases: [(Matrix, &[Link], &[Link], f64); 3] = [
        (weights, &[(0, 0), (2, 1), (1, 2), (3, 4)], &[(3, 3), (0, 1)], 1.0 - 7.0 / 9.0),
        (not, &[(0, 0), (1, 1), (0, 2)], &[], 1.0 - 4.0 / 6.0),
        (Matrix::identity(2, 2), &[(1, 0), (0, 1)], &[], 1.0),
    ];
    for (weights, sure, possible, right) in cases {
        expect(alignment_error_rate(&weights, sure, possible), right, 1e-9)
            .of(format!("alignment_error_rate(weights, {sure:?}, {possible:?})"))
            .given("weights", weights)
            .check();
    }
}

fn links(weights: &Matrix) -> Vec<Link> {
    weights.column_iter().enumerate().map(|(j, column)| (column.imax(), j)).collect()
}

fn rate(found: &[Link], sure: &[Link], possible: &[Link]) -> f64 {
    let right = 2.0 * common(found, sure) + common(found, possible);
    1.0 - right / (found.len() + sure.len()) as f64
}

fn common(found: &[Link], gold: &[Link]) -> f64 {
    found.iter().filter(|link| gold.contains(link)).count() as f64
}
