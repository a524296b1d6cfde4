//! Normal numbers and shares.

use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, Rng};
use std::collections::BTreeMap;

pub fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

pub fn share(so: impl IntoIterator<Item = bool>) -> Float {
    let so: Vec<bool> = so.into_iter().collect();
    so.iter().filter(|so| **so).count() as Float / so.len().max(1) as Float
}

/// How far `y` is from `x`, as a share of `x`: ‖y − x‖/‖x‖.
pub fn change(x: &Matrix, y: &Matrix) -> Float {
    (y - x).norm() / x.norm()
}

/// What occurs most often; of several, the largest.
pub fn commonest<T: Ord>(all: impl IntoIterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    all.into_iter().for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(one, _)| one)
}
