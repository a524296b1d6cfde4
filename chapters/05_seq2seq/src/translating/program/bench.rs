//! Full training steps on random words: what this machine does.

use crate::Batch;
use crate::translating::corpus::Words;
use crate::translating::training::chapter::{Chapter, Description, Workload};
use crate::translator::Translator;
use crate::words::BEGIN;
use clap::Args;
use rand::RngExt;
use shared::{Adam, Float, Optimizer, loss_and_gradients, rng};
use std::time::Duration;
use workbench::error::Result;
use workbench::steps::{StepReport, Steps, TimingArgs, time_steps};

const SHARDS: usize = 2;

#[derive(Args, Debug, Clone)]
pub struct BenchArgs {
    /// Sizes as textbooks choose them
    #[arg(long)]
    config: String,
    #[command(flatten)]
    timing: TimingArgs,
}

/// Times training steps, and prints the report.
pub fn bench<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    arguments: &BenchArgs,
) -> Result<()> {
    let duration = arguments.timing.begin()?;
    let name = arguments.config.clone();
    let (_, work) = chapter.benches.iter().find(|bench| bench.0 == name).expect("one of these");
    let Workload { what, config, words, sentences, length } = work();
    let both = Words { source: words, target: words };
    let mut model = (chapter.build)(&config, both, &mut rng(0));
    let parameters = model.parameter_count();
    let steps = steps_of(&mut model, &random_batch(sentences, length, words), duration);
    let report = StepReport::new(name, parameters, sentences * length, &steps);
    let text = format!(
        "{what}, {sentences} sentences of {length} words, {parameters} parameters, {} threads\n\
         {:.0} target words a second\n{report}",
        report.threads, report.tokens_per_second
    );
    arguments.timing.print(&report, text)
}

/// Shards of random words, all sentences equally long.
fn random_batch(sentences: usize, words: usize, vocabulary: usize) -> Vec<Batch> {
    let rng = &mut rng(1);
    let mut sentence = || -> Vec<usize> {
        (0..words).map(|_| rng.random_range(3..vocabulary)).collect() // no special word
    };
    let pairs: Vec<_> = (0..sentences).map(|_| (sentence(), sentence())).collect();
    let borrowed: Vec<(&[usize], &[usize])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    borrowed.chunks(sentences / SHARDS).map(|shard| Batch::new(shard, BEGIN)).collect()
}

fn steps_of<M: Translator>(model: &mut M, shards: &[Batch], duration: Duration) -> Steps {
    let mut optimizer = Adam::new(0.005);
    let tokens: usize = shards.iter().map(Batch::tokens).sum();
    time_steps(duration, |step| {
        let numbered: Vec<_> = shards.iter().enumerate().collect();
        let (_, gradients) = loss_and_gradients(&numbered, |tape, (number, shard)| {
            let seed = (step * shards.len() + number) as u64;
            tape.begin_training(rng(seed));
            model.training_loss(tape, shard)
        });
        let mean = 1.0 / tokens as Float;
        let clip = (1.0 / (gradients.norm() * mean)).min(1.0);
        optimizer.scaled_step(model, &gradients, mean * clip);
    })
}
