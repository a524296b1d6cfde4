//! The chapter's program: eight scores learn a lookup.

use clap::Parser;
use scoring_functions::program::{Kind, SAMPLES, Setting, learn};
use std::process::ExitCode;
use workbench::program::{Table, parse, run, say, within};
use workbench::study::trainings;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Which score finds the key that fits?
///
/// Eight scores learn a lookup – sixteen keys, sixteen values, a noisy question for each – in four worlds:
/// queries in the keys' space, in a rotated one, in one of another dimension, and queries that name a
/// position.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = within(SAMPLES as u64..=1_000_000))]
    steps: usize,
    /// Seed of every random number
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn main() -> ExitCode {
    let Arguments { steps, seed } = parse();
    run(|| {
        let cells = Kind::ALL.map(|kind| Setting::ALL.map(|setting| (setting, kind))).concat();
        let accuracies = trainings("eight scores, four worlds", &cells, |(setting, kind)| {
            Ok(learn(*setting, *kind, steps, seed).map(|(_, curve)| curve[curve.len() - 1]))
        })?;
        let mut table = Table::new(["score", "same", "rotated", "wider", "position"]);
        for (kind, accuracies) in Kind::ALL.iter().zip(accuracies.chunks(4)) {
            let shown =
                |i: usize| accuracies[i].map_or("–".into(), |right| format!("{right:.3}"));
            table.row([kind.name().into(), shown(0), shown(1), shown(2), shown(3)]);
        }
        say(format!("Accuracy after {steps} steps\n\n{table}"));
        Ok(())
    })
}
