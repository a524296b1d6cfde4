//! What is left when recurrence is gone?
//!
//! The Transformer (Vaswani et al. 2017): an encoder and a decoder of attention, feed-forward
//! networks, residual connections and normalisation. A column is a token; the sentences of a batch
//! lie side by side, without padding. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n`, `m` | target tokens, source tokens |
//! | `d_model`, `d_ff` | entries of a token, hidden units of the feed-forward network |
//! | `H` | heads |
//! | `b` | hypotheses while decoding |
//!
//! | module | holds |
//! |---|---|
//! | [`layer_norm`] | every token at mean 0 and variance 1 |
//! | [`blocks`] | the feed-forward network, the residual connection, the blocks of both stacks |
//! | [`smoothing`] | the loss with smoothed labels |
//! | here | the whole model and its loss |
//! | [`decoding`] | one word further, with keys and values kept |
//! | [`program`] | the program |

pub mod blocks;
pub mod decoding;
pub mod layer_norm;
#[cfg(feature = "program")]
pub mod program;
pub mod smoothing;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as transformer;

pub use blocks::{BlockSizes, DecoderBlock, EncoderBlock, FeedForward, Layer, Norm, Residual};
pub use layer_norm::LayerNorm;
pub use smoothing::smoothed_cross_entropy;

use decoding::{KvCache, State};
use rand::RngExt;
use rand_distr::{Distribution, Normal};
use scoring_functions::fused::Weights;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::positions::{Positions, token_positions};
use self_attention::relative::{Kind, Relative};
use seq2seq::{Batch, Next, Translator, log_softmax};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Param, Ragged, Rng, Tape, Var, Visitor};

/// The configuration of a [`Transformer`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Words of the language to translate from.
    pub source_words: usize,
    /// Words of the language to translate into.
    pub target_words: usize,
    /// Blocks of the encoder.
    pub encoder_blocks: usize,
    /// Blocks of the decoder, as many or not.
    pub decoder_blocks: usize,
    /// The sizes of every block.
    pub block: BlockSizes,
    /// Which tables of word vectors are one.
    pub tied: Tied,
    /// How much of the reference's probability is spread over all words.
    pub smoothing: Float,
    /// How a word knows where it stands.
    pub encoding: Encoding,
    /// Words of the longest sentence: columns of the table of positions, if there is one.
    pub longest: usize,
}

/// How a word knows where it stands: by what is added to its vector, by what its attentions know about
/// distances, or by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The positions that are added.
    pub absolute: Absolute,
    /// What self-attention knows …
    pub own: Option<Kind>,
    /// … and cross-attention, to which a word to be written stands beside the source's word at its position.
    pub cross: Option<Kind>,
}

impl Encoding {
    /// Sinusoids, and no distances (Vaswani et al. 2017, section 3.5).
    pub const PAPER: Encoding = Encoding { absolute: Absolute::Sinusoids, own: None, cross: None };
}

/// The vector that is added to a word's for the position at which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absolute {
    /// Sines and cosines of the position, as in the paper.
    Sinusoids,
    /// A trained vector.
    Learned,
    /// Nothing: there are distances alone.
    Nothing,
}

/// Which tables of word vectors are one (Press & Wolf 2017; Vaswani et al. 2017, section 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Tied {
    /// None.
    Nothing,
    /// The vectors of the target's words and the weights of the output.
    #[default]
    Output,
    /// These and the vectors of the source's words: for one vocabulary of both languages.
    Everything,
}

/// The Transformer (Vaswani et al. 2017, section 3).
#[derive(Debug)]
pub struct Transformer {
    /// The vectors of the source words; the target's when there is none.
    pub source: Option<Embedding>,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Where a word stands, if that is added to its vector.
    pub positions: Option<Positions>,
    /// Reads the source.
    pub encoder: Vec<EncoderBlock>,
    /// The normalisation at its end, if its blocks normalise before their parts.
    pub encoder_norm: Option<LayerNorm>,
    /// Writes the target.
    pub decoder: Vec<DecoderBlock>,
    /// The same at the end of the decoder.
    pub decoder_norm: Option<LayerNorm>,
    /// Computes the logits of the next word; the target's vectors do when there is none.
    pub output: Option<Linear>,
    /// How many units of the vectors are left out while training.
    pub dropout: Float,
    /// See [`Config::smoothing`].
    pub smoothing: Float,
    /// The farthest position at which a pair of sentences begins while training, drawn for every pair:
    /// 0, as in the paper, when all begin at position 0.
    pub start: usize,
    /// See [`Config::longest`].
    pub longest: usize,
}

