//! Solutions, in the exercises' order.

use nalgebra::DMatrix;

/// Each column's mean.
pub fn mean(x: &DMatrix<f32>) -> DMatrix<f32> {
    DMatrix::from_fn(1, x.ncols(), |_, column| x.column(column).mean())
}

/// Softmax down each column.
pub fn softmax(scores: &DMatrix<f32>) -> DMatrix<f32> {
    let mut weights = scores.clone();
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|score| *score = (*score - max).exp());
        let sum = column.sum();
        column /= sum;
    }
    weights
}

/// dx = Wᵀ W x.
pub fn gradient(w: &DMatrix<f32>, x: &DMatrix<f32>) -> DMatrix<f32> {
    w.tr_mul(&(w * x))
}

/// Goes from the back, so that no entry is read after it was written.
pub fn rotated(x: &[f32]) -> Vec<f32> {
    let mut y = x.to_vec();
    y.rotate_right(1);
    y
}

/// 1, 2, 4, …
pub fn power_of_two(n: u32) -> u32 {
    n.next_power_of_two()
}
