//! Weights with which points attend to the others, right and wrong, for 2.1 and 2.3.

use shared::Matrix;

pub fn scored(u: f32, w: f32) -> f32 {
    -0.5 * (u * w) * (u * w)
}

pub fn others(x: &[f32], score: impl Fn(f32) -> f32, itself: bool) -> Matrix {
    let mut alpha = Matrix::from_fn(x.len(), x.len(), |i, j| match i == j && !itself {
        true => f32::NEG_INFINITY,
        false => score(x[j] - x[i]),
    });
    for mut column in alpha.column_iter_mut() {
        shared::elementwise::softmax(column.as_mut_slice());
    }
    alpha
}

pub fn hidden_by_place(x: &[f32], w: f32) -> Matrix {
    let hide = |u: f32| if u == 0.0 { f32::NEG_INFINITY } else { scored(u, w) };
    others(x, hide, false)
}
