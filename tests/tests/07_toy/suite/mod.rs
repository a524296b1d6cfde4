//! The suite of a toy chapter.

use std::time::Duration;

use nalgebra::DMatrix;
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

type Matrix = DMatrix<f32>;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub mean: fn(&Matrix) -> Matrix,
    pub softmax: fn(&Matrix) -> Matrix,
    pub gradient: fn(&Matrix, &Matrix) -> Matrix,
    pub rotated: fn(&[f32]) -> Vec<f32>,
    pub power_of_two: fn(u32) -> u32,
}

pub fn suite(folder: &str) -> Suite<Table> {
    Suite::new(folder)
        .time_limit(Duration::from_secs(2))
        .exercise(Exercise {
            number: 1,
            title: "mean of each column",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 1,
            check: mean,
            mistakes: &[
                Mistake {
                    name: "mean of each row",
                    hint: "",
                    apply: |table| {
                        table.mean =
                            |x| Matrix::from_fn(1, x.ncols(), |_, i| x.row(i % x.nrows()).mean())
                    },
                },
                Mistake {
                    name: "constant",
                    hint: "instead of",
                    apply: |table| table.mean = |x| Matrix::zeros(1, x.ncols()),
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "softmax",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: softmax,
            mistakes: &[
                Mistake {
                    name: "over rows",
                    hint: "each column must sum to 1",
                    apply: |table| table.softmax = softmax_over_rows,
                },
                Mistake {
                    name: "no maximum",
                    hint: "NaN",
                    apply: |table| table.softmax = softmax_without_maximum,
                },
                Mistake {
                    name: "identity",
                    hint: "",
                    apply: |table| table.softmax = Matrix::clone,
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "gradient of ½‖Wx‖²",
            kind: Kind::Derive,
            difficulty: 3,
            minutes: 10,
            check: gradient,
            mistakes: &[
                Mistake {
                    name: "W not transposed",
                    hint: "panicked",
                    apply: |table| table.gradient = |w, x| w * (w * x),
                },
                Mistake {
                    name: "twice too much",
                    hint: "½",
                    apply: |table| table.gradient = |w, x| w.tr_mul(&(w * x)) * 2.0,
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "a shift that loses the first entry",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 5,
            check: rotated,
            mistakes: &[Mistake {
                name: ORIGINAL_BUG,
                hint: "already overwritten",
                apply: |table| table.rotated = rotated_as_given,
            }],
        })
        .exercise(Exercise {
            number: 5,
            title: "smallest power of two",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 5,
            check: power_of_two,
            mistakes: &[Mistake {
                name: "one too high",
                hint: "",
                apply: |table| table.power_of_two = |n| (n + 1).next_power_of_two(),
            }],
        })
}

fn mean(table: &Table) {
    let x = Matrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 5.0, 8.0, 13.0]);
    assert_close!((table.mean)(&x), [[3.0, 5.0, 8.0]], 1e-6, "mean(x)");
}

fn softmax(table: &Table) {
    let scores = Matrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 3.0_f32.ln()]);
    expect((table.softmax)(&scores), [[0.5, 0.25], [0.5, 0.75]], 1e-6)
        .of("softmax(scores)")
        .given("scores", &scores)
        .or_hint(
            softmax_over_rows(&scores),
            "these are softmaxes over rows: a column is a query, so each column must sum to 1",
        )
        .check();
    expect((table.softmax)(&Matrix::from_element(2, 1, 1000.0)), [0.5, 0.5], 1e-6)
        .of("softmax of large scores")
        .check();
}

fn gradient(table: &Table) {
    let w = Matrix::from_row_slice(3, 2, &[1.0, 2.0, -1.0, 0.5, 0.0, 3.0]);
    let x = Matrix::from_row_slice(2, 1, &[0.5, -2.0]);
    let in_f64 = w.map(f64::from);
    let expected = finite_difference(|x| 0.5 * (&in_f64 * x).norm_squared(), &x);
    expect((table.gradient)(&w, &x), &expected, 1e-5)
        .of("gradient(w, x)")
        .or_hint(&expected * 2.0, "twice the gradient: the ½ cancels the 2 of the square")
        .check();
}

fn rotated(table: &Table) {
    let x = [1.0, 2.0, 3.0];
    expect((table.rotated)(&x), [3.0, 1.0, 2.0], 0.0)
        .of("rotated(x)")
        .given("x", x)
        .or_hint(rotated_as_given(&x), "an entry is read that was already overwritten")
        .check();
}

fn power_of_two(table: &Table) {
    for n in 1..100 {
        let power = (table.power_of_two)(n);
        assert!(
            power >= n && power / 2 < n && power.is_power_of_two(),
            "power_of_two({n}) = {power}"
        );
    }
}

pub fn weak(table: &Table) {
    assert!((table.power_of_two)(3) == 4, "a message");
}

pub fn softmax_over_rows(scores: &Matrix) -> Matrix {
    crate::solutions::softmax(&scores.transpose()).transpose()
}

fn softmax_without_maximum(scores: &Matrix) -> Matrix {
    let mut weights = scores.map(f32::exp);
    for mut column in weights.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    weights
}

fn rotated_as_given(x: &[f32]) -> Vec<f32> {
    let mut y = x.to_vec();
    for i in 1..x.len() {
        y[i] = y[i - 1];
    }
    y[0] = x[x.len() - 1];
    y
}
