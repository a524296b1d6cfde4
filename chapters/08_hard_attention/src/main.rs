//! The experiment of chapter 8: `cargo run --release -p hard_attention`.

use clap::{Parser, ValueEnum};
use hard_attention::program::{self, Config, collapse, in_turn, marginal};
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
    #[command(flatten)]
    config: Config,
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

fn main() -> ExitCode {
    let Arguments { common, config, about } = parse();
    run(|| {
        let output = Output::open(&common, "hard_attention")?;
        let config = Config { seed: common.seed, ..config };
        match about {
            None => {
                let results = program::run(&config)?;
                output.figure("alignments", &program::alignments(&config))?;
                publish(&output, RESULTS, &results)
            }
            Some(About::Marginal) => publish(&output, RESULTS, &marginal::run(&config)?),
            Some(About::Collapse) => publish(&output, RESULTS, &collapse::run(&config)?),
            Some(About::Sequence) => publish(&output, RESULTS, &in_turn::run(&config)?),
        }
    })
}

const RESULTS: &str = "results.json";
