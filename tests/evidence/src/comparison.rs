//! A comparison: rows, each trained and judged with every seed; claims about the numbers; pictures of them.

use crate::arguments::StudyArgs;
use crate::claims::{Claim, Verdict};
use crate::kept::Kept;
pub use crate::row::Row;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::program::{Output, Table, say, side_by_side};
use workbench::statistics::{Spread, rounded, significant, smaller};

/// The rows, claims and pictures that a page's sentences rest on. Its record is a [`Numbers`] in the chapter's `figures`.
pub struct Comparison {
    /// The command's second word; the first comparison of a chapter goes without.
    pub name: &'static str,
    /// The line that its help shows.
    pub about: &'static str,
    /// The record, below `chapters`.
    pub record: &'static str,
    /// The claims from before the run: name, sentence as the pages print it, condition.
    pub claims: &'static [Expected],
    /// Pictures by the names of their files.
    pub figures: &'static [Picture],
    /// Runs it; calls [`Comparison::compare`].
    pub run: fn(&Comparison, &StudyArgs) -> Result<()>,
}

/// Name, sentence, condition.
pub type Expected = (&'static str, &'static str, fn(&Numbers) -> Verdict);

/// Name of its file, and how it is drawn from the record.
pub type Picture = (&'static str, fn(&Numbers) -> Svg);

/// The numbers that were found, as the record holds them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Numbers {
    /// Over the seeds, by row, by number.
    pub rows: BTreeMap<String, BTreeMap<String, Spread>>,
    /// Values that were found once for all rows, such as an example that the page shows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub once: BTreeMap<String, Value>,
    /// The claims, and whether they held.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub claims: BTreeMap<String, Claim>,
    /// The rows in their order.
    pub order: Vec<String>,
}

impl Numbers {
    /// A number of a row, if that was asked for.
    pub fn of(&self, row: &str, number: &str) -> Option<&Spread> {
        self.rows.get(row)?.get(number)
    }

    /// Whether a number of a row is smaller than that of another row: see [`smaller`].
    pub fn less(&self, these: (&str, &str), those: (&str, &str)) -> Verdict {
        let of = |(row, number)| Some(&self.of(row, number)?.of_seeds);
        Some(smaller(of(these)?, of(those)?))
    }

    /// Whether a number of a row is so large with every seed.
    pub fn at_least(&self, row: &str, number: &str, least: f64) -> Verdict {
        Some(Some(self.of(row, number)?.lowest >= least))
    }

    /// Whether something holds of two numbers with every seed.
    pub fn every(
        &self,
        these: (&str, &str),
        those: (&str, &str),
        holds: impl Fn(f64, f64) -> bool,
    ) -> Verdict {
        let of = |(row, number)| Some(&self.of(row, number)?.of_seeds);
        Some(Some(of(these)?.iter().zip(of(those)?).all(|(a, b)| holds(*a, *b))))
    }

    /// The numbers `name_k` of a row, as far as they are there: k, mean, lowest, highest.
    pub fn series(
        &self,
        row: &str,
        name: &str,
        over: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = (f64, f64, f64, f64)> {
        over.filter_map(move |k| Some(self.of(row, &format!("{name}_{k}"))?.at(k as f64)))
    }

    /// Numbers by row, then the claims; without rows what was found once.
    fn print(&self) {
        if self.order.is_empty() {
            return say(serde_json::to_string_pretty(&self.once).expect("values"));
        }
        let mut table = Table::new(["row", "number", "mean", "lowest", "highest"]);
        for row in &self.order {
            for (number, Spread { mean, lowest, highest, .. }) in &self.rows[row] {
                let [mean, lowest, highest] = [mean, lowest, highest].map(|x| format!("{x:.4}"));
                table.row([row.clone(), number.clone(), mean, lowest, highest]);
            }
        }
        say(table);
        if !self.claims.is_empty() {
            say("What the page expects of its own, full-sized comparison:");
            self.claims.values().for_each(say);
        }
    }

    /// A number of every row, in the order of the rows.
    pub fn each(&self, number: &str) -> Vec<&Spread> {
        self.order.iter().filter_map(|row| self.of(row, number)).collect()
    }
}

impl Comparison {
    /// Runs `judge` on every row's configuration with every seed; writes the record, prints it and draws
    /// it. `about` is whatever decides all rows' numbers and is in no row's configuration, such as a fingerprint of the
    /// texts: under another one, what was kept is refused.
    ///
    /// # Errors
    /// The first of a run; where the output cannot be written, or what was kept is of another comparison.
    pub fn compare<C, F, S>(
        &self,
        arguments: &StudyArgs,
        about: impl Into<Value>,
        rows: Vec<Row<C>>,
        judge: impl Fn(&C, u64) -> Result<F> + Sync,
    ) -> Result<()>
    where
        C: Serialize + Sync,
        F: IntoIterator<Item = (S, f64)>,
        S: Into<String>,
    {
        self.compare_and(arguments, about, rows, judge, || Ok(BTreeMap::new()))
    }

