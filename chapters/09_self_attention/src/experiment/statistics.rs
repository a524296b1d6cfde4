//! Normal numbers, means, and numbers short enough to be read.

use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, Rng};

/// Independent standard normal entries.
pub fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

/// Four digits: results are read by people.
pub fn short(x: Float) -> Float {
    format!("{x:.3e}").parse().expect("a number that was printed")
}

/// The mean.
pub fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// How far `y` is from `x`, as a share of `x`: ‖y − x‖/‖x‖.
pub fn change(x: &Matrix, y: &Matrix) -> Float {
    (y - x).norm() / x.norm()
}
