//! One vector for a whole picture: the mean of its annotations, or their mean under the weights of one
//! query that is learnt.

use crate::convolution::Encoder;
use crate::{L, whole_pictures};
use bahdanau::attention::{contexts, softmax_in_segments};
use rand::Rng;
use shared::{Float, Linear, Matrix, Module, Param, Tape, Var, Visitor, cross_entropy};

/// A classifier of pictures.
#[derive(Debug)]
pub struct Classifier {
    /// Reads the picture into annotations.
    pub encoder: Encoder,
    /// `q` (c, 1): the only query; without it all weights are 1/L.
    pub query: Option<Param>,
    /// Maps the pooled annotation to the logits of the classes.
    pub output: Linear,
}

impl Classifier {
    /// Random parameters; the query begins with zeros, so both begin as the mean.
    pub fn new(
        channels: [usize; 3],
        has_query: bool,
        classes: usize,
        rng: &mut impl Rng,
    ) -> Classifier {
        let query = has_query.then(|| Param::new(Matrix::zeros(channels[2], 1)));
        let encoder = Encoder::new(channels, rng);
        Classifier { encoder, query, output: Linear::new(channels[2], classes, rng) }
    }

    // ANCHOR: pooling
    /// Logits (classes, B), and the weights (1, L·B).
    pub fn forward<'t>(&self, tape: &'t Tape, pictures: &[&[usize]]) -> (Var<'t>, Var<'t>) {
        let values = self.encoder.forward(tape, pictures); // (c, L·B)
        let sequences = whole_pictures(pictures.len());
        let weights = match &self.query {
            Some(q) => softmax_in_segments(tape.param(q).tr_mul(values), &sequences), // qᵀaᵢ
            None => tape.constant(Matrix::from_element(1, L * pictures.len(), 1.0 / L as Float)),
        };
        (self.output.forward(contexts(values, weights, &sequences)), weights)
    }
    // ANCHOR_END: pooling

    /// −ln p of the classes, summed.
    pub fn loss<'t>(&self, tape: &'t Tape, pictures: &[&[usize]], classes: &[usize]) -> Var<'t> {
        cross_entropy(self.forward(tape, pictures).0, classes)
    }
}

impl Module for Classifier {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("encoder", &mut self.encoder);
        if let Some(query) = &mut self.query {
            visitor.param("query", query);
        }
        visitor.module("output", &mut self.output);
    }
}
