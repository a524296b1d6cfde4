//! Three kinds of layer that let tokens know of each other, and what they share.

use crate::SelfAttention;
use recurrent_networks::{Gru, Recurrent, Steps};
use shared::{Linear, Matrix, Rng, Var};

/// A layer that reads one sequence: `x` (d, n) → (d, n). No token sees a later one.
pub trait Layer {
    fn read<'t>(&self, x: Var<'t>) -> Var<'t>;
}

/// A causal convolution: `y_i = tanh(W [x_i; x_{i−1}; …; x_{i−k+1}] + b)`, the building block of
/// ConvS2S (Gehring et al. 2017), whose gated units and residual connections are left out. Tokens
/// before the first are zeros.
pub struct Convolution {
    /// `W` (d, k·d) and `b`: one small pattern, compared with every position.
    pub pattern: Linear,
    /// How many tokens it covers.
    pub k: usize,
}

impl Layer for Convolution {
    fn read<'t>(&self, x: Var<'t>) -> Var<'t> {
        let (d, n) = x.shape();
        let earlier = |by: usize| {
            let zeros = x.tape().constant(Matrix::zeros(d, by.min(n)));
            zeros.append(x).columns(0, n) // column i holds x_{i − by}
        };
        let windows = (1..self.k).map(earlier).fold(x, Var::stack); // (k·d, n)
        self.pattern.forward(windows).tanh() //                        (d, n)
    }
}

impl Layer for Gru {
    fn read<'t>(&self, x: Var<'t>) -> Var<'t> {
        self.forward(x, &Steps::new(&[x.shape().1]), None)
    }
}

impl Layer for SelfAttention {
    fn read<'t>(&self, x: Var<'t>) -> Var<'t> {
        self.causal(x)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Convolution`] over three tokens.
    Convolution,
    Recurrence,
    SelfAttention,
}

pub const K: usize = 3;

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Convolution, Kind::Recurrence, Kind::SelfAttention];

    pub fn name(self) -> &'static str {
        ["convolution", "recurrence", "self_attention"][self as usize]
    }

    /// A fresh layer of width `d`.
    pub fn layer(self, d: usize, rng: &mut Rng) -> Box<dyn Layer> {
        match self {
            Kind::Convolution => {
                Box::new(Convolution { pattern: Linear::new(K * d, d, rng), k: K })
            }
            Kind::Recurrence => Box::new(Gru::new(d, d, rng)),
            Kind::SelfAttention => Box::new(SelfAttention::new(d, d, rng)),
        }
    }
}
