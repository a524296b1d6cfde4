//! The chapter's program, which it shares with chapters 5, 6 and 7: see [`seq2seq::translating`].

#![allow(missing_docs)] // a program: names say it

mod positions;

pub use positions::{Distances, Positions};

use crate::{Absolute, BlockSizes, Encoding, Norm, Tied, Transformer};
use clap::{Args, ValueEnum};
use scoring_functions::fused::Weights;
use self_attention::MultiHead;
use seq2seq::translating::{Chapter, Heads, Kind, Look, Words, Workload};
use seq2seq::{BEGIN, Batch};
use serde::{Deserialize, Serialize, Serializer};
use shared::{Float, Matrix, Rng, Tape};
use std::process::ExitCode;
use workbench::training::{Options, Schedule, Shape};

/// Positions by which a training pair may be moved with random positions: as many as the longest sentence
/// trained on has words.
pub const START: u32 = parallel::LONGEST_TRAINED as u32;

/// The positions that are best on long sentences.
pub const BEST: Positions = Positions::Shaw;

pub const CHAPTER: Chapter<Sizes, Transformer> = Chapter {
    name: "transformer",
    about: [
        "What is left when recurrence is gone?",
        "Trains a Transformer on English–French pairs that the course generates, or on yours (--data), tells how \
         well it translates and aligns, and draws what it looked at.",
    ],
    batch: 64,
    check,
    heeds,
    least,
    build,
    options,
    heads: Some(Heads { looks, ablate }),
    benches: &[
        ("textbook", || bench([256, 64, 4, 2], [200, 128, 9])),
        ("small", || bench([32, 64, 4, 2], [200, 64, 10])),
        ("base", || bench([512, 2048, 8, 6], [8000, 16, 32])),
    ],
};

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    CHAPTER.program()
}

/// Tokens of a sentence that a model may have positions for: no parameter says how long their table is.
const MOST_PLACES: u32 = 16_384;

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Entries of a token
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub width: u32,
    /// Hidden units of the feed-forward networks
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    pub feed_forward: u32,
    /// Heads of every attention; they divide the width
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub heads: u32,
    /// Blocks of the encoder
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=24))]
    pub encoder_blocks: u32,
    /// Blocks of the decoder
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=24))]
    pub decoder_blocks: u32,
    /// Probability of leaving out a unit while training
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    pub dropout: Float,
    /// How much of the reference word's probability is spread over all words while training
    #[arg(long, value_name = "E", default_value_t = 0.1)]
    pub smoothing: Float,
    /// Where the residual blocks normalise
    #[arg(long, value_enum, default_value_t = Norm::Post)]
    pub norm: Norm,
    /// Which tables of word vectors are one
    #[arg(long, value_enum, default_value_t = Tied::Output)]
    pub tied: Tied,
    /// Tokens of the longest sentence
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(8..=i64::from(MOST_PLACES)))]
    pub longest: u32,
    /// The farthest position at which a pair begins while training, drawn for every pair
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8192))]
    #[serde(default)]
    pub start: u32,
    /// How a word knows where it stands
    #[arg(long, value_enum, default_value_t = BEST)]
    #[serde(default)] // a model from before there was a choice
    pub positions: Positions,
    /// Where shaw, rope and alibi are used [default: both]
    #[arg(long, value_enum, value_name = "ATTENTION")]
    #[serde(default, serialize_with = "heeded")]
    pub distances: Option<Distances>,
    /// How the learning rate falls after the warm-up
    #[arg(long, value_enum, default_value_t = Decay::default())]
    #[serde(default, skip_serializing_if = "Decay::is_default")]
    // as in files from before there was a choice
    pub schedule: Decay,
}

/// Files hold what a model is built with, whether it was given or not.
fn heeded<S: Serializer>(distances: &Option<Distances>, to: S) -> Result<S::Ok, S::Error> {
    distances.unwrap_or_default().serialize(to)
}

/// `--schedule`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// In a straight line, to 0 at the last step
    #[default]
    Straight,
    /// As the inverse square root of the step, as in the paper
    Paper,
}

impl Decay {
    fn is_default(&self) -> bool {
        *self == Decay::default()
    }
}

impl Sizes {
    /// Sizes with which a training takes seconds.
    pub const QUICK: Sizes = Sizes {
        width: 16,
        feed_forward: 32,
        heads: 2,
        encoder_blocks: 1,
        decoder_blocks: 1,
        dropout: 0.1,
        smoothing: 0.1,
        norm: Norm::Post,
        tied: Tied::Output,
        longest: 128,
        start: 0,
        positions: Positions::Sinusoids,
        distances: None,
        schedule: Decay::Straight,
    };

    fn encoding(&self) -> Encoding {
        self.positions.encoding(self.distances.unwrap_or_default())
    }

    /// The farthest position at which a training pair begins: with random positions, unless another is
    /// given, so far that the longest sentence trained on ends within twice its length.
    fn farthest_start(&self) -> u32 {
        match self.positions {
            Positions::Random if self.start == 0 => START,
            _ => self.start,
        }
    }

    pub fn config(&self, words: Words) -> crate::Config {
        crate::Config {
            source_words: words.source,
            target_words: words.target,
            encoder_blocks: self.encoder_blocks as usize,
            decoder_blocks: self.decoder_blocks as usize,
            block: BlockSizes {
                d_model: self.width as usize,
                d_ff: self.feed_forward as usize,
                heads: self.heads as usize,
                dropout: self.dropout,
                norm: self.norm,
            },
            tied: self.tied,
            smoothing: self.smoothing,
            encoding: self.encoding(),
            longest: self.longest as usize,
        }
    }
}

