//! The experiment of chapter 3: `cargo run --release -p scoring_functions`.

use clap::Parser;
use scoring_functions::experiment::compare::{Compared, compare};
use scoring_functions::experiment::{self, Config, Kind, Setting, sizes};
use std::process::ExitCode;
use workbench::program::{Common, Output, Table, parse, progress, run, say};

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
            let compared = compare(&config);
            tell(&compared);
            output.results(&compared)?;
            say(format!("\nresults.json is in {}", output.folder().display()));
            return Ok(());
        }
        let bar = progress(experiment::trainings(&config) as u64, "trainings");
        bar.set_message("eight scores, four worlds");
        let results = experiment::run(&config, || bar.inc(1));
        bar.finish_and_clear();

        let mut table = Table::new([
            "d",
            "variance",
            "entropy",
            "Jacobian",
            "with 1/√d: variance",
            "entropy",
            "Jacobian",
        ]);
        for d in sizes().into_iter().step_by(2) {
            let at = &results.scaling[&format!("d{d}")];
            let (a, b) = (&at.unscaled, &at.scaled);
            table.row([
                d.to_string(),
                format!("{:.1}", a.variance),
                format!("{:.2}", a.entropy),
                format!("{:.1e}", a.jacobian_median),
                format!("{:.2}", b.variance),
                format!("{:.2}", b.entropy),
                format!("{:.3}", b.jacobian_median),
            ]);
        }
        say(
            "Strangers: 64 keys, entries independent standard normal; entropy in nats, Jacobian: median norm",
        );
        say(&table);

        let mut table = Table::new(["score", "parameters", "same", "rotated", "wider", "position"]);
        for kind in Kind::ALL {
            let at = |setting: Setting| results.recall[setting.name()].get(kind.name());
            let cell = |setting| at(setting).map_or("·".into(), |l| format!("{:.3}", l.accuracy));
            let parameters = at(Setting::Same).map_or(0, |learned| learned.parameters);
            let [a, b, c, d] = Setting::ALL.map(cell);
            table.row([kind.name().replace('_', " "), parameters.to_string(), a, b, c, d]);
        }
        let [a, b, c, d] = Setting::ALL.map(|s| format!("{:.3}", results.ceiling[s.name()]));
        table.row(["(nearest key)".into(), "".into(), a, b, c, d]);
        say(format!(
            "Recall: share of right answers after {steps} steps, mean of {seeds} seeds; chance is 0.062"
        ));
        say(&table);
        results.claims.values().for_each(say);

        for (name, figure) in experiment::figures(&config, &results) {
            output.figure(name, &figure)?;
        }
        output.results(&results)?;
        say(format!("\nFigures and results.json are in {}", output.folder().display()));
        Ok(())
    })
}

/// The tables of `--compare`.
fn tell(compared: &Compared) {
    let mut table = Table::new([
        "d",
        "",
        "first loss",
        "rate",
        "steps to 0.9",
        "from",
        "to",
        "rate",
        "last loss",
        "from",
        "to",
    ]);
    for (d, both) in &compared.scaling {
        for (name, best) in [("q·k", &both.unscaled), ("q·k/√d", &both.scaled)] {
            let (steps, last) = (&best.fastest.steps, &best.lowest.last);
            table.row([
                d[1..].to_string(),
                name.into(),
                format!("{:.2}", best.fastest.first.mean),
                best.fastest.rate.to_string(),
                format!("{:.1}", steps.mean),
                steps.lowest.to_string(),
                steps.highest.to_string(),
                best.lowest.rate.to_string(),
                format!("{:.3}", last.mean),
                format!("{:.3}", last.lowest),
                format!("{:.3}", last.highest),
            ]);
        }
    }
    say(&table);
    let mut table = Table::new(["left out", "error seen", "error fresh", "from", "to", "right"]);
    for (p, at) in &compared.dropout {
        table.row([
            format!("{} %", &p[1..]),
            format!("{:.3}", at.seen.mean),
            format!("{:.3}", at.fresh.mean),
            format!("{:.3}", at.fresh.lowest),
            format!("{:.3}", at.fresh.highest),
            format!("{:.3}", at.accuracy.mean),
        ]);
    }
    say(&table);
    compared.claims.values().for_each(say);
}
