//! 10.15: what no mean can do.

use super::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type Difference = fn() -> (Matrix, Vector, Matrix, Vector);

pub const EXERCISE: Exercise<Difference> = Exercise {
    check,
    wrong: &[
        wrong("and where the other one is larger?", || {
            let (w_1, b_1, mut w_2, b_2) = solutions::difference();
            w_2[(2, 1)] = 0.0;
            (w_1, b_1, w_2, b_2)
        }),
        wrong("this is linear: the relu has never cut anything off", || {
            let (w_1, b_1, mut w_2, mut b_2) = solutions::difference();
            w_2[(2, 1)] = 0.0;
            b_2[2] = -100.0;
            (w_1, b_1.add_scalar(100.0), w_2, b_2)
        }),
        wrong("each unit looks at its own entry: let each see both", || {
            let (w_1, b_1, w_2, b_2) = solutions::difference();
            (w_1.map(|w| w.max(0.0)), b_1, w_2, b_2)
        }),
        wrong("what the network adds in rows 0 and 1 must be 0", || {
            let (w_1, b_1, mut w_2, b_2) = solutions::difference();
            w_2[(0, 0)] = -1.0;
            (w_1, b_1, w_2, b_2)
        }),
        wrong("the sign: the distance was taken away", || {
            let (w_1, b_1, w_2, b_2) = solutions::difference();
            (w_1, b_1, -w_2, b_2)
        }),
        wrong("this should hold where the two are far apart, too", || {
            // 2 relu(a − b) − (a − b), the line as relu(a − b + 100) − 100
            let (mut w_1, mut b_1, mut w_2, mut b_2) = solutions::difference();
            w_1.row_mut(1).neg_mut();
            (b_1[1], b_2[2]) = (100.0, 100.0);
            (w_2[(2, 0)], w_2[(2, 1)]) = (2.0, -1.0);
            (w_1, b_1, w_2, b_2)
        }),
        wrong("this should hold where the two are alike or nearly alike, too", || {
            let (w_1, b_1, w_2, mut b_2) = solutions::difference();
            b_2[2] = -0.01;
            (w_1, b_1.add_scalar(0.01), w_2, b_2)
        }),
    ],
};

fn check(difference: Difference) {
    let (w_1, b_1, w_2, b_2) = difference();
    let shapes = [w_1.shape(), b_1.shape(), w_2.shape(), b_2.shape()];
    assert!(
        shapes == [(2, 3), (2, 1), (3, 2), (3, 1)],
        "W₁, b₁, W₂, b₂ have the shapes {shapes:?}: there are two hidden units and three entries"
    );
    let token = |a, b| Matrix::from_column_slice(3, 1, &[a, b, 128.0]);
    for x in [
        uneven(3, 6, 0.4),
        token(0.5, 0.25), // no unit reads the third entry
        token(0.5, 0.5),
        token(0.5, 0.501),
        token(-30_000.0, 10_000.0),
        token(30_000.0, -10_000.0),
    ] {
        let (mut y, mut right) = (x.clone(), x.clone());
        for (i, x) in x.column_iter().enumerate() {
            let added = &w_2 * (&w_1 * x + &b_1).map(|h| h.max(0.0)) + &b_2;
            y.set_column(i, &(x + added));
            right[(2, i)] += (x[0] - x[1]).abs();
        }
        expect(y, right, 1e-5).of("x + W₂ relu(W₁ x + b₁) + b₂").given("x", x).check();
    }
}
