//! Heads around a memory, and a language model whose blocks have either kind of attention.

use crate::linear_attention::{CHUNK, linear_attention};
use language_model::induction::{Keys, previous};
use language_model::{Config, NormKind, Normalization, RmsNorm, SwiGlu, shifted, silu};
use rand_distr::{Distribution, Normal};
use scoring_functions::{AttentionMask, Sequences, reshape, unit_columns};
use self_attention::positions::token_positions;
use self_attention::{HeadSizes, MultiHead, Relative};
use serde::{Deserialize, Serialize};
use shared::{
    Embedding, Float, Linear, Matrix, Module, Param, Ragged, Rng, Tape, Var, Visitor, cross_entropy,
};
use transformer::{Layer, Norm, Residual};

/// Multi-head attention to a memory (Katharopoulos et al. 2020; with rates, DeltaNet: Schlag et al. 2021, Yang et al. 2024).
///
/// Queries and keys are rotated by their positions and of length 1, so that no key is written with more than its share;
/// what is read is normalised in each head, since a sum grows with the tokens.
#[doc(alias = "DeltaNet")]
#[derive(Debug)]
pub struct LinearHeads {
    /// `W_q` (H·p, d)
    pub w_q: Linear,
    /// `W_k` (H·p, d_k)
    pub w_k: Linear,
    /// `W_v` (H·p, d)
    pub w_v: Linear,
    /// `β = σ(W_β x + b)` (H, d): how much of what stands under a key is replaced. Without it everything is added.
    pub w_beta: Option<Linear>,
    /// The normalisation of what a head reads, (p)
    pub norm: RmsNorm,
    /// `W_o` (d, H·p)
    pub w_o: Linear,
    /// H
    pub heads: usize,
}

impl LinearHeads {
    // ANCHOR: heads
    /// `x` (d, n), found by `keys` (d_k, n) → (d, n).
    pub fn forward<'t>(&self, [x, keys]: [Var<'t>; 2], offsets: &[usize]) -> Var<'t> {
        let (qkv, rates) = self.memory([x, keys], offsets);
        let o = linear_attention(qkv, rates, self.heads, offsets, CHUNK); // (H·p, n)
        self.w_o.forward(self.each_head(o, |o| self.norm.forward(o)))
    }

    /// What is asked, written under and written, (H·p, n) each, and at which rates, (H, n).
    pub fn memory<'t>(
        &self,
        [x, keys]: [Var<'t>; 2],
        offsets: &[usize],
    ) -> ([Var<'t>; 3], Option<Var<'t>>) {
        let place = |x| Relative::Rope.rotated(x, self.heads, || token_positions(offsets));
        let unit = |x| place(self.each_head(silu(x), unit_columns));
        let [q, k] = [self.w_q.forward(x), self.w_k.forward(keys)].map(unit);
        let rates = self.w_beta.as_ref().map(|w_beta| w_beta.forward(x).sigmoid());
        ([q, k, self.w_v.forward(x)], rates)
    }
    // ANCHOR_END: heads

    /// `f` of the columns (p) of every head.
    fn each_head<'t>(&self, x: Var<'t>, f: impl FnOnce(Var<'t>) -> Var<'t>) -> Var<'t> {
        let (rows, n) = x.shape();
        reshape(f(reshape(x, rows / self.heads, self.heads * n)), rows, n)
    }
}

impl LinearHeads {
    /// Random parameters for tokens of `d` entries that are found by `d_k`.
    pub fn new(d: usize, d_k: usize, heads: usize, delta: bool, rng: &mut Rng) -> LinearHeads {
        assert!(d.is_multiple_of(heads), "{heads} heads of {d} rows");
        LinearHeads {
            w_q: Linear::without_bias(d, d, rng),
            w_k: Linear::without_bias(d_k, d, rng),
            w_v: Linear::without_bias(d, d, rng),
            w_beta: delta.then(|| Linear::new(d, heads, rng)),
            norm: RmsNorm::new(d / heads),
            w_o: Linear::without_bias(d, d, rng),
            heads,
        }
    }
}

/// Which attention a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttentionKind {
    /// A softmax over all keys.
    Softmax,
    /// A memory to which everything is added.
    Linear,
    /// A memory that is written by the delta rule.
    Delta,
}

/// Attention of either kind.
#[derive(Debug)]
#[allow(missing_docs)] // its variants are named by what they hold
pub enum Attention {
    Softmax(MultiHead),
    Linear(LinearHeads),
}

/// A block that normalises before its parts.
#[derive(Debug)]
pub struct Block {
    /// Attention of either kind …
    pub attention: Attention,
    /// … and what stands around it.
    pub around_attention: Residual<Normalization>,
    /// The feed-forward network with a gate …
    pub feed_forward: SwiGlu,
    /// … and what stands around it.
    pub around_feed_forward: Residual<Normalization>,
}