    /// The same with what is found once for all rows, such as an example that the page shows.
    ///
    /// # Errors
    /// As [`Comparison::compare`].
    pub fn compare_and<C, F, S>(
        &self,
        arguments: &StudyArgs,
        about: impl Into<Value>,
        rows: Vec<Row<C>>,
        judge: impl Fn(&C, u64) -> Result<F> + Sync,
        once: impl FnOnce() -> Result<BTreeMap<String, Value>>,
    ) -> Result<()>
    where
        C: Serialize + Sync,
        F: IntoIterator<Item = (S, f64)>,
        S: Into<String>,
    {
        let rows = arguments.choose(rows)?;
        let (output, kept) =
            (Output::open(&arguments.common, self.program())?, Kept::open(arguments)?);
        let about = about.into();
        let order = rows.iter().map(|row| row.name.clone()).collect();
        let mut numbers = Numbers { order, ..Numbers::default() };
        for (row, of_seeds) in
            rows.iter().zip(found(&rows, &arguments.seeds(), &about, &kept, judge)?)
        {
            let mut by_number: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for (name, number) in of_seeds.into_iter().flatten() {
                by_number.entry(name).or_default().push(number);
            }
            let spreads = by_number.into_iter().map(|(name, of)| (name, Spread::by(digits, of)));
            numbers.rows.insert(row.name.clone(), spreads.collect());
        }
        let of = json!({ "study": about });
        numbers.once = match kept.read("once", &of)? {
            Some(once) => once,
            None => {
                let once = once()?;
                kept.write("once", &of, &once)?;
                once
            }
        };
        numbers.claims = self.judged(&numbers);
        self.publish(&output, &numbers)
    }

    /// The same without rows: everything is found once.
    ///
    /// # Errors
    /// As [`Comparison::compare`].
    pub fn record_once(
        &self,
        arguments: &StudyArgs,
        about: &str,
        once: impl FnOnce() -> BTreeMap<String, Value>,
    ) -> Result<()> {
        let rows: Vec<Row<()>> = Vec::new();
        self.compare_and(arguments, about, rows, |(), _| Ok([("", 0.0)]), || Ok(once()))
    }

    /// Writes the record first, so that a figure can be drawn again from it; then prints and draws it.
    fn publish(&self, output: &Output, numbers: &Numbers) -> Result<()> {
        output.json(self.file(), numbers)?;
        numbers.print();
        for (name, draw) in self.figures {
            output.figure(name, &draw(numbers))?;
        }
        say(format!(
            "{} and {} figures are in {}",
            self.file(),
            self.figures.len(),
            output.folder().display()
        ));
        Ok(())
    }

    /// The claims with their outcomes under these numbers; those of rows that `--only` left out make none.
    pub fn judged(&self, numbers: &Numbers) -> BTreeMap<String, Claim> {
        let judged = self.claims.iter().filter_map(|(name, claim, holds)| {
            Some(((*name).to_owned(), Claim { claim: (*claim).to_owned(), holds: holds(numbers)? }))
        });
        judged.collect()
    }

    /// The folder of the record's chapter, below `chapters`.
    pub fn chapter(&self) -> &'static str {
        self.record.split('/').next().expect("a folder")
    }

    /// The chapter's package.
    fn program(&self) -> &'static str {
        self.chapter().trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')
    }

    /// The record's name.
    fn file(&self) -> &'static str {
        self.record.rsplit('/').next().expect("a file")
    }
}

/// Four digits after the point, and of small numbers four digits that are not 0.
fn digits(x: f64) -> f64 {
    if x.abs() < 0.1 { significant(x) } else { rounded(x) }
}

type Found = Vec<(String, f64)>;

/// What every row finds with every seed, as many at a time as there are threads, each on one; what was kept is not
/// run again. Rows that take long are better first.
fn found<C, F, S>(
    rows: &[Row<C>],
    seeds: &[u64],
    about: &Value,
    kept: &Kept,
    judge: impl Fn(&C, u64) -> Result<F> + Sync,
) -> Result<Vec<Vec<Found>>>
where
    C: Serialize + Sync,
    F: IntoIterator<Item = (S, f64)>,
    S: Into<String>,
{
    let mut jobs = Vec::new();
    let mut all: Vec<Option<Found>> = Vec::new();
    for (row, seed) in rows.iter().flat_map(|row| seeds.iter().map(move |seed| (row, *seed))) {
        let file = format!("{}_{seed}", row.name.replace(' ', "_"));
        let of = json!({ "study": about, "row": row, "seed": seed });
        all.push(kept.read(&file, &of)?);
        jobs.push((row, seed, file, of));
    }
    let missing: Vec<usize> = (0..jobs.len()).filter(|i| all[*i].is_none()).collect();
    let epochs = missing.iter().map(|i| jobs[*i].0.epochs).sum();
    let new = side_by_side("comparing", &missing, epochs, |i, progress| {
        let (row, seed, file, of) = &jobs[*i];
        let numbers = judge(&row.config, *seed)?.into_iter();
        let found: Found = numbers.map(|(name, x)| (name.into(), x)).collect();
        (0..row.epochs).for_each(|_| progress.epoch());
        kept.write(file, of, &found)?;
        Ok(found)
    })?;
    missing.into_iter().zip(new).for_each(|(i, new)| all[i] = Some(new));
    let mut all = all.into_iter().flatten();
    Ok(rows.iter().map(|_| all.by_ref().take(seeds.len()).collect()).collect())
}

/// Four digits of a number of the mathematics, for what is found once.
pub fn short(x: Float) -> f64 {
    significant(x.into())
}
