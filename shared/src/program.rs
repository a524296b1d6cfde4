//! What the chapters' programs have in common: arguments, an output folder, a table, an exit code.

use crate::data::{self, plain};
use crate::error::{Error, Result};
use crate::figure::Svg;
use crate::matrix::Float;
use crate::training::{self, Options};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

/// Arguments every program takes; add them to a program's own with `#[command(flatten)]`.
#[derive(clap::Args, Debug, Clone)]
pub struct Common {
    /// Folder for figures and results.json, made if it is not there [default: in `out`, named after the program]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Arguments of every program that trains; add them beside [`Common`], in the same way.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct TrainingArgs {
    /// How often training passes over the data
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub epochs: Option<i64>,
    /// The highest learning rate
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub learning_rate: Option<Float>,
    /// Folder that keeps the state of training, made if it is not there
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint in that folder
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
}

impl TrainingArgs {
    /// The chapter's own options, changed as the arguments say, with progress shown.
    ///
    /// # Errors
    /// When an argument makes no sense.
    pub fn options(&self, common: &Common, chapter: Options) -> Result<Options> {
        let mut options = Options { seed: common.seed, progress: true, ..chapter };
        if let Some(epochs) = self.epochs {
            if !(1..=1_000_000).contains(&epochs) {
                let reason = format!("--epochs {epochs}: a number from 1 to 1000000 is needed");
                return Err(Error::argument(reason));
            }
            options.epochs = epochs as usize;
        }
        if let Some(rate) = self.learning_rate {
            if !(rate.is_finite() && rate > 0.0) {
                let reason = format!("--learning-rate {rate}: a positive number is needed");
                return Err(Error::argument(reason));
            }
            options.schedule.rate = rate;
        }
        if let Some(folder) = &self.checkpoint {
            self.check(folder)?;
        }
        options.checkpoint = self.checkpoint.clone();
        options.resume = self.resume;
        Ok(options)
    }

    /// A program may train several models, each in a folder below: what does not fit is better
    /// told before the first of them.
    fn check(&self, folder: &Path) -> Result<()> {
        match (self.resume, training::holds_checkpoint(folder)) {
            (false, true) => Err(training::occupied(folder)),
            (true, false) => {
                let reason = "holds no checkpoint to go on from: leave out --resume to begin";
                Err(Error::file(folder, reason))
            }
            _ => Ok(()),
        }
    }
}

/// Runs a program's body; an error becomes one line on standard error and exit code 2, or 130 when
/// Ctrl-C was pressed.
pub fn run(body: impl FnOnce() -> Result<()>) -> ExitCode {
    let unsaid =
        || UNSAID.get().map(|reason| format!("standard output cannot be written to: {reason}"));
    match body().and_then(|()| unsaid().map_or(Ok(()), |reason| Err(Error::Argument(reason)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted(what)) => {
            let _ = writeln!(std::io::stderr(), "{what}");
            ExitCode::from(training::INTERRUPTED)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Why standard output took no more, if it did not: told at the end, for the work is worth more than
/// its words.
static UNSAID: OnceLock<String> = OnceLock::new();

/// Prints a line. Unlike `println!` it does not panic when the reader of a pipe has left; any other
/// failure makes [`run`] end with an error.
pub fn say(line: impl Display) {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            UNSAID.get_or_init(|| plain(&error));
        }
        _ => {}
    }
}

/// A folder that receives figures and results. Each file appears whole or not at all.
pub struct Output {
    folder: PathBuf,
}

impl Output {
    /// Opens the folder named by `--out`, or `out/CHAPTER`; makes it where needed and tries to
    /// write to it, so that an experiment does not run for nothing.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn open(common: &Common, chapter: &str) -> Result<Output> {
        Output::at(common.out.clone().unwrap_or_else(|| Path::new("out").join(chapter)))
    }

    /// The same for a folder of any name.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn at(folder: PathBuf) -> Result<Output> {
        let refuse = |error: std::io::Error| {
            Error::file(&folder, format!("cannot be written to: {}", plain(&error)))
        };
        std::fs::create_dir_all(&folder).map_err(refuse)?;
        tempfile::NamedTempFile::new_in(&folder).map_err(refuse)?;
        Ok(Output { folder })
    }

    /// Writes `NAME.svg`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn figure(&self, name: &str, figure: &Svg) -> Result<()> {
        self.write(&format!("{name}.svg"), figure.to_string().as_bytes())
    }

    /// Writes `results.json`: the numbers that pages quote.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn results(&self, results: &impl serde::Serialize) -> Result<()> {
        let mut json = serde_json::to_string_pretty(results).map_err(Error::argument)?;
        json.push('\n');
        self.write("results.json", json.as_bytes())
    }

    /// Writes a file of any kind: beside its place first, then moved there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        data::write(&self.folder.join(name), bytes)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// A table for the terminal: numbers to the right, words to the left.
///
/// ```
/// let mut table = shared::program::Table::new(["score", "accuracy"]);
/// table.row(["dot", "0.98"]);
/// assert_eq!(table.to_string(), "score  accuracy\n-----  --------\ndot        0.98\n");
/// ```
pub struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with the given column heads.
    pub fn new(heads: [&str; N]) -> Table<N> {
        Table { rows: vec![heads.map(str::to_owned)] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: [impl Display; N]) {
        self.rows.push(cells.map(|cell| cell.to_string()));
    }
}

impl<const N: usize> Display for Table<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width =
            |i: usize| self.rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let widths: [usize; N] = std::array::from_fn(width);
        let is_number =
            |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit() || "+-−.".contains(c));
        let is_numeric = |i: usize| self.rows[1..].iter().all(|row| is_number(&row[i]));
        let numeric: [bool; N] = std::array::from_fn(is_numeric);
        for (r, row) in self.rows.iter().enumerate() {
            if r == 1 {
                let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                writeln!(f, "{}", rules.join("  "))?;
            }
            let cells =
                row.iter().zip(widths).zip(numeric).map(|((cell, width), numeric)| match numeric {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A progress bar with the time left, on standard error, for work that may take more than two
/// seconds; hidden when that is no terminal. `step` names what is counted: `bar.inc(1)` after each.
pub fn progress(total: u64, step: &str) -> indicatif::ProgressBar {
    let template = format!("{{msg:24}} {{bar:32}} {{pos}}/{{len}} {step}, {{eta}} left");
    let style = indicatif::ProgressStyle::with_template(&template);
    indicatif::ProgressBar::new(total).with_style(style.expect("the template is well-formed"))
}

/// The most memory the process has held so far, in bytes, where the system tells (Linux).
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
