//! Uneven matrices, and attention as the checks compute it.

use shared::{Matrix, Operand, product};

/// Uneven numbers in −2 … 2, no two columns alike.
pub fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 2.0 * (1.7 * i as f32 + 2.9 * j as f32 + phase).sin())
}

/// Nothing equals NaN, so `or_hint` cannot recognise it: the hint for an infinite or undefined entry.
#[track_caller]
pub fn finite(found: &Matrix, call: &str, given: &[(&str, &Matrix)], hint: &str) {
    let given: String = given.iter().map(|(name, value)| format!("given {name}{value}")).collect();
    assert!(
        found.iter().all(|x| x.is_finite()),
        "{call} has entries that are not finite\nactual{found}{given}hint: {hint}"
    );
}

pub fn softmax(scores: &Matrix) -> Matrix {
    let mut weights = scores.clone();
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|s| *s = (*s - max).exp());
        column /= column.sum();
    }
    weights
}

pub fn weights(q: &Matrix, k: &Matrix) -> Matrix {
    softmax(&(product(&k.t(), q) / (q.nrows() as f32).sqrt()))
}

/// By the exponentials of the scores as they are, which may be infinite.
pub fn unstable_weights(q: &Matrix, k: &Matrix) -> Matrix {
    let mut weights = (product(&k.t(), q) / (q.nrows() as f32).sqrt()).map(f32::exp);
    for mut column in weights.column_iter_mut() {
        column /= column.sum();
    }
    weights
}
