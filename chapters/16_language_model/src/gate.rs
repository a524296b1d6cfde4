//! Feed-forward networks with a gate: SwiGLU, and the choice between it and chapter 10's.

use bert::gelu;
use serde::{Deserialize, Serialize};
use shared::elementwise::sigmoid;
use shared::{Linear, Module, Rng, Var, Visitor};
use transformer::{FeedForward, Layer};

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

/// Which feed-forward network a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    /// ReLU between two products: the paper's.
    Relu,
    /// GELU between them: BERT's and GPT's.
    Gelu,
    /// A gate, in three products: today's.
    #[default]
    SwiGlu,
}

/// A feed-forward network of either kind.
#[derive(Debug)]
#[allow(missing_docs)] // its variants are named by what they hold
pub enum Network {
    Plain(FeedForward),
    Gated(SwiGlu),
}

impl Network {
    /// Random parameters. `d_ff` counts the hidden units of the plain network; the gated one, which has three
    /// matrices and not two, gets two thirds of them (rounded): about as many parameters.
    pub fn new(kind: NetworkKind, d_model: usize, d_ff: usize, rng: &mut Rng) -> Network {
        let activation: for<'t> fn(Var<'t>) -> Var<'t> = match kind {
            NetworkKind::SwiGlu => {
                return Network::Gated(SwiGlu::new(d_model, (2 * d_ff + 1) / 3, rng));
            }
            NetworkKind::Relu => |x| x.relu(),
            NetworkKind::Gelu => gelu,
        };
        Network::Plain(FeedForward { activation, ..FeedForward::new(d_model, d_ff, rng) })
    }
}

impl Layer for Network {
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        match self {
            Network::Plain(network) => network.forward(x),
            Network::Gated(network) => network.forward(x),
        }
    }
}

impl Module for SwiGlu {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("gate", &mut self.gate);
        visitor.module("inner", &mut self.inner);
        visitor.module("outer", &mut self.outer);
    }
}

impl Module for Network {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Network::Plain(network) => network.visit(visitor),
            Network::Gated(network) => network.visit(visitor),
        }
    }
}
