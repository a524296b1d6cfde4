//! 6.6: a look that moves along.

use crate::solutions;
use crate::support::softmax;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};

type MovingLook = fn() -> (Matrix, Matrix, Vector);

pub fn exercise() -> Exercise<MovingLook> {
    Exercise {
        number: 6,
        title: "a look that moves along",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "one unit",
                hint: "it prefers the sentence's end",
                answer: || (row(&[-4.0]), row(&[4.0, 2.0]), Vector::from_element(1, 5.0)),
            },
            Wrong {
                name: "two steps at the same place",
                hint: "on all words alike",
                answer: || bump(4.0, 0.0, 5.0),
            },
            Wrong { name: "too flat", hint: "more than 0.9", answer: || bump(4.0, 2.0, 0.5) },
            Wrong { name: "too wide", hint: "more than 0.9", answer: || bump(4.0, 8.0, 5.0) },
            Wrong {
                name: "the query added, not subtracted",
                hint: "",
                answer: || {
                    let (w, u, v) = solutions::moving_look();
                    (-w, u, v)
                },
            },
            Wrong {
                name: "a hollow instead of a bump",
                hint: "the least weight of all",
                answer: || {
                    let (w, u, v) = solutions::moving_look();
                    (w, u, -v)
                },
            },
            Wrong {
                name: "the first words alone",
                hint: "",
                answer: || (row(&[0.0]), row(&[-4.0, 0.0]), Vector::from_element(1, 5.0)),
            },
            Wrong {
                name: "shapes that do not fit",
                hint: "(1, 1), (2, 1) and (1, 1)",
                answer: || (row(&[1.0]), Matrix::zeros(2, 1), Vector::zeros(1)),
            },
        ],
    }
}

fn check(moving_look: MovingLook) {
    let (w, u, v) = moving_look();
    let h = v.len();
    assert!(
        w.shape() == (h, 1) && u.shape() == (h, 2) && h > 0,
        "W, U and v are {:?}, {:?} and {:?}: (h, 1), (h, 2) and (h, 1) are needed",
        w.shape(),
        u.shape(),
        v.shape()
    );
    for words in (1..=10).rev() {
        for i in (0..words).map(|i| (i + words / 2) % words) {
            let score = |j: usize| {
                let annotation = Vector::from_column_slice(&[j as f32, 1.0]);
                v.dot(&(w.column(0) * i as f32 + &u * annotation).map(f32::tanh))
            };
            let weights = softmax(Vector::from_fn(words, |j, _| score(j)));
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
