//! What the tape costs.

use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use shared::{Linear, Matrix, Tape, Var};
use std::time::Instant;

/// Times on the machine and day that `where_and_when` names; no test compares these.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub where_and_when: String,
    /// Nanoseconds for an operation on a single number, there and back.
    pub operation_ns: f64,
    /// Milliseconds of a network's forward pass, without gradients.
    pub forward_ms: f64,
    /// Milliseconds of its forward and backward pass.
    pub both_ms: f64,
    pub ratio: f64,
}

/// Times the tape: a long chain of small operations, and six layers of 512 × 512 with 512 tokens.
pub fn time(where_and_when: &str) -> Measured {
    const CHAIN: usize = 100_000;
    let chain = best_of(20, || {
        let tape = Tape::new();
        let x = tape.leaf(Matrix::from_element(1, 1, 1.0));
        (0..CHAIN).fold(x, |y, _| y * 1.0).backward().wrt(x)
    });
    let rng = &mut shared::rng(0);
    let layers: Vec<Linear> = (0..6).map(|_| Linear::without_bias(512, 512, rng)).collect();
    let tokens = Matrix::from_fn(512, 512, |_, _| StandardNormal.sample(rng));
    fn network<'t>(tape: &'t Tape, layers: &[Linear], tokens: &Matrix) -> Var<'t> {
        let x = tape.constant(tokens.clone());
        layers.iter().fold(x, |x, layer| layer.forward(x).tanh()).square().sum()
    }
    let forward = best_of(20, || network(&Tape::without_gradients(), &layers, &tokens).scalar());
    let both = best_of(20, || network(&Tape::new(), &layers, &tokens).backward());
    Measured {
        where_and_when: where_and_when.to_owned(),
        operation_ns: chain * 1e9 / CHAIN as f64,
        forward_ms: forward * 1e3,
        both_ms: both * 1e3,
        ratio: both / forward,
    }
}

fn best_of<T>(runs: usize, run: impl Fn() -> T) -> f64 {
    let seconds = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(seconds).fold(f64::INFINITY, f64::min)
}
