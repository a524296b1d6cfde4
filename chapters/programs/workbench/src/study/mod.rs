//! A comparison: rows, each trained and judged with every seed; what they differ by; claims; pictures.
//!
//! | file | holds |
//! |---|---|
//! | `rows` | what is compared: a name, a configuration, the row it is held against |
//! | `arguments` | `--seeds`, `--only`, `--keep`, `--judge` |
//! | `comparison` | the whole where a judge returns named numbers: nothing else is to be written |
//! | `side_by_side` | trainings on all processors, each on one |
//! | `kept` | what was found so far, in a folder |
//! | `spread`, `over_seeds`, `bootstrap` | a number over several seeds, all of them, and over other sentences |
//! | `claims` | what was expected, and what became of it |
//!
//! A chapter writes its rows, how one of them is judged, and its claims; a [`Study`] does the rest.

mod arguments;
mod bootstrap;
mod claims;
mod comparison;
mod kept;
mod over_seeds;
mod rows;
mod side_by_side;
mod spread;

pub use arguments::StudyArgs;
pub use bootstrap::{Bootstrap, Interval, Tally};
pub use claims::{Claim, Verdict, all_hold, claims, claims_of_rows, of_rows, smaller};
pub use comparison::{Comparison, Expected, Numbers, program};
pub use over_seeds::over_seeds;
pub use rows::{BySeeds, Row, differences};
pub use side_by_side::{Progress, side_by_side, trainings, with_seeds};
pub use spread::{Spread, mean, minutes, rounded, short, significant};

use crate::error::Result;
use crate::figure::Svg;
use crate::program::{Output, say};
use kept::Kept;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// A comparison that runs: where it writes, what it keeps, since when.
///
/// ```
/// use serde::Serialize;
/// use std::collections::BTreeMap;
/// use workbench::figure::{Chart, Svg};
/// use workbench::program::{Table, say};
/// use workbench::study::{Claim, Findings, Row, Spread, Study, StudyArgs, claims, smaller};
///
/// #[derive(Serialize)]
/// struct Results {
///     squares: BTreeMap<String, Spread>,
///     claims: BTreeMap<String, Claim>,
/// }
///
/// impl Findings for Results {
///     fn print(&self) {
///         let mut table = Table::new(["row", "square"]);
///         self.squares.iter().for_each(|(name, s)| table.row([name.clone(), s.mean.to_string()]));
///         say(table);
///     }
///     fn claims(&self) -> &BTreeMap<String, Claim> {
///         &self.claims
///     }
/// }
///
/// # let out = tempfile::tempdir().unwrap();
/// # let common = workbench::program::Common { out: Some(out.path().to_owned()), seed: 0 };
/// # let arguments = StudyArgs { common, seeds: 3, only: vec![], keep: None, judge: false };
/// let rows = [("low", 2.0), ("high", 20.0)]
///     .map(|(name, config)| Row { name: name.to_owned(), config, epochs: 1, against: None });
/// let mut study = Study::open(&arguments, "squares", "the first squares")?;
/// let found = study.run(&rows, |row, seed, _| Ok((row.config + seed as f64).powi(2)))?;
/// let squares: BTreeMap<String, Spread> =
///     found.into_iter().map(|(name, of_seeds)| (name, Spread::of(of_seeds))).collect();
/// let higher = smaller(&squares["low"].of_seeds, &squares["high"].of_seeds);
/// let claims = claims([("higher", "squares of large numbers are larger", higher)]);
/// study.publish(&Results { squares, claims })?;
/// # let written = std::fs::read_to_string(out.path().join("results.json")).unwrap();
/// # assert!(written.contains("441.6667"), "{written}"); // (400 + 441 + 484) / 3
/// # Ok::<(), workbench::error::Error>(())
/// ```
pub struct Study {
    /// Where figures and results go.
    pub output: Output,
    seeds: Vec<u64>,
    about: Value,
    kept: Option<Kept>,
    begin: Instant,
    /// Seconds of the runs that this one goes on from.
    before: f64,
}

/// Under which name it is kept what a row found with a seed.
fn file<C>(row: &Row<C>, seed: u64) -> String {
    format!("{}_{seed}", row.name.replace(' ', "_"))
}

/// What a comparison ends with.
pub trait Findings: Serialize {
    /// Prints the numbers.
    fn print(&self) {}

    /// What was written down before the first run, and whether it held.
    fn claims(&self) -> &BTreeMap<String, Claim> {
        static NONE: BTreeMap<String, Claim> = BTreeMap::new();
        &NONE
    }

    /// Figures by the names of their files.
    fn figures(&self) -> Vec<(String, Svg)> {
        Vec::new()
    }
}

