//! The folder a program writes its figures and results into.

use super::arguments::Common;
use crate::error::Result;
use crate::figure::Svg;
use crate::files::{self, marks};
use crate::hold::Hold;
use std::path::{Path, PathBuf};

/// The file of a program's numbers.
const RESULTS: &str = "results.json";

/// What the names of results end in.
const ENDINGS: [&str; 4] = ["svg", "html", "json", "safetensors"];

/// A folder that receives figures and results, of one program at a time. Each file appears whole or
/// not at all, and over none but this program's own.
pub struct Output {
    folder: PathBuf,
    /// What marks this program's results, and whether there are some already.
    mark: String,
    is_ours: bool,
    /// Whether it was not there before.
    is_new: bool,
    _hold: Hold,
}

/// A folder in which nothing was put does not stay.
impl Drop for Output {
    fn drop(&mut self) {
        if self.is_new {
            let _ = std::fs::remove_dir(&self.folder); // fails where it holds something
        }
    }
}

impl Output {
    /// Opens the folder named by `--out`, or `out/CHAPTER`; makes it where needed and tries to
    /// write to it, so that an experiment does not run for nothing.
    ///
    /// # Errors
    /// When the folder cannot be made or written to, another program is writing there or has left its
    /// results, it has drawings of somebody else, or something stands in the place of a result that is no
    /// file.
    pub fn open(common: &Common, chapter: &str) -> Result<Output> {
        let mut output =
            Output::at(common.out.clone().unwrap_or_else(|| Path::new("out").join(chapter)))?;
        output.mark = marks::of_program(chapter);
        let results = output.folder.join(RESULTS);
        if results.exists() {
            output.is_ours = marks::is_in(&results, &output.mark);
        } else {
            let mut drawings = files::names(&output.folder).filter(|name| name.ends_with(".svg"));
            drawings.try_for_each(|name| output.will_write(&name))?;
        }
        output.will_write(RESULTS)?;
        Ok(output)
    }

    /// The same for a folder of any name.
    pub fn at(folder: PathBuf) -> Result<Output> {
        let is_new = !folder.exists();
        let hold = Hold::make(&folder)?;
        // What looks like a result will be written over by the next one, or can be.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if ENDINGS.contains(&&ending[..]) {
                files::must_be_replaceable(&path)?;
            }
        }
        Ok(Output { folder, mark: String::new(), is_ours: false, is_new, _hold: hold })
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
        let json = files::json_text(results);
        let json = json.replacen("{\n", &format!("{{\n  {},\n", self.mark), 1);
        self.write(name, json.as_bytes())
    }

    /// Writes a file of any kind: beside its place first, then moved there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.will_write(name)?;
        files::write(&self.folder.join(name), bytes)
    }

    /// Refuses now what [`write`](Output::write) would refuse after long work.
    pub fn will_write(&self, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        files::must_be_replaceable(&path)?;
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        match &*ending {
            "svg" => marks::must_be_in(&path, marks::DRAWING),
            "png" => marks::must_be_in(&path, marks::PICTURE),
            "numbers" => marks::must_be_in(&path, marks::NUMBERS),
            // What cannot be marked belongs to the results beside it.
            "csv" | "json" if self.is_ours && !marks::is_in(&path, marks::PROGRAM) => Ok(()),
            "csv" | "json" => marks::must_be_in(&path, &self.mark),
            _ => Ok(()),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
