//! What the gates of a trained GRU do.

use super::adding::{self, HIDDEN};
use super::config::Config;
use super::flow::LENGTH;
use crate::layers::{Gru, Recurrent};
use crate::steps::Steps;
use serde::{Deserialize, Serialize};
use shared::{Matrix, Tape};
use workbench::error::Result;
use workbench::study::significant as short;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gates {
    /// Of one test sequence, at every token: the mean of `z` over the units that keep most.
    pub kept: Vec<f64>,
    /// The tokens of this sequence that are marked.
    pub marks: Vec<usize>,
}

/// Test sequences whose gates are looked at, and the units that keep most where nothing is marked.
const LOOKED_AT: usize = 64;
const MOST: usize = 8;

pub fn measure(config: &Config) -> Result<Gates> {
    let (model, _) = adding::learn::<Gru>(LENGTH, config.steps, config.stream(0))?;
    let seeds: Vec<usize> = (0..LOOKED_AT).map(|i| 2 * i).collect();
    let (x, steps, _) = adding::batch(LENGTH, &seeds);
    let z = kept(&model.layer, &x, &steps);
    let unmarked: Vec<usize> = (0..steps.tokens()).filter(|j| x[(1, *j)] == 0.0).collect();
    let keeps = |unit: usize| unmarked.iter().map(|j| f64::from(z[(unit, *j)])).sum::<f64>();
    let mut units: Vec<usize> = (0..HIDDEN).collect();
    units.sort_by(|a, b| keeps(*b).total_cmp(&keeps(*a)));
    let first = |t: usize| steps.column(0, t);
    let mean = |t| {
        let most = units[..MOST].iter().map(|unit| f64::from(z[(*unit, first(t))]));
        short(most.sum::<f64>() / MOST as f64)
    };
    let marks = (0..steps.len()).filter(|t| x[(1, first(*t))] == 1.0).collect();
    Ok(Gates { kept: (0..steps.len()).map(mean).collect(), marks })
}

/// The gate `z` (H, N) at every token of packed sequences of one length.
fn kept(gru: &Gru, x: &Matrix, steps: &Steps) -> Matrix {
    let tape = Tape::without_gradients();
    let x = tape.constant(x.clone());
    let h = gru.forward(x, steps, None).value();
    let mut before = Matrix::zeros(HIDDEN, steps.tokens()); // h_{t−1}
    let (sequences, later) = (steps.sequences(), steps.tokens() - steps.sequences());
    before.columns_mut(sequences, later).copy_from(&h.columns(0, later));
    let gates = gru.weights().on(&tape);
    let (p, q) = (gates.project(x), gates.recur(tape.constant(before))); // r, z, n: 3H rows
    Matrix::clone(&(p.rows(HIDDEN, HIDDEN) + q.rows(HIDDEN, HIDDEN)).sigmoid().value())
}
