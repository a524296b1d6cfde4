//! The chapter's commands.

use super::apple::Reading;
use super::next_word::{Language, Text};
use super::starts::{self, Start};
use super::writing;
use super::{Cell, Config, Results, adding};
use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use shared::Float;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workbench::error::Result;
use workbench::program::{Common, Output, Table, parse, progress, run, say};
use workbench::training::json;

/// How does a network read a sequence, and what does it forget?
///
/// Measures how a gradient fades (or explodes) on its way back through a plain network, a GRU and
/// an LSTM. Lets all three learn the adding problem – two numbers of a long sequence are marked,
/// what is their sum? – at lengths 10, 50, 100 and 200. Then the apple task: is 苹果 a fruit or a
/// company, when the deciding word comes later? Writes figures and results.json.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    experiment: ExperimentArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Train a network on sentences of the course, and let it write
    Write(WriteArgs),
    /// Language models side by side: writes language.json and a figure
    Language(SideArgs),
    /// The plain network from other starts, the gates of trained cells: writes starts.json and figures
    Starts(SideArgs),
}

#[derive(Args)]
struct ExperimentArgs {
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

#[derive(Args)]
struct SideArgs {
    /// Folder for the figures and the numbers, made if it is not there
    #[arg(long, value_name = "DIR", default_value = "out/recurrent_networks")]
    out: PathBuf,
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How often each training is repeated
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
}

#[derive(Args)]
struct WriteArgs {
    /// What it reads and writes
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value = "english")]
    language: Language,
    /// Below 1 it prefers what is probable, above 1 it dares more
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: Float,
    /// How many sentences
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    sentences: u64,
    /// Seed of every random number: same seed, same sentences
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    let Program { command, experiment } = parse();
    run(|| match command {
        None => measure(&experiment),
        Some(Command::Write(arguments)) => write(&arguments),
        Some(Command::Language(arguments)) => language(&arguments),
        Some(Command::Starts(arguments)) => begin(&arguments),
    })
}

fn measure(arguments: &ExperimentArgs) -> Result<()> {
    let output = Output::open(&arguments.common, "recurrent_networks")?;
    let config = Config {
        seed: arguments.common.seed,
        seeds: arguments.seeds as usize,
        steps: arguments.steps as usize / adding::LOOK * adding::LOOK,
        epochs: arguments.epochs as usize,
    };
    let bar = progress(super::trainings(&config) as u64, "trainings");
    bar.set_message("the longest come first");
    bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let results = super::run(&config, || bar.inc(1))?;
    bar.finish_and_clear();
    report(&results, &config);
    for (name, figure) in super::figures(&results) {
        output.figure(name, &figure)?;
    }
    output.results(&results)?;
    say(format!("\nFigures and results.json are in {}", output.folder().display()));
    Ok(())
}

fn write(arguments: &WriteArgs) -> Result<()> {
    if arguments.temperature.is_nan() || arguments.temperature <= 0.0 {
        return Err(workbench::error::Error::argument(format!(
            "--temperature {}: a temperature is a positive number",
            arguments.temperature
        )));
    }
    let config = Config { seed: arguments.seed, ..Config::default() };
    let text = Text::new(arguments.language);
    let bar = progress(1, "trainings");
    bar.set_message("reads 20,000 sentences, four times");
    bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let model = writing::writer(&text, &config, 0)?;
    bar.finish_and_clear();
    let count = arguments.sentences as usize;
    writing::sentences(&text, &model, arguments.temperature, count, arguments.seed)
        .iter()
        .for_each(say);
    Ok(())
}

fn language(arguments: &SideArgs) -> Result<()> {
    let (output, config) = side(arguments)?;
    let bar = progress(writing::tales(&config) as u64, "trainings");
    bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let tales = writing::tell(&config, &|| bar.inc(1))?;
    bar.finish_and_clear();
    for (name, told) in [("English", &tales.english), ("French", &tales.french)] {
        let mut table = Table::new([name, "nats a word", "perplexity"]);
        for (name, rung) in &told.rungs {
            let [loss, perplexity] = [rung.loss, rung.perplexity].map(|x| format!("{x:.3}"));
            table.row([name.clone(), loss, perplexity]);
        }
        for (name, model) in &told.models {
            let loss = model.losses.iter().sum::<f64>() / model.losses.len() as f64;
            let [loss, perplexity] = [loss, model.perplexity].map(|x| format!("{x:.3}"));
            table.row([name.clone(), loss, perplexity]);
        }
        say(&table);
        for (name, written) in &told.written {
            say(format!("{name}: {:.1} % can be read", 100.0 * written.grammatical));
            written.sentences.iter().for_each(|sentence| say(format!("    {sentence}")));
        }
    }
    tales.claims.values().for_each(say);
    let figures = writing::tale_figures(&tales);
    close(&output, "language.json", &tales, figures)
}

fn begin(arguments: &SideArgs) -> Result<()> {
    let (output, config) = side(arguments)?;
    let bar = progress(starts::beginnings(&config) as u64, "trainings");
    bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let found = starts::begin(&config, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let mut table = Table::new(["start", "length 10", "50", "100"]);
    for start in Start::ALL {
        let at = |length| format!("{:.4}", found.adding[start.name()][&format!("t{length}")].error);
        let [a, b, c] = starts::LENGTHS.map(at);
        table.row([start.name().into(), a, b, c]);
    }
    say(&table);
    found.claims.values().for_each(say);
    let figures = starts::start_figures(&found);
    close(&output, "starts.json", &found, figures)
}

fn side(arguments: &SideArgs) -> Result<(Output, Config)> {
    let config =
        Config { seed: arguments.seed, seeds: arguments.seeds as usize, ..Config::default() };
    Ok((Output::at(arguments.out.clone())?, config))
}

fn close(
    output: &Output,
    name: &str,
    results: &impl Serialize,
    figures: Vec<(&'static str, workbench::figure::Svg)>,
) -> Result<()> {
    for (name, figure) in figures {
        output.figure(name, &figure)?;
    }
    output.write(name, format!("{:#}\n", json!(results)).as_bytes())?;
    say(format!("\n{name} and figures are in {}", Path::display(output.folder())));
    Ok(())
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
