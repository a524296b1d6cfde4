//! Full training steps on random words: what this machine does.

use super::bench_writing::{Search, random_sentence, time_writing};
use crate::Batch;
use crate::translating::training::memory::training_memory;
use crate::translating::training::recipe::{Benched, Words};
use crate::translator::Translator;
use crate::words::BEGIN;
use clap::{Args, ValueEnum};
use serde::Serialize;
use shared::{Adam, Float, Module, Optimizer, loss_and_gradients, rng};
use std::time::Duration;
use workbench::error::{Error, Result};
use workbench::program::{PrecisionArgs, say};
use workbench::steps::{StepReport, Steps, time_steps};

const SHARDS: usize = 2;

#[derive(Args, Debug, Clone)]
pub struct BenchArgs<P: ValueEnum + Clone + Send + Sync + 'static> {
    /// Sizes as textbooks choose them
    #[arg(long, value_enum, default_value_t = first::<P>())]
    config: P,
    /// How long to train
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// Time the writing of translations instead
    #[arg(long, value_enum)]
    decode: Option<Search>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    precision: PrecisionArgs,
}

fn first<P: ValueEnum + Clone>() -> P {
    P::value_variants()[0].clone()
}

/// Times training steps, or the writing of translations, and prints the report.
pub fn bench<R: Benched>(arguments: &BenchArgs<R::Preset>) -> Result<()> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(Error::argument("--seconds: a number above 0 and up to 3600 is needed"));
    }
    arguments.precision.begin();
    let work = R::workload(&arguments.config);
    let words = Words { source: work.words, target: work.words };
    let duration = Duration::from_secs_f64(arguments.seconds);
    let name = arguments.config.to_possible_value().map(|value| value.get_name().to_owned());
    let name = name.unwrap_or_default();
    let mut model = R::build(&work.config, words, &mut rng(0));
    if let Some(search) = arguments.decode {
        let report = time_writing(name, &model, work.words, search, duration);
        let text = format!("{}, {report}", work.what);
        return print(&report, text, arguments.json);
    }
    let lengths = vec![(work.length, work.length); work.sentences];
    let estimate = training_memory::<R>(&work.config, words, &lengths, work.sentences, SHARDS)
        .unwrap_or(u64::MAX);
    let shards = random_batch(work.sentences, work.length, work.words);
    let steps = steps_of(&mut model, &shards, duration);
    let tokens = work.sentences * work.length;
    let report = StepReport::new(name, model.parameter_count(), tokens, &steps, estimate);
    let text = format!(
        "{}, {} sentences of {} words, {} parameters, {} threads\n{:.0} target words a second\n{report}",
        work.what,
        work.sentences,
        work.length,
        report.parameters,
        report.threads,
        report.tokens_per_second
    );
    print(&report, text, arguments.json)
}

fn print(report: &impl Serialize, text: String, json: bool) -> Result<()> {
    let json = json.then(|| serde_json::to_string(report).map_err(Error::argument)).transpose()?;
    say(json.unwrap_or(text));
    Ok(())
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
