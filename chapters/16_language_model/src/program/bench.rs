//! `bench`: full training steps on random words, and what share of this machine they are.

use super::training::{decay, slices};
use crate::{Config, Gpt, NetworkKind};
use clap::{Args, ValueEnum};
use rand::RngExt;
use shared::{AdamW, Float, Module, Optimizer, loss_and_gradients, rng};
use workbench::error::Result;
use workbench::steps::{StepReport, TimingArgs, time_steps};

#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// What is timed
    #[arg(long, value_enum, default_value_t = Work::Small)]
    config: Work,
    #[command(flatten)]
    timing: TimingArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Work {
    /// 4 blocks of today, of width 256, 16 texts of 128 words
    Small,
    /// GPT-2 small: 12 blocks of width 768, 4 texts of 128 pieces
    Gpt2,
}

const LENGTH: usize = 128;
const SHARDS: usize = 2;

impl Work {
    /// Its name, the model, and how many texts are read at once.
    fn sizes(self) -> (&'static str, Config, usize) {
        let sizes = |config, blocks, width, heads| Config {
            blocks,
            width,
            heads,
            feed_forward: 4 * width,
            longest: LENGTH,
            ..config
        };
        let gpt2 = Config { groups: 12, network: NetworkKind::GeluTanh, ..Config::gpt2(50_257) };
        match self {
            Work::Small => ("small", sizes(Config::today(8_000), 4, 256, 4), 16),
            Work::Gpt2 => ("gpt2", sizes(gpt2, 12, 768, 12), 4),
        }
    }
}

pub fn bench(arguments: &BenchArgs) -> Result<()> {
    let duration = arguments.timing.begin()?;
    let (name, config, texts) = arguments.config.sizes();
    let rng = &mut rng(0);
    let mut model = Gpt::new(&config, rng);
    let mut text = || (0..=LENGTH).map(|_| rng.random_range(0..config.vocabulary)).collect();
    let shards: Vec<Vec<Vec<usize>>> =
        (0..SHARDS).map(|_| (0..texts / SHARDS).map(|_| text()).collect()).collect();
    let mut optimizer = AdamW::new(1e-4, decay);
    let steps = time_steps(duration, |_| {
        let (_, gradients) = loss_and_gradients(&shards, |tape, texts| {
            model.loss(tape, &slices(texts)) * (1.0 / (shards.len() * LENGTH) as Float)
        });
        let clip = (1.0 / gradients.norm()).min(1.0);
        optimizer.scaled_step(&mut model, &gradients, clip);
    });
    let report = StepReport::new(name.to_owned(), model.parameter_count(), texts * LENGTH, &steps);
    let StepReport { parameters, threads, tokens_per_second, .. } = report;
    let text = format!(
        "{parameters} parameters, {threads} threads\n{tokens_per_second:.0} words a second\n{report}"
    );
    arguments.timing.print(&report, text)
}
