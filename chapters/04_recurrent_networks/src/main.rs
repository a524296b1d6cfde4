//! The chapter's program: a network reads sentences of the course, and writes.

use clap::Parser;
use corpora::{BEGIN, END};
use recurrent_networks::program::next_word::{Language, Text, writer};
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::program::{parse, run, say, within};
use workbench::stream;
use workbench::study::trainings;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A network reads sentences of the course, word by word, and writes.
///
/// A GRU learns which word comes next, from 20,000 sentences read four times; then it draws sentences of
/// its own. Less than a minute.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What it reads and writes
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value = "english")]
    language: Language,
    /// Below 1 it prefers what is probable, above 1 it dares more
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: f32,
    /// How many sentences
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = within(1..=100_000))]
    sentences: usize,
    /// Seed of every random number: same seed, same sentences
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn main() -> ExitCode {
    let arguments = parse();
    run(|| write(&arguments))
}

fn write(arguments: &Arguments) -> Result<()> {
    let Arguments { temperature, seed, .. } = *arguments;
    if temperature.is_nan() || temperature <= 0.0 {
        let reason = format!("--temperature {temperature}: a temperature is a positive number");
        return Err(Error::argument(reason));
    }
    let text = Text::new(arguments.language);
    let title = "reads 20,000 sentences, four times";
    let models = trainings(title, &[seed], |seed| writer(&text, *seed))?;
    let rng = &mut shared::rng(stream(seed, 880));
    for _ in 0..arguments.sentences {
        let words = models[0].write([BEGIN, END], 16, temperature, rng);
        say(text.vocabulary.decode(&words).join(" "));
    }
    Ok(())
}
