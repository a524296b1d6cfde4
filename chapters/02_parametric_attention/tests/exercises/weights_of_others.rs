//! 2.1 attending to the others: hidden before the softmax, and by index

use super::solutions;
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type WeightsOfOthers = fn(&[f32], f32) -> Matrix;

pub const EXERCISE: Exercise<WeightsOfOthers> = Exercise {
    check,
    wrong: &[
        wrong("each point sees itself: give its own score −∞", |x, w| {
            hidden(x, w, |_, _| false)
        }),
        wrong("hide before the softmax: columns sum to 1", |x, w| {
            let mut alpha = hidden(x, w, |_, _| false);
            alpha.fill_diagonal(0.0);
            alpha
        }),
        wrong("two points may share an x: hide by index", |x, w| hidden(x, w, |xi, xj| xi == xj)),
        wrong("w stands inside the square", |x, w| solutions::weights_of_others(x, w.sqrt())),
        wrong("the ½ is missing", |x, w| solutions::weights_of_others(x, w * 2_f32.sqrt())),
        wrong("column j is point j's: each column must sum to 1", |x, w| {
            solutions::weights_of_others(x, w).transpose()
        }),
    ],
};

fn check(weights_of_others: WeightsOfOthers) {
    for (x, w) in [
        (&[0.0, 1.0, 1.5, 4.0][..], 0.8),
        (&[0.0, 1.0, 100.0], 50.0),
        (&[0.0, 1000.0], 100.0), // a score of −5·10⁹
        (&[1.0, 2.5, 1.0, 0.0], 0.8),
    ] {
        expect(weights_of_others(x, w), solutions::weights_of_others(x, w), 1e-5)
            .of(format!("weights_of_others({x:?}, {w})"))
            .check();
    }
}

/// A softmax without the pairs that are hidden.
fn hidden(x: &[f32], w: f32, hide: fn(f32, f32) -> bool) -> Matrix {
    let mut alpha = Matrix::from_fn(x.len(), x.len(), |i, j| {
        if hide(x[i], x[j]) { f32::NEG_INFINITY } else { -0.5 * ((x[j] - x[i]) * w).powi(2) }
    });
    softmax_columns(&mut alpha);
    alpha
}
