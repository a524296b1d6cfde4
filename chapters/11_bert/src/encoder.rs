//! The encoder: tokens that know their context, and one that speaks for a sequence.

use crate::gelu::gelu;
use crate::inputs::Tokens;
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::Sequences;
use scoring_functions::fused::Weights;
use self_attention::positions::{Positions, token_positions};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Param, Rng, Tape, Var, Visitor};
use transformer::{BlockSizes, EncoderBlock, LayerNorm, Norm};

/// What a [`Bert`] is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Pieces of the vocabulary.
    pub vocabulary: usize,
    /// Entries of a token, `d`.
    pub width: usize,
    /// Hidden units of the feed-forward networks.
    pub feed_forward: usize,
    /// Heads of every attention.
    pub heads: usize,
    /// Blocks.
    pub blocks: usize,
    /// The most pieces that a sequence may have: as many positions are learned.
    pub longest: usize,
    /// Kinds of segments.
    pub segments: usize,
    /// How many units are left out while training.
    pub dropout: Float,
    /// `ε` of every normalisation.
    #[serde(default = "small")]
    pub epsilon: Float,
    /// The deviation of the normal distribution that weights and tables are drawn from.
    #[serde(default = "narrow")]
    pub deviation: Float,
}

/// The `ε` of the paper's code.
const fn small() -> Float {
    1e-12
}

/// The deviation of the paper's code.
const fn narrow() -> Float {
    0.02
}

impl Config {
    /// BERT-Base, uncased (Devlin et al. 2019, section 3).
    pub const BASE: Config = Config {
        vocabulary: 30_522,
        width: 768,
        feed_forward: 3072,
        heads: 12,
        blocks: 12,
        longest: 512,
        segments: 2,
        dropout: 0.1,
        epsilon: small(),
        deviation: narrow(),
    };

    /// BERT-Large, uncased.
    pub const LARGE: Config =
        Config { width: 1024, feed_forward: 4096, heads: 16, blocks: 24, ..Config::BASE };

    fn block(&self) -> BlockSizes {
        BlockSizes {
            d_model: self.width,
            d_ff: self.feed_forward,
            heads: self.heads,
            dropout: self.dropout,
            norm: Norm::Post,
        }
    }
}

/// A normalisation with BERT's ε.
pub(crate) fn norm(config: &Config) -> LayerNorm {
    LayerNorm { epsilon: config.epsilon, ..LayerNorm::new(config.width) }
}

/// Pieces as tokens: the sum of three vectors, for what a piece is, where it stands and to which
/// segment it belongs (Devlin et al. 2019, figure 2), normalised.
#[derive(Debug)]
pub struct Embeddings {
    /// The vectors of pieces (d, vocabulary).
    pub words: Embedding,
    /// The vectors of positions (d, longest), learned.
    pub positions: Positions,
    /// The vectors of segments (d, segments).
    pub segments: Embedding,
    /// The normalisation of their sum.
    pub norm: LayerNorm,
    /// How many units are left out while training.
    pub dropout: Float,
}

impl Embeddings {
    fn new(config: &Config, rng: &mut Rng) -> Embeddings {
        Embeddings {
            words: Embedding::new(config.vocabulary, config.width, rng),
            positions: Positions::learned(config.width, config.longest, rng),
            segments: Embedding::new(config.segments, config.width, rng),
            norm: norm(config),
            dropout: config.dropout,
        }
    }

    // ANCHOR: sum
    /// → (d, n)
    ///
    /// # Panics
    /// When a sequence is longer than the table of positions, or a piece or a segment is unknown.
    pub fn forward<'t>(&self, tape: &'t Tape, tokens: &Tokens) -> Var<'t> {
        let words = self.words.forward(tape, &tokens.pieces.words); // (d, n)
        let segments = self.segments.forward(tape, &tokens.segments); // (d, n)
        let x = self.positions.add(words + segments, &token_positions(&tokens.pieces.offsets));
        self.norm.forward(x).dropout(self.dropout)
    }
    // ANCHOR_END: sum
}

/// BERT's encoder (Devlin et al. 2019, section 3): the Transformer's, post-LN, with GELU.
#[derive(Debug)]
pub struct Bert {
    /// Pieces as tokens.
    pub embeddings: Embeddings,
    /// The blocks of chapter 10's encoder.
    pub blocks: Vec<EncoderBlock>,
    /// Maps the first token, that of `[CLS]`, to a vector for the sequence; some checkpoints have none.
    pub pooler: Option<Linear>,
}

impl Bert {
    /// Random parameters, drawn as in the paper's code: weights and tables from N(0, `deviation`²), cut
    /// off at two deviations; no bias, gains of 1.
    ///
    /// # Panics
    /// When the heads do not divide the width.
    pub fn new(config: &Config, rng: &mut Rng) -> Bert {
        let mut bert = Bert {
            embeddings: Embeddings::new(config, rng),
            blocks: (0..config.blocks).map(|_| block(config, rng)).collect(),
            pooler: Some(Linear::new(config.width, config.width, rng)),
        };
        draw_weights(&mut bert, config.deviation, rng);
        bert
    }

    /// The most pieces that a sequence may have.
    pub fn longest(&self) -> usize {
        self.embeddings.positions.longest()
    }

