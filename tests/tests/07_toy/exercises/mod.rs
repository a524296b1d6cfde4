//! Exercises as a learner finds them.
#![allow(unused_variables, unreachable_code)] // until every one is solved

use nalgebra::DMatrix;

/// **7.1 mean of each column – difficulty ●○○, about 1 minute**
///
/// `x` (d, n) → (1, n).
///
/// Hint: `x.column_iter()`.
pub fn mean(x: &DMatrix<f32>) -> DMatrix<f32> {
    todo!()
}

/// **7.2 softmax – difficulty ●●○, about 15 minutes**
///
/// `scores` (m, n) → weights (m, n); each column sums to 1.
///
/// Hint: subtract the column's maximum first.
pub fn softmax(scores: &DMatrix<f32>) -> DMatrix<f32> {
    todo!()
}

/// **7.3 gradient of ½‖Wx‖² – difficulty ●●●, about 10 minutes**
///
/// The gradient with respect to `x` (d, 1), as a column.
///
/// Hint: with y = Wx, dx = Wᵀ dy.
pub fn gradient(w: &DMatrix<f32>, x: &DMatrix<f32>) -> DMatrix<f32> {
    todo!()
}

/// **7.4 a shift that loses the first entry – difficulty ●○○, about 5 minutes**
///
/// Moves the entries one place on; the last comes first.
pub fn rotated(x: &[f32]) -> Vec<f32> {
    todo!("find the bug, then remove this line");
    let mut y = x.to_vec();
    for i in 1..x.len() {
        y[i] = y[i - 1];
    }
    y[0] = x[x.len() - 1];
    y
}

/// **7.5 smallest power of two – difficulty ●○○, about 5 minutes**
///
/// The smallest power of two that is not below `n`.
pub fn power_of_two(n: u32) -> u32 {
    unimplemented!()
}

// **7.6 everything together – difficulty ●○○, about 1 minute**
//
// Nothing to write: 7.1 and 7.5 together.