fn check(sizes: &Sizes, joint: bool) -> Result<(), String> {
    let Sizes { width, heads, dropout, smoothing, .. } = sizes;
    let counts = [sizes.feed_forward, sizes.encoder_blocks, sizes.decoder_blocks, sizes.longest];
    if *width == 0 || counts.contains(&0) {
        return Err("every size must be at least 1".to_owned());
    }
    if width % 2 != 0 {
        return Err(format!("a width of {width}: sines and cosines of positions come in pairs"));
    }
    if *heads == 0 || width % heads != 0 {
        return Err(format!("{heads} heads do not divide a width of {width}"));
    }
    if sizes.longest > MOST_PLACES {
        return Err(format!("positions for {} tokens: {MOST_PLACES} are the most", sizes.longest));
    }
    if sizes.positions == Positions::Rope && !(width / heads).is_multiple_of(2) {
        return Err(format!(
            "--positions rope: heads of {} rows, and a rotation turns pairs",
            width / heads
        ));
    }
    if sizes.farthest_start() > sizes.longest / 2 {
        return Err(format!(
            "sentences that begin at position {} and positions for {} tokens: at most half of the \
             positions can be left out",
            sizes.farthest_start(),
            sizes.longest
        ));
    }
    for (name, share) in [("dropout", dropout), ("smoothing", smoothing)] {
        if !(0.0..1.0).contains(share) {
            return Err(format!("{name} {share}: it must be at least 0 and below 1"));
        }
    }
    if sizes.tied == Tied::Everything && !joint {
        let reason = "--tied everything: one table for both languages needs one vocabulary";
        return Err(format!("{reason} of both, as --subwords makes it"));
    }
    Ok(())
}

fn heeds(sizes: &Sizes) -> Result<(), String> {
    let positions = sizes.positions.name();
    if sizes.distances.is_some() && !sizes.positions.are_distances() {
        return Err(format!(
            "--distances: it says where shaw, rope and alibi are used, and --positions is {positions}"
        ));
    }
    if sizes.start > 0 && sizes.encoding().absolute == Absolute::Nothing {
        return Err(format!(
            "--start: with {positions} in self-attention no word has a position to begin at; \
             --positions sinusoids, learned, random or --distances cross give it one"
        ));
    }
    Ok(())
}

fn least(sizes: &Sizes, words: Words) -> u128 {
    let Sizes { width, feed_forward, encoder_blocks, decoder_blocks, .. } = *sizes;
    let [width, encoder, decoder] = [width, encoder_blocks, decoder_blocks].map(u128::from);
    let [attention, network] = [4 * width, 2 * u128::from(feed_forward)]; // rows of their matrices
    let blocks = encoder * (attention + network) + decoder * (2 * attention + network);
    let tables = match sizes.tied {
        Tied::Everything => words.target,
        _ => words.source + words.target,
    };
    (blocks + tables as u128) * width
}

fn build(sizes: &Sizes, words: Words, rng: &mut Rng) -> Transformer {
    Transformer {
        start: sizes.farthest_start() as usize,
        ..Transformer::new(&sizes.config(words), rng)
    }
}

/// How a model is trained on so many pairs in batches of so many.
pub fn options(sizes: &Sizes, pairs: usize, batch: usize) -> Options {
    const STEPS: usize = 3_000;
    let epochs = STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(10, 200);
    let shape = match sizes.schedule {
        Decay::Straight => Shape::Linear { total: 0 }, // to the last step
        Decay::Paper => Shape::InverseSquareRoot,
    };
    let schedule = Schedule { rate: 3e-3, warmup: 400, shape };
    Options { epochs, schedule, ..Options::default() }
}

fn looks(model: &Transformer, source: &[usize], target: &[usize]) -> Vec<Look> {
    let (tape, batch) = (Tape::no_grad(), Batch::new(&[(source, target)], BEGIN));
    let (h, encoder) = model.encode(&tape, &batch.source);
    let (_, decoder) = model.decode(h, &batch.source, &batch.previous);
    let heads =
        |weights: &Weights| (0..weights.heads()).map(|i| weights.of(0, i).clone()).collect();
    let across = |part: usize| decoder.iter().map(|both| heads(&both[part])).collect();
    vec![
        Look { kind: Kind::Encoder, blocks: encoder.iter().map(heads).collect() },
        Look { kind: Kind::Decoder, blocks: across(0) },
        Look { kind: Kind::Cross, blocks: across(1) },
    ]
}

fn ablate(model: &mut Transformer, place: [usize; 3], removed: Option<Matrix>) -> Matrix {
    let [look, block, head] = place;
    let attention = attention(model, look, block);
    match removed {
        None => attention.ablate(head),
        Some(whole) => std::mem::replace(attention.w_o.weight.value_mut(), whole),
    }
}

/// The attention of a block, by its place in [`looks`].
fn attention(model: &mut Transformer, look: usize, block: usize) -> &mut MultiHead {
    match look {
        0 => &mut model.encoder[block].attention,
        1 => &mut model.decoder[block].attention,
        _ => &mut model.decoder[block].cross,
    }
}

/// Blocks on either side of a width, with hidden units and heads; words, sentences, and words of a sentence. The
/// paper's base model has one table of words and its own dropout.
fn bench(
    [width, feed_forward, heads, blocks]: [u32; 4],
    [words, sentences, length]: [usize; 3],
) -> Workload<Sizes> {
    let is_base = width == 512;
    let config = Sizes {
        width,
        feed_forward,
        heads,
        encoder_blocks: blocks,
        decoder_blocks: blocks,
        dropout: if is_base { 0.1 } else { 0.2 },
        tied: if is_base { Tied::Everything } else { Tied::Nothing },
        longest: 1024,
        ..Sizes::QUICK
    };
    let what = format!("{blocks} + {blocks} blocks of width {width}");
    Workload { what, config, words, sentences, length }
}