    // ANCHOR: forward
    /// Every sequence as tokens that know their context (d, n), and where the blocks looked.
    pub fn forward<'t>(&self, tape: &'t Tape, tokens: &Tokens) -> (Var<'t>, Vec<Weights>) {
        let mut x = self.embeddings.forward(tape, tokens);
        let sequences = Sequences::new(&tokens.pieces.offsets);
        let mut looked = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (y, weights) = block.forward(x, &sequences);
            looked.push(weights);
            x = y;
        }
        (x, looked)
    }
    // ANCHOR_END: forward

    /// A vector for every sequence: `tanh(W h_[CLS] + b)`, from `h` (d, n) → (d, sequences).
    ///
    /// # Panics
    /// When the model has no pooler.
    pub fn pooled<'t>(&self, h: Var<'t>, tokens: &Tokens) -> Var<'t> {
        self.pool(h.select_columns(&tokens.pieces.offsets[..tokens.sequences()]))
    }

    /// The same from the tokens of `[CLS]` alone (d, sequences).
    pub fn pool<'t>(&self, first: Var<'t>) -> Var<'t> {
        let pooler = self.pooler.as_ref().expect("a model with a pooler");
        pooler.forward(first).tanh()
    }
}

/// The factor that scales the table of positions after it was drawn, where keys begin as queries …
const POSITIONS: Float = 0.3;
/// … and the one of values and output of the first block's attention.
const VALUES: Float = 3.0;

impl Bert {
    /// An initialisation of this course's own, for a model that was just drawn: multiplies `W_q` by
    /// `times`, so that it has `times` the standard deviation, and copies it to `W_k`, in half of the
    /// first block's heads (the larger half, of an odd number). A score is then the dot product of two
    /// projected tokens: where `|W_q x|` is about the same for all of them, a query scores highest with its
    /// own key, and the higher with another the more similar the two tokens are. Their pieces shall count
    /// and not their positions, so the table of positions begins smaller; and what attention reads shall
    /// count, so values and output begin larger.
    pub fn begin_with_keys_as_queries(&mut self, times: Float) {
        self.embeddings.positions.for_each_parameter(|_, table| *table.value_mut() *= POSITIONS);
        let Some(EncoderBlock { attention, .. }) = self.blocks.first_mut() else { return };
        let [q, k, v, o] = [
            &mut attention.w_q.weight,
            &mut attention.w_k.weight,
            &mut attention.w_v.weight,
            &mut attention.w_o.weight,
        ]
        .map(Param::value_mut);
        let rows = q.nrows() / attention.heads * attention.heads.div_ceil(2);
        q.rows_mut(0, rows).scale_mut(times);
        k.rows_mut(0, rows).copy_from(&q.rows(0, rows));
        *v *= VALUES;
        *o *= VALUES;
    }
}

// ANCHOR: some
impl Bert {
    /// Some columns of [`Bert::forward`] (d, columns), which the last block computes alone: its other
    /// tokens are asked for their keys and values, but what would become of them is not.
    ///
    /// # Panics
    /// When the columns do not increase, or there are no blocks.
    pub fn forward_some<'t>(&self, tape: &'t Tape, tokens: &Tokens, columns: &[usize]) -> Var<'t> {
        assert!(columns.is_sorted_by(|a, b| a < b), "columns increase, unlike {columns:?}");
        let (last, before) = self.blocks.split_last().expect("at least one block");
        let mut x = self.embeddings.forward(tape, tokens);
        let offsets = &tokens.pieces.offsets;
        for block in before {
            x = block.forward(x, &Sequences::new(offsets)).0;
        }
        let asking: Vec<usize> =
            offsets.iter().map(|end| columns.partition_point(|column| column < end)).collect();
        let sequences = Sequences::between(&asking, offsets);
        let q = x.select_columns(columns);
        let (q, _) = last
            .around_attention
            .residual(q, |q| last.attention.forward_with_weights(q, x, &sequences));
        last.around_feed_forward.residual(q, |q| (last.feed_forward.forward(q), ())).0
    }
}
// ANCHOR_END: some

/// A block of chapter 10 with what BERT has of its own: GELU, another ε, and biases of the keys. These
/// change no result (a softmax does not see what all its scores share), but checkpoints have them.
fn block(config: &Config, rng: &mut Rng) -> EncoderBlock {
    let mut block = EncoderBlock::new(&config.block(), rng);
    block.attention.w_k = Linear::new(config.width, config.width, rng);
    block.feed_forward.activation = gelu;
    block.around_attention.norm.epsilon = config.epsilon;
    block.around_feed_forward.norm.epsilon = config.epsilon;
    block
}

/// Draws all weights and tables from N(0, `deviation`²), again where they are more than two deviations
/// away.
pub fn draw_weights(module: &mut impl Module, deviation: Float, rng: &mut Rng) {
    module.for_each_parameter(|name, param| {
        if name.ends_with("weight") {
            let (rows, columns) = param.value().shape();
            *param.value_mut() = Matrix::from_fn(rows, columns, |_, _| deviation * cut_normal(rng));
        }
    });
}

/// Draws from the standard normal distribution, cut off at ±2.
fn cut_normal(rng: &mut Rng) -> Float {
    loop {
        let z: Float = StandardNormal.sample(rng);
        if z.abs() <= 2.0 {
            return z;
        }
    }
}

impl Module for Embeddings {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("places", &mut self.positions); // the name in saved trainings
        visitor.module("segments", &mut self.segments);
        visitor.module("norm", &mut self.norm);
    }
}

impl Module for Bert {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("embeddings", &mut self.embeddings);
        visitor.module("blocks", &mut self.blocks);
        visitor.module("pooler", &mut self.pooler);
    }
}
