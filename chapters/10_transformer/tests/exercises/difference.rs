//! 10.15: what no mean can do.

use crate::solutions;
use crate::support::matrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Difference = fn() -> (Matrix, Vector, Matrix, Vector);

pub fn exercise() -> Exercise<Difference> {
    Exercise {
        number: 15,
        title: "what no mean can do",
        kind: Kind::Construct,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "one direction",
                hint: "the other one is larger",
                answer: || {
                    let (w_1, b_1, mut w_2, b_2) = solutions::difference();
                    w_2[(2, 1)] = 0.0;
                    (w_1, b_1, w_2, b_2)
                },
            },
            Wrong {
                name: "without the bend",
                hint: "never cut",
                answer: || {
                    let (w_1, _, mut w_2, mut b_2) = solutions::difference();
                    w_2[(2, 1)] = 0.0;
                    b_2[2] = -100.0;
                    (w_1, Vector::from_element(2, 100.0), w_2, b_2)
                },
            },
            Wrong {
                name: "the difference of the sizes",
                hint: "its own entry",
                answer: || {
                    let (mut w_1, b_1, w_2, b_2) = solutions::difference();
                    w_1.copy_from(&Matrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
                    (w_1, b_1, w_2, b_2)
                },
            },
            Wrong {
                name: "the entries overwritten",
                hint: "rows 0 and 1",
                answer: || {
                    let (w_1, b_1, mut w_2, b_2) = solutions::difference();
                    w_2[(0, 0)] = -1.0;
                    (w_1, b_1, w_2, b_2)
                },
            },
            Wrong {
                name: "taken away",
                hint: "sign",
                answer: || {
                    let (w_1, b_1, w_2, b_2) = solutions::difference();
                    (w_1, b_1, -w_2, b_2)
                },
            },
            Wrong {
                name: "one bend and a straight line",
                hint: "far apart",
                answer: || {
                    // 2 relu(a − b) − (a − b), the line as relu(a − b + 100) − 100
                    let (mut w_1, mut b_1, mut w_2, mut b_2) = solutions::difference();
                    w_1.row_mut(1).neg_mut();
                    (b_1[1], b_2[2]) = (100.0, 100.0);
                    w_2.copy_from(&Matrix::from_row_slice(3, 2, &[0.0, 0.0, 0.0, 0.0, 2.0, -1.0]));
                    (w_1, b_1, w_2, b_2)
                },
            },
            Wrong {
                name: "a bend beside the middle",
                hint: "nearly alike",
                answer: || {
                    let (w_1, mut b_1, w_2, mut b_2) = solutions::difference();
                    b_1.fill(0.01);
                    b_2[2] = -0.01;
                    (w_1, b_1, w_2, b_2)
                },
            },
            Wrong {
                name: "a third unit",
                hint: "two hidden units",
                answer: || {
                    let (w_1, b_1, w_2, b_2) = solutions::difference();
                    let (w_1, b_1) = (w_1.insert_row(2, 0.0), b_1.push(0.0));
                    (w_1, b_1, w_2.insert_column(2, 0.0), b_2)
                },
            },
        ],
    }
}

fn check(difference: Difference) {
    let (w_1, b_1, w_2, b_2) = difference();
    let shapes = [w_1.shape(), b_1.shape(), w_2.shape(), b_2.shape()];
    assert!(
        shapes == [(2, 3), (2, 1), (3, 2), (3, 1)],
        "W₁, b₁, W₂, b₂ have the shapes {shapes:?}: there are two hidden units and three entries"
    );
    let network = |x: &Matrix| {
        let mut y = x.clone();
        for (x, mut y) in x.column_iter().zip(y.column_iter_mut()) {
            y += &w_2 * (&w_1 * x + &b_1).map(|h| h.max(0.0)) + &b_2;
        }
        y
    };
    let x = matrix(3, 6, 0.4);
    let y = network(&x);
    assert!(
        (y.rows(0, 2) - x.rows(0, 2)).amax() < 1e-4,
        "rows 0 and 1 have changed{y}from{x}hint: what the network adds there must be 0"
    );
    let row = |f: &dyn Fn(f32, f32) -> f32| {
        Matrix::from_fn(1, 6, |_, i| x[(2, i)] + f(x[(0, i)], x[(1, i)]))
    };
    expect(y.rows(2, 1).into_owned(), row(&|a, b| (a - b).abs()), 1e-3)
        .of("row 2 of x + W₂ relu(W₁ x + b₁) + b₂")
        .given("x", &x)
        .or_hint(row(&|a, b| (a - b).max(0.0)), "and where the other one is larger?")
        .or_hint(row(&|a, b| (b - a).max(0.0)), "and where the other one is larger?")
        .or_hint(row(&|a, b| a - b), "this is linear: the relu has never cut anything off")
        .or_hint(row(&|a, b| -(a - b).abs()), "the sign: the distance was taken away")
        .or_hint(
            row(&|a, b| a.max(0.0) + b.max(0.0)),
            "each unit looks at its own entry: let each see both",
        )
        .check();
    for (a, b, why) in [
        (0.5, 0.25, "the third entry is only added to: no unit reads it"),
        (0.5, 0.5, "this should hold where the two are alike or nearly alike, too"),
        (0.5, 0.501, "this should hold where the two are alike or nearly alike, too"),
        (-30_000.0, 10_000.0, "this should hold where the two are far apart, too"),
        (30_000.0, -10_000.0, "this should hold where the two are far apart, too"),
    ] {
        let y = network(&Matrix::from_column_slice(3, 1, &[a, b, 128.0]));
        let right = 128.0 + (a - b).abs();
        assert!(
            (y[2] - right).abs() < 1e-3 + 1e-6 * right,
            "of the token ({a}, {b}, 128), the last entry becomes {} instead of {right}\nhint: {why}",
            y[2]
        );
    }
}
