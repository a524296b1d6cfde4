//! 6.6: a look that moves along.

use super::solutions;
use super::support::softmax_less;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, unhinted, wrong};

type MovingLook = fn() -> (Matrix, Matrix, Vector);

pub const EXERCISE: Exercise<MovingLook> = Exercise {
    check,
    wrong: &[
        unhinted("one unit", || (row(&[-4.0]), row(&[4.0, 2.0]), Vector::from_element(1, 5.0))),
        unhinted("two steps at the same position", || bump(4.0, 0.0, 5.0)),
        wrong("the bump is at the right position: v makes it higher", || bump(4.0, 2.0, 0.5)),
        wrong("neighbours share the bump: let the two steps stand closer", || bump(4.0, 8.0, 5.0)),
        unhinted("the query added, not subtracted", || {
            let (w, u, v) = solutions::moving_look();
            (-w, u, v)
        }),
        unhinted("a hollow instead of a bump", || {
            let (w, u, v) = solutions::moving_look();
            (w, u, -v)
        }),
        unhinted("shapes that do not fit", || (row(&[1.0]), Matrix::zeros(2, 1), Vector::zeros(1))),
    ],
};

fn check(moving_look: MovingLook) {
    let (w, u, v) = moving_look();
    let (h, shapes) = (v.len(), [w.shape(), u.shape(), v.shape()]);
    assert!(
        h > 0 && shapes == [(h, 1), (h, 2), (h, 1)],
        "W, U and v are {shapes:?}: (h, 1), (h, 2) and (h, 1) are needed"
    );
    for (words, i) in (1..=10).rev().flat_map(|words| (0..words).map(move |i| (words, i))) {
        let i = (i + words / 2) % words; // from the middle on
        let scores = Vector::from_fn(words, |j, _| {
            let annotation = Vector::from_column_slice(&[j as f32, 1.0]);
            v.dot(&(w.column(0) * i as f32 + &u * annotation).map(f32::tanh))
        });
        let weights = softmax_less(Vector::max, scores);
        let hint = if weights.max() - weights.min() < 1e-3 {
            "\nhint: the weights lie on all words alike"
        } else if weights.as_slice().is_sorted() {
            "\nhint: the score only rises with j: it prefers the sentence's end"
        } else if weights.imin() == i {
            "\nhint: this word gets the least weight of all"
        } else {
            ""
        };
        assert!(
            weights[i] > 0.9,
            "before word {i} of a sentence of {words} the weight on word {i} should be more than 0.9; the \
             weights are {:.3?}{hint}",
            weights.as_slice()
        );
    }
}

/// `v·(tanh(a·d + b) − tanh(a·d − b))` with d = j − i.
fn bump(a: f32, b: f32, v: f32) -> (Matrix, Matrix, Vector) {
    let w = Matrix::from_column_slice(2, 1, &[-a, -a]);
    let u = Matrix::from_row_slice(2, 2, &[a, b, a, -b]);
    (w, u, Vector::from_column_slice(&[v, -v]))
}

fn row(entries: &[f32]) -> Matrix {
    Matrix::from_row_slice(1, entries.len(), entries)
}
