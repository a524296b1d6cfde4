//! Arguments that several programs take.

use super::precision::PrecisionArgs;
use crate::error::{Error, Result};
use crate::training::{Options, find_checkpoint, occupied};
use clap::builder::RangedU64ValueParser;
use clap::{Command, Parser};
use shared::Float;
use std::any::TypeId;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The arguments of a program.
pub fn parse<A: Parser>() -> A {
    parse_command(A::command())
}

/// The same with a command that was changed, such as in its description.
pub fn parse_command<A: Parser>(command: Command) -> A {
    let matches = with_negative_numbers(command).get_matches();
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Where a number is wanted, `-1` is one and no option: the answer then says what is wrong with it.
pub fn with_negative_numbers(command: Command) -> Command {
    let texts = [TypeId::of::<String>(), TypeId::of::<PathBuf>()];
    let command = command.mut_args(|argument| {
        let kind = argument.get_value_parser().type_id();
        let is_text = texts.iter().any(|text| kind == *text);
        if argument.get_action().takes_values() && !is_text {
            argument.allow_hyphen_values(true)
        } else {
            argument
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// A whole number within these bounds, for the `value_parser` of an argument.
pub fn within(bounds: RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(bounds)
}

/// Arguments every program takes; add them to a program's own with `#[command(flatten)]`.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct Common {
    /// Folder for figures and results.json, made if it is not there [default: in `out`, named after the program]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Arguments of every program that trains, those of every program among them; add them in the same way.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct TrainingArgs {
    /// Where results go, and the seed.
    #[command(flatten)]
    pub common: Common,
    /// Epochs: how often training passes over the data
    #[arg(long, value_name = "N")]
    pub epochs: Option<i64>,
    /// The highest learning rate
    #[arg(long, value_name = "RATE")]
    pub learning_rate: Option<f64>,
    /// Keep the mean of the parameters at the ends of the last so many epochs, not the last ones
    #[arg(long, value_name = "K")]
    pub average: Option<i64>,
    /// Folder that keeps the state of training, made if it is not there
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint in that folder, if there is one already
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// In how many bits products read their factors.
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

impl TrainingArgs {
    /// The chapter's own options, changed as the arguments say, with progress shown.
    pub fn options(&self, chapter: Options) -> Result<Options> {
        let mut options = Options { seed: self.common.seed, progress: true, ..chapter };
        if let Some(epochs) = self.epochs {
            if !(1..=1_000_000).contains(&epochs) {
                let reason = format!("--epochs {epochs}: a number from 1 to 1000000 is needed");
                return Err(Error::argument(reason));
            }
            options.epochs = epochs as usize;
        }
        if let Some(average) = self.average {
            let epochs = options.epochs;
            if !(1..=epochs as i64).contains(&average) {
                let reason = format!(
                    "--average {average}: a number from 1 to {epochs}, the epochs, is needed"
                );
                return Err(Error::argument(reason));
            }
            options.average = Some(average as usize);
        }
        if let Some(rate) = self.learning_rate {
            options.schedule.rate = positive("--learning-rate", rate)?;
            if rate > 1e6 {
                let reason = format!("--learning-rate {rate:e}: at most 1e6 is allowed");
                return Err(Error::argument(reason));
            }
        }
        if let Some(folder) = &self.checkpoint {
            self.check(folder)?;
        }
        options.checkpoint = self.checkpoint.clone();
        options.resume = self.resume;
        Ok(options)
    }

    /// A program may train several models, each in a folder below: what does not fit is better
    /// refused before the first of them.
    fn check(&self, folder: &Path) -> Result<()> {
        match find_checkpoint(folder) {
            Some(found) if !self.resume => Err(occupied(&found)),
            _ => Ok(()),
        }
    }
}

/// A number as single precision has it.
///
/// # Errors
/// When it is not positive, or single precision has no such number.
pub fn positive(option: &str, number: f64) -> Result<Float> {
    let single = number as Float;
    if single.is_normal() && single > 0.0 {
        return Ok(single);
    }
    let fault = if number.is_finite() && number > 0.0 {
        "too small or too large for single precision"
    } else {
        "a positive number is needed"
    };
    let shown = format!("{number:?}"); // 1e-60 and not sixty noughts
    Err(Error::argument(format!("{option} {}: {fault}", shown.trim_end_matches(".0"))))
}
