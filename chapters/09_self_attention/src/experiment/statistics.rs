//! Normal numbers, means, shares, and numbers short enough to be read.

use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, Rng};
use workbench::study::{Spread, significant};

/// Independent standard normal entries.
pub fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

/// Four digits: results are read by people.
pub fn short(x: Float) -> Float {
    significant(x.into()) as Float
}

/// A number for each seed.
pub fn spread(numbers: impl IntoIterator<Item = Float>) -> Spread {
    Spread::by(significant, numbers.into_iter().map(f64::from))
}

/// What share of some things is so.
pub fn share(so: impl IntoIterator<Item = bool>) -> Float {
    let so: Vec<bool> = so.into_iter().collect();
    so.iter().filter(|so| **so).count() as Float / so.len().max(1) as Float
}

/// The mean.
pub fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// How far `y` is from `x`, as a share of `x`: ‖y − x‖/‖x‖.
pub fn change(x: &Matrix, y: &Matrix) -> Float {
    (y - x).norm() / x.norm()
}
