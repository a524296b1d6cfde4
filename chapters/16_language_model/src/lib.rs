//! What comes next?
//!
//! A decoder that writes alone (GPT, Radford et al. 2018): chapter 10's block with a causal mask and nothing to look
//! at. After every word it gives each word of the vocabulary a probability of being the next one; to write is to draw
//! from it, word after word. A column is a token. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `V` | words of the vocabulary |
//! | `d`, `d_ff` | entries of a token, hidden units of the feed-forward network |
//! | `H`, `G` | heads of queries; heads of keys and values, each for a group of `H/G` |
//! | `n`, `b` | tokens of a batch; sequences that are written side by side |
//!
//! | module | holds |
//! |---|---|
//! | [`normalization`] | RMSNorm |
//! | [`gate`], [`experts`] | the feed-forward network with a gate; several, of which a token attends to a few |
//! | here | the model, its loss, and one word further with keys and values kept |
//! | [`sampling`] | temperature, top-k and top-p |
//! | [`induction`] | the smallest model that copies, and what its heads look at |
//! | [`answering`] | answers that are drawn and rewarded |
//! | [`world`] | texts whose next word has a known probability |
//! | `program` | the program |

pub mod answering;
pub mod experts;
pub mod gate;
pub mod induction;
pub mod network;
pub mod normalization;
#[cfg(feature = "program")]
pub mod program;
pub mod sampling;
pub mod world;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as language_model;

pub use experts::Experts;
pub use gate::{SwiGlu, silu};
pub use network::{Network, NetworkKind};
pub use normalization::{NormKind, Normalization, RmsNorm};
pub use sampling::Sampling;

use rand::RngExt;
use rand_distr::{Distribution, Normal};
use scoring_functions::fused::Weights;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::positions::{Positions, token_positions};
use self_attention::{HeadSizes, MultiHead, Relative};
use serde::{Deserialize, Serialize};
use shared::{
    Embedding, Float, Matrix, Module, Param, Ragged, Rng, Tape, Var, Visitor, cross_entropy,
};
use transformer::decoding::KvCache;
use transformer::{EncoderBlock, Layer, Norm, Residual};

/// The configuration of a [`Gpt`]: its sizes, and four switches between the block of 2018 and today's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Words, V.
    pub vocabulary: usize,
    /// Entries of a token, d.
    pub width: usize,
    /// Hidden units of the plain feed-forward network, d_ff; a gated one has two thirds of them.
    pub feed_forward: usize,
    /// Blocks.
    pub blocks: usize,
    /// Heads of queries, H.
    pub heads: usize,
    /// Heads of keys and values, G: the fourth switch.
    pub groups: usize,
    /// The first.
    pub norm: NormKind,
    /// The second.
    pub network: NetworkKind,
    /// The third: positions are rotations (RoPE, Su et al. 2021), or else vectors that are learned.
    pub rotary: bool,
    /// How many experts stand in place of one gated network; 1: none.
    pub experts: usize,
    /// How many of them a token attends to.
    pub kept: usize,
    /// The weight of what balances them.
    pub balance: Float,
    /// The most tokens of a sequence.
    pub longest: usize,
    /// How many units are left out while training.
    pub dropout: Float,
}

impl Config {
    /// A small model with the block of today.
    pub fn today(vocabulary: usize) -> Config {
        Config {
            vocabulary,
            width: 128,
            feed_forward: 512,
            blocks: 2,
            heads: 4,
            groups: 2,
            norm: NormKind::Rms,
            network: NetworkKind::SwiGlu,
            rotary: true,
            experts: 1,
            kept: 1,
            balance: 0.01,
            longest: 256,
            dropout: 0.0,
        }
    }

    /// The same sizes with the block of GPT-2 (Radford et al. 2019).
    pub fn gpt2(vocabulary: usize) -> Config {
        Config {
            groups: 4,
            norm: NormKind::Layer,
            network: NetworkKind::Gelu,
            rotary: false,
            ..Config::today(vocabulary)
        }
    }
}

/// Chapter 10's block with a causal mask.
pub type Block = EncoderBlock<Normalization, Network>;

/// A decoder-only Transformer.
#[doc(alias = "GPT")]
#[derive(Debug)]
pub struct Gpt {
    /// (d, V): the vectors of words. They are also the weights of the output (Press & Wolf 2017).
    pub words: Embedding,
    /// Vectors of positions, if these are not rotations.
    pub positions: Option<Positions>,
    /// The blocks, which normalise before their parts.
    pub blocks: Vec<Block>,
    /// The normalisation at their end.
    pub norm: Normalization,
    /// See [`Config`].
    pub config: Config,
}

impl Gpt {
    fn embed<'t>(&self, tape: &'t Tape, words: &[usize], positions: &[usize]) -> Var<'t> {
        let x = self.words.forward(tape, words);
        let x = self.positions.as_ref().map_or(x, |table| table.add(x, positions));
        x.dropout(self.config.dropout) // (d, n)
    }

    // ANCHOR: model
    /// Words as tokens (d, n) that know the words before them, and the weights of every block.
    pub fn forward<'t>(&self, tape: &'t Tape, text: &Ragged) -> (Var<'t>, Vec<Weights>) {
        let causal = Sequences::new(&text.offsets).with(AttentionMask::Causal);
        let mut x = self.embed(tape, &text.words, &token_positions(&text.offsets));
        let mut weights = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (y, of_block) = block.forward(x, &causal);
            weights.push(of_block);
            x = y;
        }
        (self.norm.forward(x), weights)
    }

    /// Logits of the next word (V, n) after each token of `x` (d, n): `Eᵀx`.
    pub fn logits<'t>(&self, x: Var<'t>) -> Var<'t> {
        x.tape().param(&self.words.weight).tr_mul(x)
    }

    /// `−Σ ln p` of every word of the texts but their first, each from the words before it.
    pub fn loss<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        let (read, next) = shifted(texts);
        let (x, _) = self.forward(tape, &read);
        cross_entropy(self.logits(x), &next)
    }
    // ANCHOR_END: model
}

