//! Induction heads: how two blocks copy what came after the same word before (Elhage et al. 2021; Olsson et al. 2022).
//!
//! The smallest model that can: attention and nothing else, no feed-forward network, no normalisation, and sequences
//! that repeat themselves, so that from the second copy on every token can be known.

use rand::RngExt;
use scoring_functions::fused::Weights;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::{HeadSizes, MultiHead, Relative};
use serde::{Deserialize, Serialize};
use shared::{
    Embedding, Float, Linear, Matrix, Module, Ragged, Rng, Tape, Var, Visitor, cross_entropy,
};

/// `period` random tokens, all different, over and over until there are `length`: what follows a token is always the
/// same, so that from the second copy on it can be known.
///
/// ```
/// let text = language_model::induction::repeated(3, 8, 100, &mut shared::rng(0));
/// assert_eq!((text.len(), &text[..3], &text[..2]), (8, &text[3..6], &text[6..]));
/// ```
pub fn repeated(period: usize, length: usize, vocabulary: usize, rng: &mut Rng) -> Vec<usize> {
    let tokens = rand::seq::index::sample(rng, vocabulary, period).into_vec();
    tokens.into_iter().cycle().take(length).collect()
}

/// A lookup: `pairs` of a key and a value, all different tokens, then one of the keys once more; and its value.
///
/// ```
/// let (text, value) = language_model::induction::lookup(3, 32, &mut shared::rng(0));
/// let key = text[..6].iter().position(|token| *token == text[6]).unwrap();
/// assert_eq!((text.len(), text[key + 1], key % 2), (7, value, 0));
/// ```
pub fn lookup(pairs: usize, vocabulary: usize, rng: &mut Rng) -> (Vec<usize>, usize) {
    let mut text = rand::seq::index::sample(rng, vocabulary, 2 * pairs).into_vec();
    let key = 2 * rng.random_range(0..pairs);
    text.push(text[key]);
    let value = text[key + 1];
    (text, value)
}

/// What a token is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keys {
    /// Itself: `k_i = W_k x_i`.
    Own,
    /// Itself and the token before it: `k_i = W_k [x_i; x_{i−1}]`.
    WithPrevious,
}

// ANCHOR: copier
/// Blocks of attention alone, with rotary positions: `x ← x + attention(x)`.
#[derive(Debug)]
pub struct Copier {
    /// (d, V)
    pub words: Embedding,
    /// A block each.
    pub blocks: Vec<MultiHead>,
    /// What their keys hold.
    pub keys: Keys,
    /// (V, d)
    pub output: Linear,
}

impl Copier {
    /// The logits of what follows each token of the texts (V, n), and the weights of every block.
    pub fn forward<'t>(&self, tape: &'t Tape, text: &Ragged) -> (Var<'t>, Vec<Weights>) {
        let causal = Sequences::new(&text.offsets).with(AttentionMask::Causal);
        let mut x = self.words.forward(tape, &text.words); // (d, n)
        let mut weights = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let keys = match self.keys {
                Keys::Own => x,
                Keys::WithPrevious => x.stack(x.select_columns(&previous(&text.offsets))), // (2d, n)
            };
            let (y, of_block) = block.attend([x, keys, x], &causal);
            weights.push(of_block);
            x = x + y;
        }
        (self.output.forward(x), weights)
    }

    /// `−Σ ln p` of every token of the texts but their first.
    pub fn loss<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        let (read, next) = crate::shifted(texts);
        cross_entropy(self.forward(tape, &read).0, &next)
    }
}
// ANCHOR_END: copier

/// The column of the token before each; before the first of a sequence it is itself.
pub fn previous(offsets: &[usize]) -> Vec<usize> {
    offsets
        .windows(2)
        .flat_map(|ends| (ends[0]..ends[1]).map(|i| (i.max(ends[0] + 1)) - 1))
        .collect()
}

impl Copier {
    /// Random parameters.
    pub fn new(
        vocabulary: usize,
        width: usize,
        heads: usize,
        blocks: usize,
        keys: Keys,
        rng: &mut Rng,
    ) -> Copier {
        let d_k = if keys == Keys::Own { width } else { 2 * width };
        let sizes = HeadSizes { d_k, ..HeadSizes::usual(width, heads) };
        let block = |rng: &mut Rng| MultiHead {
            relative: Relative::Rope,
            ..MultiHead::with_sizes(&sizes, rng)
        };
        Copier {
            words: Embedding::new(vocabulary, width, rng),
            blocks: (0..blocks).map(|_| block(rng)).collect(),
            keys,
            output: Linear::without_bias(width, vocabulary, rng),
        }
    }
}

// ANCHOR: scores
/// How much of its weight a head gives the token before each query: 1 for a perfect *previous-token head*. `alpha` (n, n)
/// are its weights.
pub fn previous_score(alpha: &Matrix) -> Float {
    mean((1..alpha.ncols()).map(|i| alpha[(i - 1, i)]))
}

/// How much of its weight a head gives the token *after* the last occurrence of each query's token, `period` earlier:
/// 1 for a perfect *induction head*.
pub fn induction_score(alpha: &Matrix, period: usize) -> Float {
    mean((period..alpha.ncols()).map(|i| alpha[(i + 1 - period, i)]))
}
// ANCHOR_END: scores

fn mean(weights: impl ExactSizeIterator<Item = Float>) -> Float {
    let n = weights.len() as Float;
    weights.sum::<Float>() / n
}

impl Module for Copier {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("blocks", &mut self.blocks);
        visitor.module("output", &mut self.output);
    }
}
