//! Normal numbers and medians.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix};

pub(super) fn normal(rows: usize, columns: usize, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

pub(super) fn median(mut x: Vec<Float>) -> Float {
    x.sort_by(Float::total_cmp);
    (x[(x.len() - 1) / 2] + x[x.len() / 2]) / 2.0
}