/// Chapter 16's language model with a kind of attention for every block.
#[derive(Debug)]
pub struct LanguageModel {
    /// (d, V): also the weights of the output.
    pub words: Embedding,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The normalisation at their end.
    pub norm: Normalization,
    /// What a token is found by, in every block.
    pub keys: Keys,
}

impl LanguageModel {
    // ANCHOR: model
    /// The logits of what follows each token of the texts, (V, n).
    pub fn logits<'t>(&self, tape: &'t Tape, text: &Ragged) -> Var<'t> {
        let mut x = self.words.forward(tape, &text.words); // (d, n)
        for block in &self.blocks {
            (x, ()) = block.around_attention.residual(x, |x| {
                (block.attention.forward([x, self.found_by(x, text)], &text.offsets), ())
            });
            (x, ()) =
                block.around_feed_forward.residual(x, |x| (block.feed_forward.forward(x), ()));
        }
        tape.param(&self.words.weight).tr_mul(self.norm.forward(x))
    }
    // ANCHOR_END: model

    /// What the tokens `x` (d, n) are found by: themselves, or with the token before them, (2d, n).
    pub fn found_by<'t>(&self, x: Var<'t>, text: &Ragged) -> Var<'t> {
        match self.keys {
            Keys::Own => x,
            Keys::WithPrevious => x.stack(x.select_columns(&previous(&text.offsets))),
        }
    }

    /// `−Σ ln p` of every word of the texts but their first.
    pub fn loss<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        let (read, next) = shifted(texts);
        cross_entropy(self.logits(tape, &read), &next)
    }

    /// Random parameters: the sizes of a [`Config`], of whose switches none is used, and a block for each of `kinds`.
    pub fn new(
        config: &Config,
        kinds: &[AttentionKind],
        keys: Keys,
        rng: &mut Rng,
    ) -> LanguageModel {
        let d = config.width;
        let d_k = if keys == Keys::Own { d } else { 2 * d };
        let norm = || Normalization::new(NormKind::Rms, d);
        let residual = || Residual { norm: norm(), place: Norm::Pre, dropout: config.dropout };
        let block = |kind: &AttentionKind| Block {
            attention: match kind {
                AttentionKind::Softmax => Attention::Softmax(MultiHead {
                    relative: Relative::Rope,
                    ..MultiHead::with_sizes(
                        &HeadSizes { d_k, ..HeadSizes::usual(d, config.heads) },
                        rng,
                    )
                }),
                kind => {
                    let delta = *kind == AttentionKind::Delta;
                    Attention::Linear(LinearHeads::new(d, d_k, config.heads, delta, rng))
                }
            },
            around_attention: residual(),
            feed_forward: SwiGlu::new(d, (2 * config.feed_forward + 1) / 3, rng),
            around_feed_forward: residual(),
        };
        let blocks = kinds.iter().map(block).collect();
        let normal = Normal::new(0.0, (d as Float).sqrt().recip()).expect("a finite deviation");
        let vectors = Matrix::from_fn(d, config.vocabulary, |_, _| normal.sample(rng));
        LanguageModel {
            words: Embedding { weight: Param::new(vectors) },
            blocks,
            norm: norm(),
            keys,
        }
    }
}

impl Attention {
    /// `x` (d, n) asks all tokens up to itself, which are found by `keys` (d_k, n) → (d, n).
    pub fn forward<'t>(&self, [x, keys]: [Var<'t>; 2], offsets: &[usize]) -> Var<'t> {
        match self {
            Attention::Softmax(heads) => {
                let causal = Sequences::new(offsets).with(AttentionMask::Causal);
                heads.attend([x, keys, x], &causal).0
            }
            Attention::Linear(heads) => heads.forward([x, keys], offsets),
        }
    }
}

impl Module for LinearHeads {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("w_v", &mut self.w_v);
        visitor.module("w_beta", &mut self.w_beta);
        visitor.module("norm", &mut self.norm);
        visitor.module("w_o", &mut self.w_o);
    }
}

impl Module for Attention {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Attention::Softmax(heads) => heads.visit(visitor),
            Attention::Linear(heads) => heads.visit(visitor),
        }
    }
}

impl Module for Block {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("attention", &mut self.attention);
        visitor.module("attention_norm", &mut self.around_attention.norm);
        visitor.module("feed_forward", &mut self.feed_forward);
        visitor.module("feed_forward_norm", &mut self.around_feed_forward.norm);
    }
}

impl Module for LanguageModel {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("blocks", &mut self.blocks);
        visitor.module("norm", &mut self.norm);
    }
}
