//! The folder a program writes its figures and results into.

use super::arguments::Common;
use crate::error::{Error, Result};
use crate::figure::Svg;
use crate::files;
use crate::hold::Hold;
use std::path::{Path, PathBuf};

/// The file of a program's numbers.
const RESULTS: &str = "results.json";

/// What the names of results end in.
const ENDINGS: [&str; 4] = ["svg", "html", "json", "safetensors"];

/// A folder that receives figures and results, of one program at a time. Each file appears whole or
/// not at all.
pub struct Output {
    folder: PathBuf,
    _hold: Hold,
}

impl Output {
    /// Opens the folder named by `--out`, or `out/CHAPTER`; makes it where needed and tries to
    /// write to it, so that an experiment does not run for nothing.
    ///
    /// # Errors
    /// When the folder cannot be made or written to, another program is writing there, or something
    /// stands in the place of a result that is no file, or that is read.
    pub fn open(common: &Common, chapter: &str) -> Result<Output> {
        let output =
            Output::at(common.out.clone().unwrap_or_else(|| Path::new("out").join(chapter)))?;
        output.will_write(RESULTS)?;
        Ok(output)
    }

    /// The same for a folder of any name.
    pub fn at(folder: PathBuf) -> Result<Output> {
        let hold = Hold::make(&folder)?;
        // What looks like a result will be written over by the next one, or can be.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if ENDINGS.contains(&&ending[..]) {
                files::must_be_replaceable(&path)?;
            }
        }
        Ok(Output { folder, _hold: hold })
    }

    /// Writes `NAME.svg`.
    pub fn figure(&self, name: &str, figure: &Svg) -> Result<()> {
        self.write(&format!("{name}.svg"), figure.to_string().as_bytes())
    }

    /// Writes `results.json`: the numbers that pages quote.
    pub fn results(&self, results: &impl serde::Serialize) -> Result<()> {
        self.json(RESULTS, results)
    }

    /// Writes numbers to a file of another name.
    pub fn json(&self, name: &str, results: &impl serde::Serialize) -> Result<()> {
        let mut json = serde_json::to_string_pretty(results).map_err(Error::argument)?;
        json.push('\n');
        self.write(name, json.as_bytes())
    }

    /// Writes a file of any kind: beside its place first, then moved there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        files::write(&self.folder.join(name), bytes)
    }

    /// Refuses now what [`write`](Output::write) would refuse after long work.
    pub fn will_write(&self, name: &str) -> Result<()> {
        files::must_be_replaceable(&self.folder.join(name))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