/// What is read of each text, all words but the last, and what is to be predicted, all but the first.
///
/// ```
/// let (read, next) = language_model::shifted(&[&[5, 6, 7], &[8, 9]]);
/// assert_eq!((&read.words[..], &next[..]), (&[5, 6, /**/ 8][..], &[6, 7, /**/ 9][..]));
/// ```
pub fn shifted(texts: &[&[usize]]) -> (Ragged, Vec<usize>) {
    let read: Vec<&[usize]> = texts.iter().map(|text| &text[..text.len() - 1]).collect();
    (Ragged::new(&read), texts.iter().flat_map(|text| &text[1..]).copied().collect())
}

impl Gpt {
    /// Random parameters: Glorot's for matrices, and words drawn from N(0, 1/d), so that the first logits have a
    /// variance of 1.
    ///
    /// # Panics
    /// When the heads do not divide the width, or the groups the heads.
    pub fn new(config: &Config, rng: &mut Rng) -> Gpt {
        let Config { vocabulary, width: d, .. } = *config;
        let normal = Normal::new(0.0, (d as Float).sqrt().recip()).expect("a finite deviation");
        let vectors = Matrix::from_fn(d, vocabulary, |_, _| normal.sample(rng));
        Gpt {
            words: Embedding { weight: Param::new(vectors) },
            positions: (!config.rotary).then(|| Positions::learned(d, config.longest, rng)),
            blocks: (0..config.blocks).map(|_| block(config, rng)).collect(),
            norm: Normalization::new(config.norm, d),
            config: config.clone(),
        }
    }
}

// ANCHOR: block
/// A block with the parts that the configuration names.
fn block(config: &Config, rng: &mut Rng) -> Block {
    let Config { width, heads, groups, dropout, .. } = *config;
    assert!(groups > 0 && heads.is_multiple_of(groups), "{groups} groups for {heads} heads");
    let mut attention =
        MultiHead::with_sizes(&HeadSizes { groups, ..HeadSizes::usual(width, heads) }, rng);
    if config.rotary {
        attention.relative = Relative::Rope;
    }
    let mut feed_forward = match config.experts {
        ..=1 => Network::new(config.network, width, config.feed_forward, rng),
        count => Network::experts(width, config.feed_forward, [count, config.kept], rng),
    };
    if let Network::Experts(experts) = &mut feed_forward {
        experts.balance = config.balance;
    }
    let residual = || {
        let norm = Normalization::new(config.norm, width);
        Residual { norm, place: Norm::Pre, dropout }
    };
    Block { attention, around_attention: residual(), feed_forward, around_feed_forward: residual() }
}
// ANCHOR_END: block

/// What is kept of the tokens so far: in every block, for every step, the keys and values of all sequences.
pub type Cache = Vec<Vec<KvCache>>;

impl Gpt {
    /// A cache that keeps nothing yet.
    pub fn cache(&self) -> Cache {
        vec![Vec::new(); self.blocks.len()]
    }

    // ANCHOR: cache
    /// The logits (V, b) of what follows the newest words, one of each of `b` sequences. Only these pass through the
    /// blocks; of the words before them `cache` has what is asked, and it gets theirs.
    pub fn step(&self, newest: &[usize], cache: &mut Cache) -> Matrix {
        let tape = Tape::no_grad();
        let position = cache.first().map_or(0, Vec::len);
        let mut x = self.embed(&tape, newest, &vec![position; newest.len()]);
        for (block, kept) in self.blocks.iter().zip(cache) {
            (x, _) = block.step(x, kept);
        }
        Matrix::clone(&self.logits(self.norm.forward(x)).value())
    }
    // ANCHOR_END: cache

    /// Goes on after `beginning` (one word or more) for `length` words, each drawn and then read as the next input.
    ///
    /// # Panics
    /// When the beginning is empty, or all together are more than [`Config::longest`].
    pub fn write(
        &self,
        beginning: &[usize],
        length: usize,
        sampling: Sampling,
        rng: &mut Rng,
    ) -> Vec<usize> {
        let (mut cache, mut text) = (self.cache(), beginning.to_vec());
        let last = beginning.len() + length;
        assert!(!beginning.is_empty() && last <= self.config.longest, "{last} words");
        for i in 0..last - 1 {
            let logits = self.step(&[text[i]], &mut cache);
            if i + 1 == text.len() {
                text.push(sampling.draw(logits.as_slice(), rng.random()));
            }
        }
        text.split_off(beginning.len())
    }
}

impl Module for Gpt {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("positions", &mut self.positions);
        visitor.module("blocks", &mut self.blocks);
        visitor.module("norm", &mut self.norm);
    }
}
