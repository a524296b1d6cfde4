//! The program of chapter 8: `cargo run --release -p hard_attention`.

use clap::Parser;
use hard_attention::program::training::{Change, Config, Kind, learning_curve};
use std::process::ExitCode;
use workbench::program::{parse, run, say};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Can one look at a single place, and still learn where?
///
/// Lets attention learn a lookup: sixty-four places, a digit at each, a noisy question for one of them.
/// Says how often the digit is right, and how many places the weights lie on.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    config: Config,
    /// How it is trained
    #[arg(long, value_enum, value_name = "METHOD", default_value = "baseline-entropy")]
    method: Kind,
}

fn main() -> ExitCode {
    let Arguments { seed, config, method } = parse();
    run(|| {
        for (step, tested) in learning_curve(method, Change::None, &config, seed).iter().step_by(4)
        {
            let (right, entropy) = (100.0 * tested.argmax, tested.entropy);
            say(format!("step {step:5}: {right:3.0} % right, entropy {entropy:.2} nats"));
        }
        Ok(())
    })
}
