//! How a gradient fades on its way back: ‖∂h_T/∂h_t‖ against T − t.

use crate::adding::{self, HIDDEN};
use crate::layers::{Recurrent, Rnn};
use crate::steps::Steps;
use shared::{Float, Matrix, Tape, Var, rng};

/// The distances T − t.
pub const LAGS: [usize; 13] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 99];
/// Tokens of the sequences.
pub const LENGTH: usize = 100;
/// Over so many sequences the (geometric) mean is taken.
const SEQUENCES: usize = 8;

/// `∂h_T/∂h_t`, transposed: entry (j, i) says how entry `i` of the last state moves with entry `j` of
/// the state after `past` (2, t), when `future` (2, T − t) follows.
///
/// `H` copies of the sequence run side by side; copy `i` is asked for the gradient of entry `i` alone,
/// so one backward pass gives the whole Jacobian.
fn jacobian<L>(layer: &L, past: &Matrix, future: &Matrix) -> Matrix
where
    L: for<'t> Recurrent<State<'t> = Var<'t>>,
{
    let (tape, t, copies) = (Tape::new(), past.ncols(), layer.weights().hidden());
    let repeat = |x: &Matrix| {
        Matrix::from_fn(x.nrows(), x.ncols() * copies, |i, j| x[(i, j / copies)]) // packed
    };
    let before = layer.forward(tape.constant(past.clone()), &Steps::new(&[t]), None).value();
    let start = tape.leaf(repeat(&before.columns(t - 1, 1).into_owned())); // (H, H): h_t
    let steps = Steps::new(&vec![future.ncols(); copies]);
    let h = layer.forward(tape.constant(repeat(future)), &steps, Some(start));
    let pick = tape.constant(Matrix::identity(copies, copies));
    h.select_columns(&steps.last()).component_mul(pick).sum().backward().wrt(start)
}

/// The largest singular value: by how much the last state moves when the earlier one is moved in
/// the direction that matters most.
pub fn spectral_norm(x: &Matrix) -> Float {
    let largest = x.amax(); // taken out, so that no square underflows
    if largest == 0.0 { 0.0 } else { (x / largest).singular_values().max() * largest }
}

/// The norm at each of [`LAGS`], a geometric mean over sequences. Numbers too small for an `f32`
/// count as 10⁻³⁰.
pub fn norms<L>(layer: &L, seed: u64) -> Vec<Float>
where
    L: for<'t> Recurrent<State<'t> = Var<'t>>,
{
    let first = (seed as usize).wrapping_mul(2 * SEQUENCES); // even: no training sees these
    let means = LAGS.into_iter().map(|lag| {
        let logarithms = (0..SEQUENCES).map(|sequence| {
            let (x, _) = adding::example(LENGTH, first.wrapping_add(2 * sequence));
            let (past, future) = (x.columns(0, LENGTH - lag), x.columns(LENGTH - lag, lag));
            let jacobian = jacobian(layer, &past.into_owned(), &future.into_owned());
            spectral_norm(&jacobian).max(1e-30).ln()
        });
        Float::exp(logarithms.sum::<Float>() / SEQUENCES as Float)
    });
    means.collect()
}

/// The largest absolute value among the eigenvalues.
pub fn spectral_radius(u: &Matrix) -> Float {
    u.complex_eigenvalues().iter().map(|z| z.norm()).fold(0.0, Float::max)
}

/// A plain layer whose `U` is scaled to the given spectral radius.
pub fn with_radius(radius: Float, seed: u64) -> Rnn {
    let mut layer = Rnn::new(2, HIDDEN, &mut rng(seed));
    let u = layer.weights.weight_h.value_mut();
    let scale = radius / spectral_radius(u);
    *u *= scale;
    layer
}
