//! Arguments that several programs take.

use crate::error::{Error, Result};
use crate::training::{Options, find_checkpoint, occupied};
use shared::Float;
use std::path::{Path, PathBuf};

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
    /// Go on from the checkpoint in that folder, if there is one already
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
        match find_checkpoint(folder) {
            Some(found) if !self.resume => Err(occupied(&found)),
            _ => Ok(()),
        }
    }
}
