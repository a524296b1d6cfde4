//! Full training steps on random words: what this machine does.

use super::bench_writing::{LENGTH, SENTENCES, Search, random_sentence, time_writing};
use crate::Batch;
use crate::translating::training::memory::training_memory;
use crate::translating::training::recipe::{Benched, Words};
use crate::translator::Translator;
use crate::words::BEGIN;
use clap::{Args, ValueEnum};
use shared::{Adam, Float, Module, Optimizer, loss_and_gradients, rng};
use std::time::Duration;
use workbench::error::Result;
use workbench::steps::{StepReport, Steps, TimingArgs, time_steps};

const SHARDS: usize = 2;

#[derive(Args, Debug, Clone)]
pub struct BenchArgs<P: ValueEnum + Clone + Send + Sync + 'static> {
    /// Sizes as textbooks choose them
    #[arg(long, value_enum, default_value_t = first::<P>())]
    config: P,
    /// Time the writing of translations instead
    #[arg(long, value_enum)]
    decode: Option<Search>,
    #[command(flatten)]
    timing: TimingArgs,
}

fn first<P: ValueEnum + Clone>() -> P {
    P::value_variants()[0].clone()
}

/// Times training steps, or the writing of translations, and prints the report.
pub fn bench<R: Benched>(arguments: &BenchArgs<R::Preset>) -> Result<()> {
    let duration = arguments.timing.begin()?;
    let work = R::workload(&arguments.config);
    let words = Words { source: work.words, target: work.words };
    let name = arguments.config.to_possible_value().map(|value| value.get_name().to_owned());
    let name = name.unwrap_or_default();
    let mut model = R::build(&work.config, words, &mut rng(0));
    let parameters = model.parameter_count();
    let (sentences, length, steps, estimate) = match arguments.decode {
        Some(search) => {
            let steps = time_writing(&model, work.words, search, duration);
            (SENTENCES, LENGTH, steps, None)
        }
        None => {
            let shards = random_batch(work.sentences, work.length, work.words);
            let lengths = vec![(work.length, work.length); work.sentences];
            let bytes = training_memory::<R>(&work.config, words, &lengths, work.sentences, SHARDS);
            (work.sentences, work.length, steps_of(&mut model, &shards, duration), bytes)
        }
    };
    let report = StepReport::new(name, parameters, sentences * length, &steps, estimate);
    let text = format!(
        "{}, {sentences} sentences of {length} words, {parameters} parameters, {} threads\n\
         {:.0} target words a second\n{report}",
        work.what, report.threads, report.tokens_per_second
    );
    arguments.timing.print(&report, text)
}

/// Shards of random words, all sentences equally long.
fn random_batch(sentences: usize, words: usize, vocabulary: usize) -> Vec<Batch> {
    let rng = &mut rng(1);
    let mut sentence = || random_sentence(words, vocabulary, rng);
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
