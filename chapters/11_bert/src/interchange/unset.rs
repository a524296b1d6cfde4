//! Models that wait for the parameters of a file: of zeros, which cost no time to draw, and no memory
//! until something is written over them.

use crate::encoder::{Bert, Config, Embeddings, norm};
use crate::gelu::gelu;
use crate::pretraining::{MaskedHead, Pretraining};
use self_attention::MultiHead;
use self_attention::positions::Positions;
use shared::{Embedding, Linear, Matrix, Param};
use transformer::{EncoderBlock, FeedForward, Norm, Residual};

impl Bert {
    /// An encoder of zeros, with a pooler or without.
    ///
    /// # Panics
    /// When the heads do not divide the width.
    pub fn unset(config: &Config, pooler: bool) -> Bert {
        Bert {
            embeddings: embeddings(config),
            blocks: (0..config.blocks).map(|_| block(config)).collect(),
            pooler: pooler.then(|| linear(config.width, config.width)),
        }
    }
}

impl Pretraining {
    /// A model of zeros, with a pooler and the head for pairs, or without them.
    ///
    /// # Panics
    /// When the heads do not divide the width.
    pub fn unset(config: &Config, pooler: bool, next: bool) -> Pretraining {
        let (d, bias) = (config.width, zeros(config.vocabulary, 1));
        Pretraining {
            bert: Bert::unset(config, pooler),
            masked: MaskedHead { dense: linear(d, d), norm: norm(config), bias },
            next: next.then(|| linear(d, 2)),
        }
    }
}

/// Memory that the system promises to be zero, and provides when it is written to; `Matrix::zeros`
/// would write.
fn zeros(rows: usize, columns: usize) -> Param {
    Param::new(Matrix::from_vec(rows, columns, vec![0.0; rows * columns]))
}

/// An affine map of zeros.
fn linear(inputs: usize, outputs: usize) -> Linear {
    let [weight, bias] = [inputs, 1].map(|columns| zeros(outputs, columns));
    Linear { weight, bias: Some(bias) }
}

fn embeddings(config: &Config) -> Embeddings {
    let table = |columns| zeros(config.width, columns);
    Embeddings {
        words: Embedding { weight: table(config.vocabulary) },
        places: Positions::Learned(table(config.longest)),
        segments: Embedding { weight: table(config.segments) },
        norm: norm(config),
        dropout: config.dropout,
    }
}

fn block(config: &Config) -> EncoderBlock {
    let (d, d_ff, heads) = (config.width, config.feed_forward, config.heads);
    assert!(heads > 0 && d.is_multiple_of(heads), "{heads} heads do not divide a width of {d}");
    let [w_q, w_k, w_v, w_o] = std::array::from_fn(|_| linear(d, d));
    let around = || Residual { norm: norm(config), place: Norm::Post, dropout: config.dropout };
    EncoderBlock {
        attention: MultiHead { w_q, w_k, w_v, w_o, heads },
        around_attention: around(),
        feed_forward: FeedForward {
            inner: linear(d, d_ff),
            activation: gelu,
            outer: linear(d_ff, d),
        },
        around_feed_forward: around(),
    }
}
