//! 7.3 gradient of ½‖Wx‖²

use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference};

use super::Matrix;

pub const EXERCISE: Exercise<fn(&Matrix, &Matrix) -> Matrix> = Exercise {
    check,
    wrong: &[
        wrong("the gradient with respect to x goes back through Wᵀ", |w, x| w * (w * x)),
        wrong("twice the gradient: the ½ cancels the 2 of the square", |w, x| {
            w.tr_mul(&(w * x)) * 2.0
        }),
    ],
};

fn check(gradient: fn(&Matrix, &Matrix) -> Matrix) {
    let w = Matrix::from_row_slice(3, 2, &[1.0, 2.0, -1.0, 0.5, 0.0, 3.0]);
    let x = Matrix::from_row_slice(2, 1, &[0.5, -2.0]);
    let in_f64 = w.map(f64::from);
    let expected = finite_difference(|x| 0.5 * (&in_f64 * x).norm_squared(), &x);
    expect(gradient(&w, &x), &expected, 1e-5).of("gradient(w, x)").check();
}