impl Transformer {
    /// Random parameters. The vectors of words are drawn from N(0, 1/d_model): times √d_model they
    /// are as large as the positions, and as output weights they give logits of variance 1.
    ///
    /// # Panics
    /// When everything is tied but the vocabularies differ in size.
    pub fn new(config: &Config, rng: &mut Rng) -> Transformer {
        let Config { source_words, target_words, block, tied, .. } = config;
        let d = block.d_model;
        let normal = Normal::new(0.0, (d as Float).sqrt().recip()).expect("a finite deviation");
        let vectors = |words: usize, rng: &mut Rng| Embedding {
            weight: Param::new(Matrix::from_fn(d, words, |_, _| normal.sample(rng))),
        };
        assert!(
            *tied != Tied::Everything || source_words == target_words,
            "one table for both languages, but one has {source_words} words and the other {target_words}"
        );
        let at_the_end = || (block.norm == Norm::Pre).then(|| LayerNorm::new(d));
        let relative = |kind: Option<Kind>, rng: &mut Rng| match kind {
            Some(kind) => Relative::new(kind, d / block.heads, rng),
            None => Relative::None,
        };
        let encoder = |rng: &mut Rng| {
            let mut block = EncoderBlock::new(block, rng);
            block.attention.relative = relative(config.encoding.own, rng);
            block
        };
        let decoder = |rng: &mut Rng| {
            let mut block = DecoderBlock::new(block, rng);
            block.attention.relative = relative(config.encoding.own, rng);
            block.cross.relative = relative(config.encoding.cross, rng);
            block
        };
        Transformer {
            source: (*tied != Tied::Everything).then(|| vectors(*source_words, rng)),
            target: vectors(*target_words, rng),
            positions: match config.encoding.absolute {
                Absolute::Sinusoids => Some(Positions::sinusoids(d, config.longest)),
                Absolute::Learned => Some(Positions::learned(d, config.longest, rng)),
                Absolute::Nothing => None,
            },
            encoder: (0..config.encoder_blocks).map(|_| encoder(rng)).collect(),
            encoder_norm: at_the_end(),
            decoder: (0..config.decoder_blocks).map(|_| decoder(rng)).collect(),
            decoder_norm: at_the_end(),
            output: (*tied == Tied::Nothing).then(|| Linear::without_bias(d, *target_words, rng)),
            dropout: block.dropout,
            smoothing: config.smoothing,
            start: 0,
            longest: config.longest,
        }
    }

