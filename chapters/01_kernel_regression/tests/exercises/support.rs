//! What several exercises need.

use kernel_regression::{Float, Matrix};

pub fn columns_normalised(mut weights: Matrix) -> Matrix {
    for mut column in weights.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    weights
}

/// From each column's weighted mean, its own weight and its own value.
pub fn means(
    weights: &Matrix,
    values: &[Float],
    combine: fn(Float, Float, Float) -> Float,
) -> Vec<Float> {
    let all = |j: usize| weights.column(j).iter().zip(values).map(|(a, y)| a * y).sum::<Float>();
    (0..values.len()).map(|j| combine(all(j), weights[(j, j)], values[j])).collect()
}
