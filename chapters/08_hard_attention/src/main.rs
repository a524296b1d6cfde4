//! The experiment of chapter 8: `cargo run --release -p hard_attention`.

use clap::{Parser, ValueEnum};
use hard_attention::experiment::training::SAMPLES;
use hard_attention::experiment::{self, Config, collapse, in_turn, marginal};
use std::process::ExitCode;
use workbench::program::{Common, Output, parse, run};
use workbench::study::publish;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Can one look at a single place, and still learn where?
///
/// Draws thousands of REINFORCE estimates of one gradient and holds them against the gradient itself,
/// which is found by visiting all places; then lets soft and hard attention learn the same lookup:
/// sixty-four places, a digit at each, a noisy question for one of them. Writes figures and
/// results.json.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated, in another world with other data
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps as u64,
          value_parser = clap::value_parser!(u64).range(SAMPLES as u64..=1_000_000))]
    steps: u64,
    /// Estimates that are averaged
    #[arg(long, value_name = "N", default_value_t = Config::default().draws as u64,
          value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    draws: u64,
    /// Weight of the entropy bonus
    #[arg(long, value_name = "λ", default_value_t = f64::from(Config::default().lambda),
          value_parser = number)]
    lambda: f64,
    /// Episodes in a batch, sixteen questions each
    #[arg(long, value_name = "N", default_value_t = Config::default().episodes as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    episodes: u64,
    /// Step size of Adam
    #[arg(long, value_name = "η", default_value_t = f64::from(Config::default().learning_rate),
          value_parser = number)]
    learning_rate: f64,
    /// Instead: trains for one of the page's longer questions
    #[arg(long, value_enum, value_name = "QUESTION")]
    about: Option<About>,
}

/// A question that takes minutes.
#[derive(Clone, Copy, ValueEnum)]
enum About {
    /// The marginal likelihood beside its bound
    Marginal,
    /// Why alignments sharpen early: one change at a time
    Collapse,
    /// Several looks in turn, and the credit of each
    Sequence,
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number as f32 == 0.0 => {
            Err("it is too small for single precision".into())
        }
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 100".into()),
    }
}

fn main() -> ExitCode {
    let Arguments { common, seeds, steps, draws, lambda, episodes, learning_rate, about } = parse();
    run(|| {
        let output = Output::open(&common, "hard_attention")?;
        let config = Config {
            seed: common.seed,
            seeds: seeds as usize,
            steps: steps as usize,
            draws: draws as usize,
            lambda: lambda as f32,
            episodes: episodes as usize,
            learning_rate: learning_rate as f32,
        };
        match about {
            None => {
                let results = experiment::run(&config)?;
                output.figure("alignments", &experiment::alignments(&config))?;
                publish(&output, RESULTS, &results)
            }
            Some(About::Marginal) => publish(&output, RESULTS, &marginal::run(&config)?),
            Some(About::Collapse) => publish(&output, RESULTS, &collapse::run(&config)?),
            Some(About::Sequence) => publish(&output, RESULTS, &in_turn::run(&config)?),
        }
    })
}

const RESULTS: &str = "results.json";
