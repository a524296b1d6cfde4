//! How a gradient reaches back through self-attention: ‖∂y_T/∂x_t‖ against T − t.

use super::asker::Asker;
use recurrent_networks::Steps;
use recurrent_networks::program::adding::example;
use recurrent_networks::program::flow::{LAGS, spectral_norm};
use scoring_functions::Segments;
use shared::{Float, Matrix, Tape};

/// Over so many sequences the geometric mean is taken, as in chapter 4.
const SEQUENCES: usize = 8;

/// `∂y_T/∂x_t`, transposed, for every t: how the last column of the layer's result moves with the
/// token at `t`. One backward pass for each entry of the result reaches all tokens.
fn jacobians(model: &Asker, sequence: &Matrix) -> Vec<Matrix> {
    let n = sequence.ncols();
    let tape = Tape::without_gradients();
    let (x, _) = model.tokens(tape.constant(sequence.clone()), &Steps::new(&[n]));
    let x = x.value(); // (d_model, n)
    let entry = |i: usize| {
        let tape = Tape::new();
        let x = tape.leaf(x.clone());
        let y = model.attention.forward(x.columns(n - 1, 1), x, &Segments::single(1, n)); // (d_model, 1)
        y.rows(i, 1).sum().backward().wrt(x) // (d_model, n)
    };
    let entries: Vec<Matrix> = (0..x.nrows()).map(entry).collect();
    let at = |t: usize| Matrix::from_fn(x.nrows(), x.nrows(), |j, i| entries[i][(j, t)]);
    (0..n).map(at).collect()
}

/// The norm at each of chapter 4's distances, where the sequence is long enough; a geometric mean
/// over sequences. In sequences longer than 100 the last number is the first token's.
pub fn norms(model: &Asker, length: usize, seed: u64) -> Vec<Float> {
    let first = (seed as usize).wrapping_mul(2 * SEQUENCES); // even: no training sees these
    let last = LAGS.into_iter().filter(|lag| *lag < length - 1).chain([length - 1]);
    let lags: Vec<usize> = last.collect();
    let mut logarithms = vec![0.0; lags.len()];
    for sequence in 0..SEQUENCES {
        let (x, _) = example(length, first.wrapping_add(2 * sequence));
        let jacobians = jacobians(model, &x);
        for (sum, lag) in logarithms.iter_mut().zip(&lags) {
            *sum += logarithm(&jacobians[length - 1 - lag]);
        }
    }
    logarithms.into_iter().map(|sum| (sum / SEQUENCES as Float).exp()).collect()
}

pub fn norm_at_marks(model: &Asker, length: usize, seed: u64) -> Float {
    let first = (seed as usize).wrapping_mul(2 * SEQUENCES);
    let mut sum = 0.0;
    for sequence in 0..SEQUENCES {
        let (x, _) = example(length, first.wrapping_add(2 * sequence));
        let jacobians = jacobians(model, &x);
        let marked = (0..length).filter(|t| x[(1, *t)] == 1.0);
        sum += marked.map(|t| logarithm(&jacobians[t])).sum::<Float>();
    }
    (sum / (2 * SEQUENCES) as Float).exp()
}

/// The logarithm of the norm. Numbers too small for an `f32` count as 10⁻³⁰.
fn logarithm(jacobian: &Matrix) -> Float {
    spectral_norm(jacobian).max(1e-30).ln()
}