    // ANCHOR: forward
    /// Words as tokens: their vectors, scaled by √d_model, and where they stand.
    fn embed<'t>(
        &self,
        table: &Embedding,
        tape: &'t Tape,
        words: &[usize],
        positions: &[usize],
    ) -> Var<'t> {
        let x = table.forward(tape, words) * (table.weight.value().nrows() as Float).sqrt();
        let placed = self.positions.as_ref().map_or(x, |table| table.add(x, positions));
        placed.dropout(self.dropout) // (d, n)
    }

    /// The encoder: the sources as tokens that know their context (d, m), and where they looked.
    pub fn encode<'t>(&self, tape: &'t Tape, source: &Ragged) -> (Var<'t>, Vec<Weights>) {
        self.encode_at(tape, source, &token_positions(&source.offsets))
    }

    fn encode_at<'t>(
        &self,
        tape: &'t Tape,
        source: &Ragged,
        positions: &[usize],
    ) -> (Var<'t>, Vec<Weights>) {
        let table = self.source.as_ref().unwrap_or(&self.target);
        let mut x = self.embed(table, tape, &source.words, positions);
        let sequences = Sequences::new(&source.offsets);
        let mut looked = Vec::with_capacity(self.encoder.len());
        for block in &self.encoder {
            let (y, weights) = block.forward(x, &sequences);
            looked.push(weights);
            x = y;
        }
        (normalised(&self.encoder_norm, x), looked)
    }

    /// The decoder: the words before, and the encoded sources `h` (d, m), give tokens (d, n) from
    /// which the next words are predicted; and where the blocks looked, back and across.
    pub fn decode<'t>(
        &self,
        h: Var<'t>,
        source: &Ragged,
        previous: &Ragged,
    ) -> (Var<'t>, Vec<[Weights; 2]>) {
        self.decode_at(h, source, previous, &token_positions(&previous.offsets))
    }

    // ANCHOR: decode
    fn decode_at<'t>(
        &self,
        h: Var<'t>,
        source: &Ragged,
        previous: &Ragged,
        positions: &[usize],
    ) -> (Var<'t>, Vec<[Weights; 2]>) {
        let mut x = self.embed(&self.target, h.tape(), &previous.words, positions);
        let own = Sequences::new(&previous.offsets).with(AttentionMask::Causal);
        let across = Sequences::between(&previous.offsets, &source.offsets);
        let mut looked = Vec::with_capacity(self.decoder.len());
        for block in &self.decoder {
            let (y, weights) = block.forward(x, h, &own, &across);
            looked.push(weights);
            x = y;
        }
        (normalised(&self.decoder_norm, x), looked)
    }
    // ANCHOR_END: decode

    /// Logits of the next word (words, n) from the decoder's tokens (d, n).
    pub fn logits<'t>(&self, x: Var<'t>) -> Var<'t> {
        match &self.output {
            Some(output) => output.forward(x),
            None => x.tape().param(&self.target.weight).tr_mul(x), // Eᵀx
        }
    }
    // ANCHOR_END: forward

    /// The positions of a batch's words (sources, targets): every pair begins at a position of its own,
    /// drawn from `0..=start` while training.
    fn positions(&self, tape: &Tape, batch: &Batch) -> [Vec<usize>; 2] {
        let sentences = batch.sentences();
        let drawn =
            |rng: &mut Rng| (0..sentences).map(|_| rng.random_range(0..=self.start)).collect();
        let drawn = if self.start > 0 { tape.draw(drawn) } else { None };
        let starts: Vec<usize> = drawn.unwrap_or_else(|| vec![0; sentences]);
        [&batch.source, &batch.previous].map(|side| {
            let sentences = side.iter().zip(&starts);
            sentences.flat_map(|(words, start)| *start..start + words.len()).collect()
        })
    }

    /// `−Σ ln p` of the words of all translations, their labels smoothed by ε.
    fn smoothed_loss<'t>(&self, tape: &'t Tape, batch: &Batch, epsilon: Float) -> Var<'t> {
        let [read, written] = self.positions(tape, batch);
        let (h, _) = self.encode_at(tape, &batch.source, &read);
        let (x, _) = self.decode_at(h, &batch.source, &batch.previous, &written);
        smoothed_cross_entropy(self.logits(x), &batch.target.words, epsilon)
    }
}

/// The normalisation at the end of a stack, if there is one.
fn normalised<'t>(norm: &Option<LayerNorm>, x: Var<'t>) -> Var<'t> {
    norm.as_ref().map_or(x, |norm| norm.forward(x))
}

impl Translator for Transformer {
    type State = State;

    /// All words of all translations at once: the words before are known.
    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.smoothed_loss(tape, batch, 0.0)
    }

    fn training_loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.smoothed_loss(tape, batch, self.smoothing)
    }

    /// Wherever a sentence begins while training, it has to end within the table of positions.
    fn longest(&self) -> usize {
        self.longest.saturating_sub(self.start)
    }

    fn encode(&self, sources: &[&[usize]]) -> State {
        let (tape, source) = (Tape::no_grad(), Ragged::new(sources));
        let (h, _) = Transformer::encode(self, &tape, &source);
        let positions = token_positions(&source.offsets);
        let read = self.decoder.iter().map(|block| KvCache::of(&block.cross, h, &positions));
        State::new(read.collect(), &source.offsets)
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let position = state.open_step(); // every new word at its true position
        let mut x = self.embed(&self.target, &tape, last, &vec![position; last.len()]);
        let mut looked = vec![Matrix::zeros(0, 0); last.len()];
        for (l, block) in self.decoder.iter().enumerate() {
            (x, looked) = block.step(x, l, state);
        }
        let logits = self.logits(normalised(&self.decoder_norm, x)).value();
        let means = looked.iter().map(|heads| heads.column_mean().as_slice().to_vec());
        Next { log_probabilities: log_softmax(&logits), alignments: means.collect() }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.select(chosen);
    }
}

impl Module for Transformer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("target", &mut self.target);
        visitor.module("positions", &mut self.positions);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("encoder_norm", &mut self.encoder_norm);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("decoder_norm", &mut self.decoder_norm);
        visitor.module("output", &mut self.output);
    }
}
