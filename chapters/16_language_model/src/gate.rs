//! The feed-forward network with a gate: SwiGLU.

use shared::elementwise::sigmoid;
use shared::{Linear, Module, Rng, Var, Visitor};

/// `x·σ(x)` of every entry (SiLU, Elfwing et al. 2018; also called swish), whose derivative is `σ + xσ(1 − σ)`.
///
/// ```
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let y = language_model::silu(tape.constant(Matrix::from_column_slice(3, 1, &[-20.0, 0.0, 20.0]))).value();
/// assert!(y[0].abs() < 1e-6 && y[1] == 0.0 && (y[2] - 20.0).abs() < 1e-6);
/// ```
// ANCHOR: silu
pub fn silu(x: Var<'_>) -> Var<'_> {
    let derivative = |x, _| sigmoid(x) * (1.0 + x * (1.0 - sigmoid(x)));
    x.entrywise(|x| x * sigmoid(x), derivative)
}
// ANCHOR_END: silu

/// A feed-forward network with a gate (SwiGLU, Shazeer 2020, equation 6): `W₂(silu(W_g x) ⊙ W₁ x)`. One
/// product says how much of the other passes.
#[derive(Debug)]
pub struct SwiGlu {
    /// `W_g` (d_ff, d_model).
    pub gate: Linear,
    /// `W₁` (d_ff, d_model).
    pub inner: Linear,
    /// `W₂` (d_model, d_ff).
    pub outer: Linear,
}

impl SwiGlu {
    /// Random parameters; there are no biases.
    pub fn new(d_model: usize, d_ff: usize, rng: &mut Rng) -> SwiGlu {
        SwiGlu {
            gate: Linear::without_bias(d_model, d_ff, rng),
            inner: Linear::without_bias(d_model, d_ff, rng),
            outer: Linear::without_bias(d_ff, d_model, rng),
        }
    }

    // ANCHOR: gate
    /// `x` (d_model, n) → (d_model, n).
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        let passes = silu(self.gate.forward(x)); // (d_ff, n)
        self.outer.forward(passes.component_mul(self.inner.forward(x)))
    }
    // ANCHOR_END: gate
}

impl Module for SwiGlu {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("gate", &mut self.gate);
        visitor.module("inner", &mut self.inner);
        visitor.module("outer", &mut self.outer);
    }
}
