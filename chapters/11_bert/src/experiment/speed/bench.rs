//! Full training steps and sentence embeddings on random pieces: what this machine does.

use crate::experiment::asking::means;
use crate::experiment::pretraining::decay;
use crate::experiment::sizes::{Preset, training_memory};
use crate::{Bert, Config, Denominators, Examples, Pretraining, Special, Tokens};
use clap::{Args, ValueEnum};
use rand::RngExt;
use rayon::prelude::*;
use shared::{AdamW, Module, Optimizer, Rng, Tape, loss_and_gradients, rng};
use std::time::Duration;
use workbench::error::{Error, Result};
use workbench::program::{PrecisionArgs, say};
use workbench::steps::{StepReport, time_steps};

/// Arguments of `bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// What is timed
    #[arg(long, value_enum, default_value_t = Work::Textbook)]
    config: Work,
    /// How long
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// In how many bits products read their factors.
    #[command(flatten)]
    precision: PrecisionArgs,
}

/// What can be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Work {
    /// A step of a textbook's: 2 blocks of width 128, 512 sequences of 64 pieces, 10 hidden in each
    Textbook,
    /// 4 blocks of width 256, 32 sequences of 128 pieces
    Small,
    /// BERT-Base: 12 blocks of width 768, 4 sequences of 128 pieces
    Base,
    /// No step: vectors for 64 sentences of 8 to 48 pieces, by 6 blocks of width 384
    Embed,
}

impl Work {
    /// The model.
    fn config(self) -> Config {
        let sizes = |blocks, width, feed_forward, heads, vocabulary| Config {
            blocks,
            width,
            feed_forward,
            heads,
            vocabulary,
            ..Preset::Base.config()
        };
        match self {
            Work::Textbook => sizes(2, 128, 256, 2, 20_256),
            Work::Small => sizes(4, 256, 1024, 4, 8000),
            Work::Base => Preset::Base.config(),
            Work::Embed => sizes(6, 384, 1536, 12, 30_522),
        }
    }

    /// Sequences, pieces of each, and hidden pieces of each.
    fn batch(self) -> (usize, usize, usize) {
        match self {
            Work::Textbook => (512, 64, 10),
            Work::Small => (32, 128, 19),
            Work::Base => (4, 128, 19),
            Work::Embed => (64, 28, 0),
        }
    }
}

/// The parts of a batch.
const SHARDS: usize = 2;

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Times the work and prints the report.
pub fn bench(arguments: &BenchArgs) -> Result<()> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(Error::argument("--seconds: a number above 0 and up to 3600 is needed"));
    }
    arguments.precision.begin();
    let duration = Duration::from_secs_f64(arguments.seconds);
    let report = match arguments.config {
        Work::Embed => time_embedding(duration),
        work => time_training(work, duration),
    };
    match arguments.json {
        true => say(serde_json::to_string(&report).map_err(Error::argument)?),
        false => {
            say(format!("{} parameters, {} threads", report.parameters, report.threads));
            say(format!("{:.0} pieces a second", report.tokens_per_second));
            say(report);
        }
    }
    Ok(())
}

fn time_training(work: Work, duration: Duration) -> StepReport {
    let (sequences, length, hidden) = work.batch();
    let config = work.config();
    let mut model = Pretraining::new(&config, &mut rng(0));
    let part = sequences / SHARDS;
    let shards: Vec<Examples> =
        (0..SHARDS).map(|i| random(&config, part, length, hidden, &mut rng(i as u64))).collect();
    let whole = Denominators { hidden: sequences * hidden, pairs: sequences };
    let mut optimizer = AdamW::new(1e-4, decay);
    let steps = time_steps(duration, |step| {
        let numbered: Vec<_> = shards.iter().enumerate().collect();
        let (_, gradients) = loss_and_gradients(&numbered, |tape, (number, shard)| {
            let seed = (step * SHARDS + number) as u64;
            tape.begin_training(rng(seed));
            model.loss(tape, shard, &whole)
        });
        let clip = (1.0 / gradients.norm()).min(1.0);
        optimizer.scaled_step(&mut model, &gradients, clip);
    });
    let estimate = training_memory(&config, sequences, length, SHARDS).unwrap_or(0);
    StepReport::new(name(work), model.parameter_count(), sequences * length, &steps, estimate)
}

/// Random examples of equal length.
fn random(
    config: &Config,
    sequences: usize,
    length: usize,
    hidden: usize,
    rng: &mut Rng,
) -> Examples {
    let mut text = |n: usize| -> Vec<usize> {
        (0..n).map(|_| rng.random_range(5..config.vocabulary)).collect()
    };
    let half = length / 2;
    let tokens: Vec<Tokens> = (0..sequences)
        .map(|_| Tokens::of(&text(half - 2), Some(&text(length - half - 1)), &SPECIAL))
        .collect();
    let (tokens, originals) = (Tokens::side_by_side(&tokens), text(sequences * hidden));
    let columns = (0..sequences).flat_map(|i| (0..hidden).map(move |j| i * length + 1 + j));
    Examples {
        tokens,
        hidden: columns.collect(),
        originals,
        follows: (0..sequences).map(|i| i % 2).collect(),
    }
}

/// A batch of sentences to vectors: the mean of each one's tokens.
fn time_embedding(duration: Duration) -> StepReport {
    let config = Work::Embed.config();
    let mut model = Bert::new(&config, &mut rng(0));
    let rng = &mut rng(1);
    let mut lengths: Vec<usize> = (0..64).map(|i| 8 + i * 40 / 63).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let sentences: Vec<Tokens> = lengths
        .iter()
        .map(|n| {
            let text: Vec<usize> =
                (0..n - 2).map(|_| rng.random_range(5..config.vocabulary)).collect();
            Tokens::of(&text, None, &SPECIAL)
        })
        .collect();
    let parts: Vec<Tokens> = (0..SHARDS)
        .map(|i| {
            let part: Vec<_> = sentences.iter().skip(i).step_by(SHARDS).cloned().collect();
            Tokens::side_by_side(&part)
        })
        .collect();
    let steps = time_steps(duration, |_| {
        parts.par_iter().for_each(|part| {
            let tape = Tape::without_gradients();
            let (h, _) = model.forward(&tape, part);
            std::hint::black_box(means(&h.value(), part));
        });
    });
    let pieces = lengths.iter().sum();
    StepReport::new(name(Work::Embed), model.parameter_count(), pieces, &steps, 0)
}

fn name(work: Work) -> String {
    work.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
