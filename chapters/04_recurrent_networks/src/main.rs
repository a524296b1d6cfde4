//! The experiment of chapter 4: `cargo run --release -p recurrent_networks`.

use clap::Parser;
use recurrent_networks::experiment::{self, Cell, Config, Results, adding, apple::Reading};
use std::process::ExitCode;
use workbench::program::{Common, Output, Table, parse, progress, run, say};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How does a network read a sequence, and what does it forget?
///
/// Measures how a gradient fades (or explodes) on its way back through a plain network, a GRU and
/// an LSTM. Lets all three learn the adding problem – two numbers of a long sequence are marked,
/// what is their sum? – at lengths 10, 50, 100 and 200. Then the apple task: is 苹果 a fruit or a
/// company, when the deciding word comes later? Writes figures and results.json.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated with other data and start values; the page shows 3
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds as u64,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// Training steps on the adding problem, rounded down to hundreds
    #[arg(long, value_name = "N", default_value_t = Config::default().steps as u64,
          value_parser = clap::value_parser!(u64).range(adding::LOOK as u64..=1_000_000))]
    steps: u64,
    /// Passes over the sentences of the apple task
    #[arg(long, value_name = "N", default_value_t = Config::default().epochs as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    epochs: u64,
}

fn main() -> ExitCode {
    let Arguments { common, seeds, steps, epochs } = parse();
    run(|| {
        let output = Output::open(&common, "recurrent_networks")?;
        let config = Config {
            seed: common.seed,
            seeds: seeds as usize,
            steps: steps as usize / adding::LOOK * adding::LOOK,
            epochs: epochs as usize,
        };
        let bar = progress(experiment::trainings(&config) as u64, "trainings");
        bar.set_message("the longest come first");
        bar.enable_steady_tick(std::time::Duration::from_secs(1));
        let results = experiment::run(&config, || bar.inc(1))?;
        bar.finish_and_clear();
        report(&results, &config);
        for (name, figure) in experiment::figures(&results) {
            output.figure(name, &figure)?;
        }
        output.results(&results)?;
        say(format!("\nFigures and results.json are in {}", output.folder().display()));
        Ok(())
    })
}

fn report(results: &Results, config: &Config) {
    let flow = &results.flow;
    let mut table =
        Table::new(["cell", "fresh: 10 steps", "99 steps", "trained: 10 steps", "99 steps"]);
    for cell in Cell::ALL {
        let (fresh, trained) = (&flow.fresh[cell.name()], &flow.trained[cell.name()]);
        let cells =
            [fresh[5], fresh[12], trained[5], trained[12]].map(|norm| format!("{norm:.1e}"));
        let [a, b, c, d] = cells;
        table.row([cell.name().into(), a, b, c, d]);
    }
    say("The norm of the gradient of a state with respect to the one 10 and 99 steps before");
    say(&table);

    let mut table = Table::new(["cell", "length 10", "50", "100", "200"]);
    for cell in Cell::ALL {
        let at =
            |length| format!("{:.4}", results.adding[&format!("t{length}")][cell.name()].error);
        let [a, b, c, d] = adding::LENGTHS.map(at);
        table.row([cell.name().into(), a, b, c, d]);
    }
    say(format!(
        "Adding: mean squared error after {} steps, mean of {} seeds; always answering 1 gives 0.1667",
        config.steps, config.seeds
    ));
    say(&table);

    let mut table = Table::new(["reads", "at 苹果", "at the first word", "at the last"]);
    for reading in Reading::ALL {
        let right = &results.apple.accuracy[reading.name()];
        let [a, b, c] = [right.apple, right.first, right.last].map(|share| format!("{share:.4}"));
        table.row([reading.name().into(), a, b, c]);
    }
    say("Fruit or company: share of right answers on sentences that training has not seen");
    say(&table);
    results.claims.values().for_each(say);
}
