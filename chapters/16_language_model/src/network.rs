//! Which feed-forward network a block has.

use crate::experts::Experts;
use crate::gate::SwiGlu;
use bert::gelu;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, Rng, Var, Visitor};
use transformer::{FeedForward, Layer};

/// Which feed-forward network a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    /// ReLU between two products: the paper's.
    Relu,
    /// GELU between them: BERT's.
    Gelu,
    /// GELU by a hyperbolic tangent: GPT-2's.
    GeluTanh,
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
    Experts(Experts),
}

impl Network {
    /// Random parameters. `d_ff` counts the hidden units of the plain network; the gated one, which has three
    /// matrices and not two, gets two thirds of them (rounded): about as many parameters.
    pub fn new(kind: NetworkKind, d_model: usize, d_ff: usize, rng: &mut Rng) -> Network {
        let activation: for<'t> fn(Var<'t>) -> Var<'t> = match kind {
            NetworkKind::SwiGlu => return Network::Gated(SwiGlu::new(d_model, gated(d_ff), rng)),
            NetworkKind::Relu => |x| x.relu(),
            NetworkKind::Gelu => gelu,
            NetworkKind::GeluTanh => gelu_tanh,
        };
        Network::Plain(FeedForward { activation, ..FeedForward::new(d_model, d_ff, rng) })
    }

    /// So many experts, which share the hidden units of a gated network among those that a token attends to: as many
    /// *active* parameters.
    pub fn experts(
        d_model: usize,
        d_ff: usize,
        [count, kept]: [usize; 2],
        rng: &mut Rng,
    ) -> Network {
        Network::Experts(Experts::new(d_model, gated(d_ff) / kept.max(1), count, kept, rng))
    }
}

/// `x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2`: GELU without a normal distribution (Hendrycks & Gimpel 2016, section 2).
///
/// ```
/// use shared::{Matrix, Tape};
/// let x = Tape::leaked().constant(Matrix::from_row_slice(1, 2, &[1.0, -3.0]));
/// let [by_tanh, exact] = [language_model::network::gelu_tanh(x).value(), bert::gelu(x).value()];
/// assert!((&*by_tanh - &*exact).amax() < 1e-3);
/// ```
pub fn gelu_tanh(x: Var<'_>) -> Var<'_> {
    const ROOT: Float = 0.797_884_560_802_865_4_f64 as Float; // √(2/π)
    let tanh = |x: Float| (ROOT * (x + 0.044_715 * x * x * x)).tanh();
    let derivative = move |x: Float, _y| {
        let t = tanh(x);
        0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * ROOT * (1.0 + 0.134_145 * x * x)
    };
    x.entrywise(move |x| 0.5 * x * (1.0 + tanh(x)), derivative)
}

fn gated(d_ff: usize) -> usize {
    (2 * d_ff + 1) / 3
}

impl Layer for Network {
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        match self {
            Network::Plain(network) => network.forward(x),
            Network::Gated(network) => network.forward(x),
            Network::Experts(experts) => experts.forward(x),
        }
    }
}

impl Module for Network {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Network::Plain(network) => network.visit(visitor),
            Network::Gated(network) => network.visit(visitor),
            Network::Experts(experts) => experts.visit(visitor),
        }
    }
}
