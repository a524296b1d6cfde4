//! Full training steps and sentence embeddings on random pieces: what this machine does.

use crate::program::asking::means;
use crate::program::pretraining::decay;
use crate::{Bert, Config, Denominators, Examples, Pretraining, Special, Tokens};
use clap::{Args, ValueEnum};
use rand::RngExt;
use rayon::prelude::*;
use shared::{AdamW, Module, Optimizer, Rng, Tape, loss_and_gradients, rng};
use std::time::Duration;
use workbench::error::Result;
use workbench::steps::{StepReport, TimingArgs, time_steps};

#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// What is timed
    #[arg(long, value_enum, default_value_t = Work::Textbook)]
    config: Work,
    #[command(flatten)]
    timing: TimingArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Work {
    /// A step of a textbook's: 2 blocks of width 128, 512 sequences of 64 pieces, 10 masked in each
    Textbook,
    /// 4 blocks of width 256, 32 sequences of 128 pieces
    Small,
    /// BERT-Base: 12 blocks of width 768, 4 sequences of 128 pieces
    Base,
    /// No step: vectors for 64 sentences of 8 to 48 pieces, by 6 blocks of width 384
    Embed,
}

impl Work {
    /// The model; sequences, pieces of each, and masked tokens of each.
    fn sizes(self) -> (Config, [usize; 3]) {
        let (blocks, width, feed_forward, heads, vocabulary, batch) = match self {
            Work::Textbook => (2, 128, 256, 2, 20_256, [512, 64, 10]),
            Work::Small => (4, 256, 1024, 4, 8000, [32, 128, 19]),
            Work::Base => (12, 768, 3072, 12, 30_522, [4, 128, 19]),
            Work::Embed => (6, 384, 1536, 12, 30_522, [64, 28, 0]),
        };
        (Config { blocks, width, feed_forward, heads, vocabulary, ..Config::BASE }, batch)
    }
}

const SHARDS: usize = 2;

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

pub fn bench(arguments: &BenchArgs) -> Result<()> {
    let duration = arguments.timing.begin()?;
    let report = match arguments.config {
        Work::Embed => time_embedding(duration),
        work => time_training(work, duration),
    };
    let StepReport { parameters, threads, tokens_per_second, .. } = report;
    let text = format!(
        "{parameters} parameters, {threads} threads\n{tokens_per_second:.0} pieces a second\n{report}"
    );
    arguments.timing.print(&report, text)
}

fn time_training(work: Work, duration: Duration) -> StepReport {
    let (config, [sequences, length, masked]) = work.sizes();
    let mut model = Pretraining::new(&config, &mut rng(0));
    let part = sequences / SHARDS;
    let shards = [0, 1].map(|i| random(&config, [part, length, masked], &mut rng(i)));
    let whole = Denominators { masked: sequences * masked, pairs: sequences };
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
    StepReport::new(name(work), model.parameter_count(), sequences * length, &steps)
}

fn text(pieces: usize, config: &Config, rng: &mut Rng) -> Vec<usize> {
    (0..pieces).map(|_| rng.random_range(5..config.vocabulary)).collect()
}

/// Random examples of equal length.
fn random(config: &Config, [n, length, masked]: [usize; 3], rng: &mut Rng) -> Examples {
    let half = length / 2;
    let pairs = (0..n).map(|_| {
        let first = text(half - 2, config, rng);
        Tokens::of(&first, Some(&text(length - half - 1, config, rng)), &SPECIAL)
    });
    Examples {
        tokens: Tokens::side_by_side(&pairs.collect::<Vec<_>>()),
        masked: (0..n).flat_map(|i| (0..masked).map(move |j| i * length + 1 + j)).collect(),
        originals: text(n * masked, config, rng),
        follows: (0..n).map(|i| i % 2).collect(),
    }
}

/// A batch of sentences to vectors: the mean of each one's tokens.
fn time_embedding(duration: Duration) -> StepReport {
    let (config, [n, ..]) = Work::Embed.sizes();
    let mut model = Bert::new(&config, &mut rng(0));
    let rng = &mut rng(1);
    let lengths: Vec<usize> = (0..n).rev().map(|i| 8 + i * 40 / (n - 1)).collect();
    let sentences: Vec<Tokens> =
        lengths.iter().map(|n| Tokens::of(&text(n - 2, &config, rng), None, &SPECIAL)).collect();
    let parts = [0, 1].map(|i| {
        let part: Vec<_> = sentences.iter().skip(i).step_by(SHARDS).cloned().collect();
        Tokens::side_by_side(&part)
    });
    let steps = time_steps(duration, |_| {
        parts.par_iter().for_each(|part| {
            let tape = Tape::no_grad();
            let (h, _) = model.forward(&tape, part);
            std::hint::black_box(means(&h.value(), part));
        });
    });
    let pieces = lengths.iter().sum();
    StepReport::new(name(Work::Embed), model.parameter_count(), pieces, &steps)
}

fn name(work: Work) -> String {
    work.to_possible_value().expect("all have names").get_name().to_owned()
}
