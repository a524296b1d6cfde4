//! The arguments of a comparison.

use crate::row::Row;
use clap::Args;
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::program::Common;

/// Arguments of every comparison; a chapter adds its own beside them.
#[derive(Args, Clone, Debug)]
pub struct StudyArgs {
    /// Output folder and first seed.
    #[command(flatten)]
    pub common: Common,
    /// How often everything is repeated, with seeds counted up from --seed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
    /// Only rows of these names
    #[arg(long, value_name = "ROW,…", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Keep in this folder what each training found, as soon as it is over, and go on with what is in it
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Judge what was kept once more, without any training
    #[arg(long, requires = "keep")]
    pub judge: bool,
}

impl StudyArgs {
    /// The seeds to repeat everything with.
    pub fn seeds(&self) -> Vec<u64> {
        (0..u64::from(self.seeds)).map(|i| self.common.seed.wrapping_add(i)).collect()
    }

    /// Whether a row of this name is asked for.
    pub fn asks_for(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The rows that are asked for.
    pub fn choose<C>(&self, mut rows: Vec<Row<C>>) -> Result<Vec<Row<C>>> {
        if let Some(name) = self.only.iter().find(|only| rows.iter().all(|row| row.name != **only))
        {
            let known: Vec<&str> = rows.iter().map(|row| &row.name[..]).collect();
            let known = known.join(", ");
            return Err(Error::argument(format!("--only {name}: no such row; there are {known}")));
        }
        rows.retain(|row| self.asks_for(&row.name));
        Ok(rows)
    }
}
