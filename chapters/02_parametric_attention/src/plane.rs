//! Points in a plane of which one direction says nothing.

use kernel_regression::data::truth;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, Rng};

/// Inputs x (2, n) and values (1, n): the textbook's curve along x₁; x₂ ~ U(0, 5) says nothing.
/// Inputs are measured from the middle of the square and turned by `angle`.
pub fn plane_points(count: usize, noise: Float, angle: Float, rng: &mut Rng) -> (Matrix, Matrix) {
    let place = Matrix::from_fn(2, count, |_, _| (5.0 * rng.random::<f64>()) as Float);
    let normal = Matrix::from_fn(1, count, |_, _| StandardNormal.sample(rng));
    let y = Matrix::from_fn(1, count, |_, j| truth(place[(0, j)]) + noise * normal[(0, j)]);
    let (sin, cos) = angle.to_radians().sin_cos();
    let turn = Matrix::from_row_slice(2, 2, &[cos, -sin, sin, cos]);
    (turn * place.add_scalar(-2.5), y)
}
