//! Derivatives the slow way: the oracle of every backward.

use approx::RelativeEq;

use crate::tape::{Tape, Var};
use products::{Float, Matrix};

// ANCHOR: finite_differences
/// The gradient of a scalar function by central differences, one entry at a time:
/// `∂f/∂xᵢ ≈ (f(x + hᵢ) − f(x − hᵢ))/2h`.
///
/// The error is of order h² from the formula plus ε/h from rounding, so the best h is near `∛ε`: in
/// `f64` about ten correct digits, in `f32` about four – which is why the course's gradient checks
/// run in `f64`.
///
/// ```
/// use shared::{Matrix, finite_differences};
/// let x = Matrix::from_column_slice(2, 1, &[1.0, 3.0]);
/// let gradient = finite_differences(|x| x[0] * x[0] + 2.0 * x[1], &x);
/// approx::assert_abs_diff_eq!(gradient, Matrix::from_element(2, 1, 2.0), epsilon = 1e-2);
/// ```
pub fn finite_differences(f: impl Fn(&Matrix) -> Float, x: &Matrix) -> Matrix {
    let mut gradient = Matrix::zeros(x.nrows(), x.ncols());
    let mut moved = x.clone();
    for i in 0..x.len() {
        let h = Float::EPSILON.cbrt() * x[i].abs().max(1.0);
        moved[i] = x[i] + h;
        let above = f(&moved);
        moved[i] = x[i] - h;
        let below = f(&moved);
        moved[i] = x[i];
        gradient[i] = (above - below) / (2.0 * h);
    }
    gradient
}
// ANCHOR_END: finite_differences

/// Compares the tape's gradients of `f` with finite differences, for every input.
///
/// `f` receives a tape and the inputs as leaves and returns a value of any shape. To reduce it to a
/// loss without favouring any entry, the value is weighted with fixed uneven numbers and summed.
///
/// ```
/// use shared::{Matrix, check_gradients};
/// let inputs = [Matrix::from_element(2, 3, 0.5), Matrix::from_element(3, 2, -0.25)];
/// check_gradients(&inputs, 1e-2, |_tape, x| (x[0] * x[1]).tanh());
/// ```
///
/// # Panics
/// When an entry differs by more than `tolerance·(1 + |expected|)`, is NaN, or is infinite where the
/// other is not; the message names the input, the entry and both numbers. Also when every gradient
/// is zero, since then nothing was checked.
pub fn check_gradients(
    inputs: &[Matrix],
    tolerance: Float,
    f: impl for<'t> Fn(&'t Tape, &[Var<'t>]) -> Var<'t>,
) {
    let (_, analytic) = weighted_sum(&f, inputs);
    for (k, x) in inputs.iter().enumerate() {
        let of_input = |moved: &Matrix| {
            let mut inputs = inputs.to_vec();
            inputs[k] = moved.clone();
            weighted_sum(&f, &inputs).0
        };
        let expected = finite_differences(of_input, x);
        for i in 0..x.len() {
            let (found, expected) = (analytic[k][i], expected[i]);
            let allowed = tolerance * (1.0 + expected.abs());
            assert!(
                found.relative_eq(&expected, allowed, 0.0),
                "input {k} {:?}, entry {i}: backward gives {found}, differences {expected}",
                x.shape()
            );
        }
    }
    assert!(analytic.iter().any(|d| d.amax() > 0.0), "all gradients are zero: nothing was checked");
}

/// The weighted sum of all entries of `f`, and its gradient with respect to every input.
fn weighted_sum(
    f: &impl for<'t> Fn(&'t Tape, &[Var<'t>]) -> Var<'t>,
    inputs: &[Matrix],
) -> (Float, Vec<Matrix>) {
    let tape = Tape::new();
    let leaves: Vec<Var> = inputs.iter().map(|x| tape.leaf(x.clone())).collect();
    let y = f(&tape, &leaves);
    let (rows, columns) = y.shape();
    let uneven = Matrix::from_fn(rows, columns, |i, j| ((1 + i + 3 * j) as Float).sin() + 0.3);
    let loss = y.component_mul(tape.constant(uneven)).sum();
    let value = loss.scalar();
    let gradients = loss.backward();
    (value, leaves.iter().map(|x| gradients.wrt(*x)).collect())
}
