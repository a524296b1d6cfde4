//! Full training steps on random words: what this machine does.

use super::bench_writing::{Search, time_writing};
use super::memory::training_memory;
use super::recipe::{Recipe, Words, Workload};
use crate::Batch;
use crate::translator::Translator;
use crate::words::BEGIN;
use clap::{Args, ValueEnum};
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;
use shared::{
    Adam, Float, Matrix, Module, Optimizer, Precision, arithmetic, gemm, loss_and_gradients, rng,
};
use std::time::{Duration, Instant};
use workbench::error::{Error, Result};
use workbench::memory::peak_memory;
use workbench::program::{PrecisionArgs, say};

/// The parts of a batch.
const SHARDS: usize = 2;

/// Arguments of `bench`.
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
    /// In how many bits products read their factors.
    #[command(flatten)]
    precision: PrecisionArgs,
}

fn first<P: ValueEnum + Clone>() -> P {
    P::value_variants()[0].clone()
}

/// What was measured.
#[derive(Serialize)]
struct Report {
    config: String,
    precision: &'static str,
    parameters: usize,
    steps: usize,
    /// Of the fastest step.
    milliseconds: f64,
    median_milliseconds: f64,
    /// Target words, in the fastest step.
    tokens_per_second: f64,
    /// Multiplications and additions of the matrix products.
    gflops: f64,
    /// What the matrix kernel alone reaches on all threads.
    peak_gflops: f64,
    share_of_peak: f64,
    peak_mib: Option<f64>,
    /// What was expected of it.
    estimated_mib: f64,
    threads: usize,
}

/// Times training steps, or the writing of translations, and prints the report.
pub fn bench<R: Recipe>(arguments: &BenchArgs<R::Preset>) -> Result<()> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(Error::argument("--seconds: a number above 0 and up to 3600 is needed"));
    }
    arguments.precision.begin();
    let work = R::workload(&arguments.config);
    let words = Words { source: work.words, target: work.words };
    let duration = Duration::from_secs_f64(arguments.seconds);
    let name = arguments.config.to_possible_value().map(|value| value.get_name().to_owned());
    let name = name.unwrap_or_default();
    if let Some(search) = arguments.decode {
        let model = R::build(&work.config, words, &mut rng(0));
        let report = time_writing(name, &model, work.words, search, duration);
        match arguments.json {
            true => say(serde_json::to_string(&report).map_err(Error::argument)?),
            false => say(format!("{}, {report}", work.what)),
        }
        return Ok(());
    }
    let lengths = vec![(work.length, work.length); work.sentences];
    let estimate = training_memory::<R>(&work.config, words, &lengths, work.sentences, SHARDS)
        .unwrap_or(u64::MAX);
    let mut model = R::build(&work.config, words, &mut rng(0));
    let shards = random_batch(work.sentences, work.length, work.words);
    let (times, operations) = time_steps(&mut model, &shards, duration);
    let memory = peak_memory();
    let peak = kernel_peak();
    let best = times[0].as_secs_f64();
    let mebibytes = |bytes: u64| bytes as f64 / (1 << 20) as f64;
    let report = Report {
        config: name,
        precision: Precision::current().name(),
        parameters: model.parameter_count(),
        steps: times.len(),
        milliseconds: best * 1e3,
        median_milliseconds: times[times.len() / 2].as_secs_f64() * 1e3,
        tokens_per_second: (work.sentences * work.length) as f64 / best,
        gflops: operations / best / 1e9,
        peak_gflops: peak / 1e9,
        share_of_peak: operations / best / peak,
        peak_mib: memory.map(mebibytes),
        estimated_mib: mebibytes(estimate),
        threads: rayon::current_num_threads(),
    };
    match arguments.json {
        true => say(serde_json::to_string(&report).map_err(Error::argument)?),
        false => print(&report, &work),
    }
    Ok(())
}

fn print<C>(report: &Report, work: &Workload<C>) {
    say(format!(
        "{}, {} sentences of {} words, {} parameters, {} threads",
        work.what, work.sentences, work.length, report.parameters, report.threads
    ));
    say(format!(
        "{:.2} ms a training step (the fastest of {}; the median {:.2} ms)",
        report.milliseconds, report.steps, report.median_milliseconds
    ));
    say(format!("{:.0} target words a second", report.tokens_per_second));
    say(format!(
        "{:.0} GFLOP/s in matrix products in {}, {:.0} % of the {:.0} that the matrix kernel alone reaches here",
        report.gflops,
        report.precision,
        report.share_of_peak * 100.0,
        report.peak_gflops
    ));
    if let Some(mib) = report.peak_mib {
        say(format!("{mib:.0} MiB at most ({:.0} were estimated)", report.estimated_mib));
    }
}

/// Shards of random words, all sentences equally long.
fn random_batch(sentences: usize, words: usize, vocabulary: usize) -> Vec<Batch> {
    let rng = &mut rng(1);
    let mut sentence =
        || -> Vec<usize> { (0..words).map(|_| rng.random_range(3..vocabulary)).collect() };
    let pairs: Vec<_> = (0..sentences).map(|_| (sentence(), sentence())).collect();
    let borrowed: Vec<(&[usize], &[usize])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    borrowed.chunks(sentences / SHARDS).map(|shard| Batch::new(shard, BEGIN)).collect()
}

/// The durations of training steps, sorted, and the multiplications and additions of one step in
/// matrix products.
fn time_steps<M: Translator>(
    model: &mut M,
    shards: &[Batch],
    duration: Duration,
) -> (Vec<Duration>, f64) {
    let mut optimizer = Adam::new(0.005);
    let tokens: usize = shards.iter().map(Batch::tokens).sum();
    let mut times = Vec::new();
    let (begin, before) = (Instant::now(), arithmetic());
    while begin.elapsed() < duration || times.len() < 5 {
        let start = Instant::now();
        let numbered: Vec<_> = shards.iter().enumerate().collect();
        let (_, gradients) = loss_and_gradients(&numbered, |tape, (number, shard)| {
            let seed = (times.len() * shards.len() + number) as u64;
            model.loss(tape, shard, Some(&mut rng(seed)))
        });
        let mean = 1.0 / tokens as Float;
        let clip = (1.0 / (gradients.norm() * mean)).min(1.0);
        optimizer.scaled_step(model, &gradients, mean * clip);
        times.push(start.elapsed());
    }
    let operations = (arithmetic() - before) as f64 / times.len() as f64;
    times.sort();
    (times, operations)
}

/// What the matrix kernel alone reaches, on every thread at once: operations a second.
fn kernel_peak() -> f64 {
    const SIZE: usize = 768;
    const TIMES: usize = 8;
    let threads = rayon::current_num_threads();
    let run = || {
        let start = Instant::now();
        (0..threads).into_par_iter().for_each(|_| {
            let a = Matrix::from_fn(SIZE, SIZE, |i, j| ((i + 2 * j) % 7) as Float);
            let mut c = Matrix::zeros(SIZE, SIZE);
            (0..TIMES).for_each(|_| gemm(0.0, &mut c, 1.0, &a, &a));
            std::hint::black_box(&c);
        });
        start.elapsed().as_secs_f64()
    };
    let best = (0..10).map(|_| run()).fold(f64::INFINITY, f64::min);
    (2 * SIZE.pow(3) * TIMES * threads) as f64 / best
}
