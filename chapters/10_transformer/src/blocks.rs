//! The blocks of which the encoder and the decoder are stacked.

use crate::layer_norm::LayerNorm;
use scoring_functions::Sequences;
use scoring_functions::fused::Weights;
use self_attention::MultiHead;
use serde::{Deserialize, Serialize};
use shared::{Float, Linear, Module, Rng, Var, Visitor};

/// A layer that maps every token by itself: what a block can have for its normalisation or for its
/// feed-forward network.
pub trait Layer: Module {
    /// `x` (d, n) → (d, n).
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t>;

    /// The layer of `x + dropout(y)`.
    fn of_sum<'t>(&self, x: Var<'t>, y: Var<'t>, dropout: Float) -> Var<'t> {
        self.forward(x + y.dropout(dropout))
    }
}

impl Layer for LayerNorm {
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        LayerNorm::forward(self, x)
    }

    fn of_sum<'t>(&self, x: Var<'t>, y: Var<'t>, dropout: Float) -> Var<'t> {
        LayerNorm::of_sum(self, x, y, x.tape().mask(dropout))
    }
}

impl Layer for FeedForward {
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        FeedForward::forward(self, x)
    }
}

// ANCHOR: feed_forward
/// The feed-forward network `W₂ relu(W₁ x + b₁) + b₂` (Vaswani et al. 2017, equation 2): the same
/// for every token, each by itself.
#[derive(Debug)]
pub struct FeedForward {
    /// `W₁` (d_ff, d_model) and `b₁`.
    pub inner: Linear,
    /// The nonlinearity: `relu` here, another function in later chapters.
    pub activation: for<'t> fn(Var<'t>) -> Var<'t>,
    /// `W₂` (d_model, d_ff) and `b₂`.
    pub outer: Linear,
}

impl FeedForward {
    /// Random parameters.
    pub fn new(d_model: usize, d_ff: usize, rng: &mut Rng) -> FeedForward {
        FeedForward {
            inner: Linear::new(d_model, d_ff, rng),
            activation: |x| x.relu(),
            outer: Linear::new(d_ff, d_model, rng),
        }
    }

    /// `x` (d_model, n) → (d_model, n).
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        self.outer.forward((self.activation)(self.inner.forward(x)))
    }
}
// ANCHOR_END: feed_forward

/// Where a residual block normalises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Norm {
    /// `norm(x + f(x))`, as in the paper.
    #[default]
    Post,
    /// `x + f(norm(x))` (Xiong et al. 2020): what flows along the stack is never normalised, so
    /// every stack ends with one more normalisation.
    Pre,
}

/// A residual connection (He et al. 2016) around a part of a block, with its normalisation; dropout
/// acts on what the part adds (Vaswani et al. 2017, section 5.4).
#[derive(Debug)]
pub struct Residual<N = LayerNorm> {
    /// Its normalisation.
    pub norm: N,
    /// Where that stands.
    pub place: Norm,
    /// How many units are left out while training.
    pub dropout: Float,
}

impl<N: Layer> Residual<N> {
    // ANCHOR: residual
    /// `x` (d, n) with what `part` adds to it, (d, n); and what `part` returns besides, an attention's weights.
    pub fn residual<'t, T>(
        &self,
        x: Var<'t>,
        part: impl FnOnce(Var<'t>) -> (Var<'t>, T),
    ) -> (Var<'t>, T) {
        match self.place {
            Norm::Post => {
                let (y, more) = part(x);
                (self.norm.of_sum(x, y, self.dropout), more) // norm(x + dropout(y))
            }
            Norm::Pre => {
                let (y, more) = part(self.norm.forward(x));
                (x + y.dropout(self.dropout), more)
            }
        }
    }
    // ANCHOR_END: residual
}

/// The sizes that a block needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockSizes {
    /// Entries of a token.
    pub d_model: usize,
    /// Hidden units of the feed-forward network.
    pub d_ff: usize,
    /// Heads.
    pub heads: usize,
    /// See [`Residual::dropout`].
    pub dropout: Float,
    /// See [`Residual::place`].
    pub norm: Norm,
}

impl BlockSizes {
    fn residual(&self) -> Residual {
        let norm = LayerNorm::new(self.d_model);
        Residual { norm, place: self.norm, dropout: self.dropout }
    }
}

