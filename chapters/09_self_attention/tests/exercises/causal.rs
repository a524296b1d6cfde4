//! 9.4: as if it ended here.

use super::support::{finite, scores, softmax, uneven};
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Causal = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<Causal> {
    Exercise {
        number: 4,
        title: "as if it ended here",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "no mask",
                hint: "sees all",
                answer: |q, k, v| masked(q, k, v, |_, _, s| s),
            },
            Wrong { name: "sees what comes", hint: "other triangle", answer: other_triangle },
            Wrong { name: "scores of 0", hint: "e⁰", answer: zeros },
            Wrong { name: "zeros behind the softmax", hint: "sum to 1", answer: zeroed },
            Wrong {
                name: "exponentials of scores as they are",
                hint: "infinite or 0",
                answer: |q, k, v| {
                    let s = scores(q, k);
                    let mut alpha = keep(s.map(f32::exp));
                    for mut column in alpha.column_iter_mut() {
                        let sum = column.sum();
                        column /= sum;
                    }
                    product(v, &alpha)
                },
            },
            Wrong {
                name: "√d forgotten",
                hint: "divided by √d",
                answer: |q, k, v| right(&(q * (q.nrows() as f32).sqrt()), k, v),
            },
            Wrong {
                name: "hidden scores as low as seen ones",
                hint: "−∞",
                answer: |q, k, v| masked(q, k, v, |i, j, s| if i > j { -1000.0 } else { s }),
            },
            Wrong {
                name: "not negative enough",
                hint: "−∞",
                answer: |q, k, v| masked(q, k, v, |i, j, s| if i > j { s - 100.0 } else { s }),
            },
        ],
    }
}

fn check(causal: Causal) {
    for (d, d_v, n) in [(3, 2, 4), (4, 5, 6), (2, 2, 1)] {
        let [q, k, v] =
            [(d, 0.4), (d, 1.3), (d_v, 2.0)].map(|(rows, phase)| uneven(rows, n, phase));
        let mut expectation = {
            let found = causal(&q, &k, &v);
            finite(
                &found,
                "causal(q, k, v)",
                "the first token sees its own key: nobody sees nothing",
            );
            expect(found, right(&q, &k, &v), 1e-5)
        }
        .of("causal(q, k, v)")
        .given("q", &q)
        .given("k", &k)
        .given("v", &v);
        if n > 1 {
            expectation = expectation
                .or_hint(masked(&q, &k, &v, |_, _, s| s), "every token sees all: nothing is hidden")
                .or_hint(
                    other_triangle(&q, &k, &v),
                    "the other triangle: column i of the scores belongs to query i, and it sees the rows 0..=i",
                )
                .or_hint(zeros(&q, &k, &v), "a score of 0 hides nothing: e⁰ is 1")
                .or_hint(
                    right(&(&q * (d as f32).sqrt()), &k, &v),
                    "the scores are not divided by √d, or the queries are too large",
                )
                .or_hint(
                    right(&of_values(&q, &v), &k, &v),
                    "√d, with d the rows of the queries and keys, not of the values",
                )
                .or_hint(strictly_before(&q, &k, &v), "a token sees its own key, too")
                .or_hint(
                    zeroed(&q, &k, &v),
                    "the weights of a token no longer sum to 1: hide scores before the softmax",
                );
        }
        expectation.check();
    }
    // A hidden score of 1000, then a thousand between the seen ones.
    let q = Matrix::from_row_slice(1, 3, &[10.0, 10.0, 10.0]);
    let v = Matrix::from_row_slice(1, 3, &[1.0, 2.0, 4.0]);
    for (k, right, what) in [
        ([0.1, 0.1, 100.0], [1.0, 1.5, 4.0], "scores 1, 1 and 1000"),
        ([-100.0, -100.0, 100.0], [1.0, 1.5, 4.0], "scores −1000, −1000 and 1000"),
        // Seen ones that are large and near, beside one that is far below.
        ([99.9, 100.0, -100.0], [1.0, 1.731_058_6, 1.731_058_6], "scores 999, 1000 and −1000"),
    ] {
        let found = causal(&q, &Matrix::from_row_slice(1, 3, &k), &v);
        let hint = "a sum of exponentials is infinite or 0: hide before the softmax, and subtract the largest \
                    of the scores that are seen";
        finite(&found, &format!("causal(q, k, v) with {what}"), hint);
        expect(&found, [right], 1e-5)
            .of(format!("causal(q, k, v) with {what}"))
            .given("v", &v)
            .or_hint(
                [[4.0; 3]],
                "a hidden score of 1000 less something finite may still be the largest: only −∞ is below all",
            )
            .or_hint(
                [[7.0 / 3.0, 7.0 / 3.0, 4.0]],
                "a hidden score of −1000 is no smaller than seen ones of −1000: only −∞ is below all",
            )
            .or_hint(
                [[3.0, 4.0, 4.0]],
                "a hidden score of −100 lies above seen ones of −1000: only −∞ is below all",
            )
            .check();
    }
}

fn masked(q: &Matrix, k: &Matrix, v: &Matrix, change: fn(usize, usize, f32) -> f32) -> Matrix {
    let s = scores(q, k);
    let s = Matrix::from_fn(s.nrows(), s.ncols(), |i, j| change(i, j, s[(i, j)]));
    product(v, &softmax(s))
}

const HIDDEN: f32 = f32::NEG_INFINITY;

fn right(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    masked(q, k, v, |i, j, s| if i > j { HIDDEN } else { s })
}

fn other_triangle(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    masked(q, k, v, |i, j, s| if i < j { HIDDEN } else { s })
}

fn zeros(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    masked(q, k, v, |i, j, s| if i > j { 0.0 } else { s })
}

fn strictly_before(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    masked(q, k, v, |i, j, s| if i >= j { HIDDEN } else { s })
}

fn zeroed(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &keep(softmax(scores(q, k))))
}

/// The queries for which dividing by √d gives what dividing by the root of the values' rows would.
fn of_values(q: &Matrix, v: &Matrix) -> Matrix {
    q * (q.nrows() as f32 / v.nrows() as f32).sqrt()
}

/// The upper triangle.
fn keep(alpha: Matrix) -> Matrix {
    Matrix::from_fn(alpha.nrows(), alpha.ncols(), |i, j| if i > j { 0.0 } else { alpha[(i, j)] })
}
