//! The chapter's commands.

use super::Config;
use super::adding::LOOK;
use super::next_word::{Language, Text};
use super::writing::{languages, sentences, writer};
use clap::{Args, Parser, Subcommand};
use shared::Float;
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::program::{Common, Output, parse, run, say, within};
use workbench::study::{publish, trainings};

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
    Language(LanguageArgs),
}

#[derive(Args)]
struct ExperimentArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    config: Config,
}

#[derive(Args)]
struct LanguageArgs {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = within(1..=100))]
    seeds: usize,
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
          value_parser = within(1..=100_000))]
    sentences: usize,
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
        Some(Command::Language(arguments)) => compare(&arguments),
    })
}

const NAME: &str = "recurrent_networks";

fn measure(arguments: &ExperimentArgs) -> Result<()> {
    let output = Output::open(&arguments.common, NAME)?;
    let steps = arguments.config.steps / LOOK * LOOK;
    let config = Config { seed: arguments.common.seed, steps, ..arguments.config.clone() };
    let results = super::run(&config)?;
    say(format!("{} steps of adding, means of {} seeds", config.steps, config.seeds));
    publish(&output, "results.json", &results)
}

fn write(arguments: &WriteArgs) -> Result<()> {
    let WriteArgs { temperature, seed, .. } = *arguments;
    if temperature.is_nan() || temperature <= 0.0 {
        let reason = format!("--temperature {temperature}: a temperature is a positive number");
        return Err(Error::argument(reason));
    }
    let config = Config { seed, ..Config::default() };
    let text = Text::new(arguments.language);
    let title = "reads 20,000 sentences, four times";
    let models = trainings(title, &[0], |one| writer(&text, &config, *one))?;
    sentences(&text, &models[0], temperature, arguments.sentences, seed).iter().for_each(say);
    Ok(())
}

fn compare(LanguageArgs { common, seeds }: &LanguageArgs) -> Result<()> {
    let config = Config { seed: common.seed, seeds: *seeds, ..Config::default() };
    let output = Output::open(common, NAME)?;
    output.will_write("language.json")?;
    publish(&output, "language.json", &languages(&config)?)
}
