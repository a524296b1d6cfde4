//! How a gradient fades on its way back: ‖∂h_T/∂h_t‖ against T − t.

use super::adding::{self, HIDDEN};
use super::config::Config;
use crate::cells::State;
use crate::layers::{Gru, Lstm, Recurrent, Rnn};
use crate::steps::Steps;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, Var, rng};
use std::collections::BTreeMap;
use workbench::study;

pub const LAGS: [usize; 13] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 99];
pub const LENGTH: usize = 100;
/// Over so many sequences the (geometric) mean is taken.
const SEQUENCES: usize = 8;
pub const RADII: [(&str, Float); 3] = [("half", 0.5), ("one", 1.0), ("two", 2.0)];

pub trait Sensitive: Recurrent {
    /// `∂h_T/∂h_t`, transposed: entry (j, i) says how entry `i` of the last state moves with entry
    /// `j` of the state after `past` (2, t), when `future` (2, T − t) follows. The state of an LSTM
    /// is `h` above `c`.
    fn jacobian(&self, past: &Matrix, future: &Matrix) -> Matrix;
}

/// For layers whose state is `h`. `H` copies of the sequence run side by side; copy `i` is asked
/// for the gradient of entry `i` alone, so one backward gives the whole Jacobian.
fn jacobian<'t, L: Recurrent<State<'t> = Var<'t>>>(
    layer: &L,
    tape: &'t Tape,
    past: &Matrix,
    future: &Matrix,
) -> Matrix {
    let (t, copies) = (past.ncols(), layer.weights().hidden());
    let before = layer.forward(tape.constant(past.clone()), &Steps::new(&[t]), None).value();
    let start = tape.leaf(repeat(&before.columns(t - 1, 1).into_owned(), copies)); // (H, H): h_t
    let steps = Steps::new(&vec![future.ncols(); copies]);
    let h = layer.forward(tape.constant(repeat(future, copies)), &steps, Some(start));
    entry_by_entry(h, &steps).backward().wrt(start)
}

/// The sum over all copies `i` of entry `i` of copy `i`'s last state.
fn entry_by_entry<'t>(h: Var<'t>, steps: &Steps) -> Var<'t> {
    let copies = steps.sequences();
    let pick = h.tape().constant(Matrix::identity(copies, copies));
    h.select_columns(&steps.last()).component_mul(pick).sum()
}

/// Every column `count` times: a sequence becomes a packed batch of its copies.
fn repeat(x: &Matrix, count: usize) -> Matrix {
    Matrix::from_fn(x.nrows(), x.ncols() * count, |i, j| x[(i, j / count)])
}

impl Sensitive for Rnn {
    fn jacobian(&self, past: &Matrix, future: &Matrix) -> Matrix {
        jacobian(self, &Tape::new(), past, future)
    }
}

impl Sensitive for Gru {
    fn jacobian(&self, past: &Matrix, future: &Matrix) -> Matrix {
        jacobian(self, &Tape::new(), past, future)
    }
}

impl Sensitive for Lstm {
    fn jacobian(&self, past: &Matrix, future: &Matrix) -> Matrix {
        let (tape, t, copies) = (Tape::new(), past.ncols(), self.weights.hidden());
        let before = self.states(tape.constant(past.clone()), &Steps::new(&[t]), None);
        let start = |x: Var| tape.leaf(repeat(&x.value().columns(t - 1, 1).into_owned(), copies));
        let start = State { h: start(before.h), c: start(before.c) };
        let steps = Steps::new(&vec![future.ncols(); copies]);
        let h = self.forward(tape.constant(repeat(future, copies)), &steps, Some(start));
        let gradients = entry_by_entry(h, &steps).backward();
        let (dh, dc) = (gradients.wrt(start.h), gradients.wrt(start.c));
        let mut both = Matrix::zeros(2 * copies, copies);
        both.rows_mut(0, copies).copy_from(&dh);
        both.rows_mut(copies, copies).copy_from(&dc);
        both
    }
}

/// The largest singular value: by how much the last state moves when the earlier one is moved in
/// the direction that matters most.
pub fn spectral_norm(x: &Matrix) -> Float {
    let largest = x.amax(); // taken out, so that no square underflows
    if largest == 0.0 { 0.0 } else { (x / largest).singular_values().max() * largest }
}

/// The norm at each of [`LAGS`], a geometric mean over sequences. Numbers too small for an `f32`
/// count as 10⁻³⁰.
pub fn norms(layer: &impl Sensitive, seed: u64) -> Vec<Float> {
    let first = (seed as usize).wrapping_mul(2 * SEQUENCES); // even: no training sees these
    let one = |lag: usize, sequence: usize| {
        let (x, _) = adding::example(LENGTH, first.wrapping_add(2 * sequence));
        let (past, future) = (x.columns(0, LENGTH - lag), x.columns(LENGTH - lag, lag));
        spectral_norm(&layer.jacobian(&past.into_owned(), &future.into_owned())).max(1e-30).ln()
    };
    let mean = |lag: usize| {
        let sum: Float = (0..SEQUENCES).map(|sequence| one(lag, sequence)).sum();
        Float::exp(sum / SEQUENCES as Float)
    };
    LAGS.into_iter().map(mean).collect()
}

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

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flow {
    pub lags: Vec<usize>,
    pub fresh: BTreeMap<String, Vec<Float>>,
    pub fresh_radius: Float,
    /// The plain network, by spectral radius: `half`, `one`, `two`.
    pub radius: BTreeMap<String, Vec<Float>>,
    /// By cell, after training on the adding problem of length 100.
    pub trained: BTreeMap<String, Vec<Float>>,
}

pub fn untrained(config: &Config) -> Flow {
    let seed = config.stream(500);
    let rng = || rng(seed);
    let rnn = Rnn::new(2, HIDDEN, &mut rng());
    let short = |norms: Vec<Float>| norms.into_iter().map(study::short).collect();
    let radius =
        |(name, r): (&str, Float)| (name.to_string(), short(norms(&with_radius(r, seed), seed)));
    Flow {
        lags: LAGS.to_vec(),
        fresh: [
            ("rnn", norms(&rnn, seed)),
            ("gru", norms(&Gru::new(2, HIDDEN, &mut rng()), seed)),
            ("lstm", norms(&Lstm::new(2, HIDDEN, &mut rng()), seed)),
        ]
        .map(|(name, norms)| (name.to_string(), short(norms)))
        .into(),
        fresh_radius: study::short(spectral_radius(rnn.weights.weight_h.value())),
        radius: RADII.map(radius).into(),
        trained: BTreeMap::new(),
    }
}