impl Study {
    /// Opens the output folder (`--out`, or one named after the chapter) and the one of `--keep`.
    /// `about` is what decides all rows' numbers, such as a fingerprint of the texts.
    pub fn open(arguments: &StudyArgs, chapter: &str, about: impl Into<Value>) -> Result<Study> {
        let output = Output::open(&arguments.common, chapter)?;
        let kept = arguments.keep.as_deref().map(|folder| Kept::open(folder, arguments.judge));
        let (seeds, about, kept) = (arguments.seeds(), about.into(), kept.transpose()?);
        Ok(Study { output, seeds, about, kept, begin: Instant::now(), before: 0.0 })
    }

    /// Runs every row with every seed, as many at a time as there are threads, each on one; what was kept
    /// is not run again. Rows that take long are better first.
    ///
    /// # Errors
    /// The first error of a run; when what was kept is of another comparison, or `--judge` misses some.
    pub fn run<C: Serialize + Sync, F: Serialize + DeserializeOwned + Send>(
        &mut self,
        rows: &[Row<C>],
        run: impl Fn(&Row<C>, u64, &Progress) -> Result<F> + Sync,
    ) -> Result<BySeeds<F>> {
        let mut jobs = Vec::new();
        for (row, seed) in
            rows.iter().flat_map(|row| self.seeds.iter().map(move |seed| (row, *seed)))
        {
            jobs.push((row, seed, json!({ "study": self.about, "row": row, "seed": seed })));
        }
        let mut found = Vec::new();
        for (row, seed, of) in &jobs {
            found.push(self.read::<F>(&file(row, *seed), of)?);
        }
        let missing: Vec<usize> = (0..jobs.len()).filter(|i| found[*i].is_none()).collect();
        let epochs = missing.iter().map(|i| jobs[*i].0.epochs).sum();
        let this = &*self;
        let new = side_by_side("comparing", &missing, epochs, |i, progress| {
            let (row, seed, of) = &jobs[*i];
            let found = run(row, *seed, progress)?;
            this.write(&file(row, *seed), of, &found)?;
            Ok(found)
        })?;
        missing.into_iter().zip(new).for_each(|(i, new)| found[i] = Some(new));
        let mut by_row = BySeeds::new();
        for ((row, ..), found) in jobs.iter().zip(found) {
            by_row.entry(row.name.clone()).or_default().extend(found);
        }
        Ok(by_row)
    }

    /// What is found once for all rows, and kept like what they find: times of this machine, for example.
    pub fn once<F: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        find: impl FnOnce() -> Result<F>,
    ) -> Result<F> {
        let of = json!({ "study": self.about });
        if let Some(found) = self.read(name, &of)? {
            return Ok(found);
        }
        let found = find()?;
        self.write(name, &of, &found)?;
        Ok(found)
    }

    fn read<F: DeserializeOwned>(&mut self, name: &str, of: &Value) -> Result<Option<F>> {
        let Some(kept) = &self.kept else { return Ok(None) };
        let Some((found, seconds)) = kept.read(name, of)? else { return Ok(None) };
        self.before = self.before.max(seconds);
        Ok(Some(found))
    }

    fn write<F: Serialize>(&self, name: &str, of: &Value, found: &F) -> Result<()> {
        let Some(kept) = &self.kept else { return Ok(()) };
        kept.write(name, of, self.seconds(), found)
    }

    /// How long it has worked, runs that it goes on from included.
    fn seconds(&self) -> f64 {
        self.before + self.begin.elapsed().as_secs_f64()
    }

    /// The same in minutes, to a tenth.
    pub fn minutes(&self) -> f64 {
        minutes(self.seconds())
    }

    /// Writes what was found into `results.json`, prints it, and draws it.
    pub fn publish(&self, findings: &impl Findings) -> Result<()> {
        self.publish_as("results.json", findings)
    }

    /// The same into a file of another name.
    pub fn publish_as(&self, file: &str, findings: &impl Findings) -> Result<()> {
        publish(&self.output, file, findings)
    }
}

/// Writes what was found into a file (first: a figure can be drawn again from it), prints it, and draws it.
pub fn publish(output: &Output, file: &str, findings: &impl Findings) -> Result<()> {
    output.json(file, findings)?;
    findings.print();
    if !findings.claims().is_empty() {
        say("What the page expects of its own, full-sized comparison:");
        findings.claims().values().for_each(say);
    }
    let figures = findings.figures();
    for (name, figure) in &figures {
        output.figure(name, figure)?;
    }
    let what =
        if figures.is_empty() { format!("{file} is") } else { format!("figures and {file} are") };
    say(format!("{what} in {}", output.folder().display()));
    Ok(())
}
