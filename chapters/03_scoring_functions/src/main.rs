//! The experiment of chapter 3: `cargo run --release -p scoring_functions`.

use clap::Parser;
use scoring_functions::program::compare::compare;
use scoring_functions::program::{self, Config};
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
    #[command(flatten)]
    config: Config,
    /// Instead: trains with and without 1/√d
    #[arg(long, conflicts_with = "steps")]
    compare: bool,
}

fn main() -> ExitCode {
    let Arguments { common, config, compare: compares } = parse();
    run(|| {
        let output = Output::open(&common, "scoring_functions")?;
        let config = Config { seed: common.seed, ..config };
        if compares {
            return publish(&output, "results.json", &compare(&config));
        }
        let results = program::run(&config)?;
        output.figure("weights", &program::weights_figure(&config))?;
        publish(&output, "results.json", &results)
    })
}
