//! The plain network from other starts.

use super::adding::{self, Adder, HIDDEN};
use crate::layers::{Activation, Recurrent, Rnn};
use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, rng};
use workbench::error::Result;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// tanh, `U` from `U(−1/√H, 1/√H)`: that of every layer here.
    Usual,
    /// tanh, `U` an orthogonal matrix: all singular values are 1.
    Orthogonal,
    /// tanh, `U = I`.
    Identity,
    /// `max(x, 0)`, `U = I`, no biases (Le, Jaitly & Hinton 2015).
    Rectified,
}

impl Start {
    pub const ALL: [Start; 4] =
        [Start::Usual, Start::Orthogonal, Start::Identity, Start::Rectified];

    pub fn name(self) -> &'static str {
        ["usual", "orthogonal", "identity", "rectified"][self as usize]
    }

    /// A plain layer that starts from here; all but what is named is drawn as usual.
    pub fn layer(self, seed: u64) -> Rnn {
        let rng = &mut rng(seed);
        let mut layer = Rnn::new(2, HIDDEN, rng);
        let u = layer.weights.weight_h.value_mut();
        match self {
            Start::Usual => {}
            Start::Orthogonal => {
                let normal = Matrix::from_fn(HIDDEN, HIDDEN, |_, _| StandardNormal.sample(rng));
                *u = normal.qr().q(); // Q of a Gaussian matrix
            }
            Start::Identity => u.fill_with_identity(),
            Start::Rectified => {
                u.fill_with_identity();
                layer.weights.bias_x.value_mut().fill(0.0);
                layer.weights.bias_h.value_mut().fill(0.0);
                layer = layer.with_activation(Activation::Relu);
            }
        }
        layer
    }
}

/// The test's error at the end of a training from one start.
pub fn learn(start: Start, length: usize, steps: usize, seed: u64) -> Result<Float> {
    let mut model = Adder::new(HIDDEN, &mut rng(seed));
    model.layer = start.layer(seed);
    let curve = adding::train(&mut model, length, steps, seed)?;
    Ok(*curve.last().expect("a look at the test"))
}
