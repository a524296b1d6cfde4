//! The experiment of chapter 3: `cargo run --release -p scoring_functions`.

use clap::Parser;
use scoring_functions::experiment::compare::compare;
use scoring_functions::experiment::{self, Config};
use std::process::ExitCode;
use workbench::program::{Common, Output, parse, run};
use workbench::study::publish;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Which score finds the key that fits?
///
/// First measures what dividing by √d does to a softmax, for d = 1 … 4096. Then lets eight scores
/// learn a lookup – sixteen keys, sixteen values, a noisy question for each – in four worlds: queries
/// in the keys' space, in a rotated one, in one of another dimension, and queries that name a
/// position. Writes figures and results.json.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated with other data and start values
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps as u64,
          value_parser = clap::value_parser!(u64).range(experiment::SAMPLES as u64..=1_000_000))]
    steps: u64,
    /// Instead: trains with and without 1/√d, and with weights left out at random
    #[arg(long, conflicts_with = "steps")]
    compare: bool,
}

fn main() -> ExitCode {
    let Arguments { common, seeds, steps, compare: compares } = parse();
    run(|| {
        let output = Output::open(&common, "scoring_functions")?;
        let config = Config { seed: common.seed, seeds: seeds as usize, steps: steps as usize };
        if compares {
            return publish(&output, "results.json", &compare(&config));
        }
        let results = experiment::run(&config)?;
        output.figure("weights", &experiment::weights_figure(&config))?;
        publish(&output, "results.json", &results)
    })
}