/// A block of the encoder: every token asks all tokens, then goes through the network by itself. With a causal
/// mask it is a block of a decoder that has no source.
#[doc(alias = "TransformerEncoderLayer")]
#[derive(Debug)]
pub struct EncoderBlock<N = LayerNorm, F = FeedForward> {
    /// Self-attention …
    pub attention: MultiHead,
    /// … and what stands around it.
    pub around_attention: Residual<N>,
    /// The feed-forward network …
    pub feed_forward: F,
    /// … and what stands around it.
    pub around_feed_forward: Residual<N>,
}

impl EncoderBlock {
    /// Random parameters.
    pub fn new(sizes: &BlockSizes, rng: &mut Rng) -> EncoderBlock {
        EncoderBlock {
            attention: MultiHead::new(sizes.d_model, sizes.heads, rng),
            around_attention: sizes.residual(),
            feed_forward: FeedForward::new(sizes.d_model, sizes.d_ff, rng),
            around_feed_forward: sizes.residual(),
        }
    }
}

impl<N: Layer, F: Layer> EncoderBlock<N, F> {
    // ANCHOR: encoder_forward
    /// `x` (d, n) → (d, n), and the weights of its heads.
    pub fn forward<'t>(&self, x: Var<'t>, sequences: &Sequences) -> (Var<'t>, Weights) {
        let (x, weights) = self
            .around_attention
            .residual(x, |x| self.attention.forward_with_weights(x, x, sequences));
        let (x, ()) = self.around_feed_forward.residual(x, |x| (self.feed_forward.forward(x), ()));
        (x, weights)
    }
    // ANCHOR_END: encoder_forward
}

/// A block of the decoder: every token asks the tokens before it and itself, then the source, then
/// goes through the network by itself.
#[doc(alias = "TransformerDecoderLayer")]
#[derive(Debug)]
pub struct DecoderBlock {
    /// Causal self-attention …
    pub attention: MultiHead,
    /// … and what stands around it.
    pub around_attention: Residual,
    /// Cross-attention: queries from here, keys and values from the encoder …
    pub cross: MultiHead,
    /// … and what stands around it.
    pub around_cross: Residual,
    /// The feed-forward network …
    pub feed_forward: FeedForward,
    /// … and what stands around it.
    pub around_feed_forward: Residual,
}

impl DecoderBlock {
    /// Random parameters.
    pub fn new(sizes: &BlockSizes, rng: &mut Rng) -> DecoderBlock {
        DecoderBlock {
            attention: MultiHead::new(sizes.d_model, sizes.heads, rng),
            around_attention: sizes.residual(),
            cross: MultiHead::new(sizes.d_model, sizes.heads, rng),
            around_cross: sizes.residual(),
            feed_forward: FeedForward::new(sizes.d_model, sizes.d_ff, rng),
            around_feed_forward: sizes.residual(),
        }
    }

    // ANCHOR: decoder_forward
    /// `x` (d, n) and the encoded source (d, m) → (d, n), and the weights of both attentions.
    pub fn forward<'t>(
        &self,
        x: Var<'t>,
        source: Var<'t>,
        own: &Sequences,
        across: &Sequences,
    ) -> (Var<'t>, [Weights; 2]) {
        let (x, before) =
            self.around_attention.residual(x, |x| self.attention.forward_with_weights(x, x, own));
        let (x, read) =
            self.around_cross.residual(x, |x| self.cross.forward_with_weights(x, source, across));
        let (x, ()) = self.around_feed_forward.residual(x, |x| (self.feed_forward.forward(x), ()));
        (x, [before, read])
    }
    // ANCHOR_END: decoder_forward
}

impl Module for FeedForward {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("inner", &mut self.inner);
        visitor.module("outer", &mut self.outer);
    }
}

impl<N: Module, F: Module> Module for EncoderBlock<N, F> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("attention", &mut self.attention);
        visitor.module("attention_norm", &mut self.around_attention.norm);
        visitor.module("feed_forward", &mut self.feed_forward);
        visitor.module("feed_forward_norm", &mut self.around_feed_forward.norm);
    }
}

impl Module for DecoderBlock {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("attention", &mut self.attention);
        visitor.module("attention_norm", &mut self.around_attention.norm);
        visitor.module("cross", &mut self.cross);
        visitor.module("cross_norm", &mut self.around_cross.norm);
        visitor.module("feed_forward", &mut self.feed_forward);
        visitor.module("feed_forward_norm", &mut self.around_feed_forward.norm);
    }
}
