//! `predict`: the labels of a file's examples, into a file.

use super::data::examples;
use super::folder::Tuned;
use super::judge::{Answer, accuracy, answers, classes, must_be_readable, tallies};
use super::reader::Reader;
use super::table::{Form, Table, read_table};
use crate::Asks;
use bert::program::OVERFLOWS;
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::marks::{must_be_free, write_marked};
use workbench::program::{PrecisionArgs, counted, progress, say};

#[derive(Args, Clone, Debug)]
pub struct PredictArgs {
    /// Folder of the model that `train` left, or of a classifier of the Hugging Face ecosystem [default: out/fine_tuning/model]
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Examples, as --data of `train` has them; labels may be missing
    #[arg(long, value_name = "FILE")]
    pub file: PathBuf,
    /// Where the answers go: a line for each example, in order
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// In how many bits products read their factors.
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

const TUNED: &str = "out/fine_tuning/model";

const AT_ONCE: usize = 1024;

/// A part of the first line of the answers, of texts and of words.
const MARK: &str = "\tprobabilit";

pub fn predict(arguments: &PredictArgs) -> Result<()> {
    let (file, output) = (&arguments.file, &arguments.output);
    must_be_free(output, MARK)?;
    let mut table = read_table(file)?;
    table.notices.iter().for_each(say);
    let folder = arguments.checkpoint.as_deref().unwrap_or(Path::new(TUNED));
    arguments.precision.begin()?;
    let tuned = Tuned::read(folder)?;
    must_be_asked(file, &table, &tuned)?;
    let examples = examples(file, &table, &tuned.labels).or_else(|error| {
        say(format!("no accuracy is counted: {error}"));
        table.is_labelled = false;
        table.rows.iter_mut().for_each(|row| row.labels.clear());
        super::data::examples(file, &table, &tuned.labels)
    })?;
    let form = table.form;
    let Tuned { model, config, labels, pieces } = tuned;
    let reader = Reader::new(pieces, &config, form);
    let bar = progress(examples.len() as u64, "examples");
    let (mut all, mut too_long) = (Vec::new(), 0);
    for part in examples.chunks(AT_ONCE) {
        let mut read = reader.read(part);
        read.sequences.iter_mut().for_each(|sequence| sequence.answers.clear());
        must_be_readable(&config, &read)?;
        too_long += read.too_long;
        let found = answers(&model, &read, part.len());
        if found.iter().flatten().any(|answer| !answer.probability.is_finite()) {
            return Err(Error::file(folder, OVERFLOWS));
        }
        all.extend(found);
        bar.inc(part.len() as u64);
    }
    bar.finish_and_clear();
    if let Some(notice) = reader.notice(too_long) {
        say(notice);
    }
    write_marked(output, MARK, written(form, &all, &labels).as_bytes())?;
    if table.is_labelled {
        let share = accuracy(&tallies(&classes(&all), &examples, |_| true));
        say(format!("accuracy on the labels in {}: {:.1} %", file.display(), 100.0 * share));
    }
    say(format!("{} answered in {}", counted(examples.len(), "example"), output.display()));
    Ok(())
}

fn must_be_asked(file: &Path, table: &Table, tuned: &Tuned) -> Result<()> {
    let asks = tuned.model.asks();
    if table.form.asks() != asks {
        let needed = match asks {
            Asks::Sequences => "`text`, or `first` and `second`: this model classifies texts",
            Asks::Words => "`words`: this model tags words",
        };
        let found = table.form.texts().join("`, `");
        return Err(Error::file(file, format!("has `{found}` to be read; needed is {needed}")));
    }
    if table.form == Form::Pair && tuned.config.segments < 2 {
        return Err(Error::file(file, "holds pairs; this model knows no second segment"));
    }
    Ok(())
}

pub fn written(form: Form, answers: &[Vec<Answer>], labels: &[String]) -> String {
    let mut text = match form {
        Form::Text | Form::Pair => "label\tprobability\n".to_owned(),
        Form::Words => "tags\tprobabilities\n".to_owned(),
    };
    for of_example in answers {
        let names = of_example.iter().map(|answer| labels[answer.class].as_str());
        let numbers = of_example.iter().map(|answer| format!("{:.4}", answer.probability));
        let (names, numbers): (Vec<_>, Vec<_>) = (names.collect(), numbers.collect());
        let _ = writeln!(text, "{}\t{}", names.join(" "), numbers.join(" "));
    }
    text
}
