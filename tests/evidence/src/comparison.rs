//! A comparison: rows, each trained and judged with every seed; claims about the numbers; pictures of them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::{
    Claim, Findings, Row, Spread, Study, StudyArgs, Verdict, claims_of_rows, rounded, significant,
    smaller,
};

/// What a page's sentences rest on. Its record is a [`Numbers`] in the chapter's `figures`.
pub struct Comparison {
    /// The command's second word; the first comparison of a chapter goes without.
    pub name: &'static str,
    /// What its help says.
    pub about: &'static str,
    /// The record, below `chapters`.
    pub record: &'static str,
    /// What was expected before the run: name, sentence as the pages print it, condition.
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

/// What was found, as the record holds it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Numbers {
    /// Over the seeds, by row, by number.
    pub rows: BTreeMap<String, BTreeMap<String, Spread>>,
    /// What was found once for all rows, such as an example that the page shows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub once: BTreeMap<String, Value>,
    /// What was claimed, and what became of it.
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

    /// A number of every row, in the order of the rows.
    pub fn each(&self, number: &str) -> Vec<&Spread> {
        self.order.iter().filter_map(|row| self.of(row, number)).collect()
    }
}

impl Comparison {
    /// Runs `judge` on every row's configuration with every seed; writes the record, prints it and draws it. `about` is whatever decides all rows' numbers and is in no row's configuration, such as a
    /// fingerprint of the texts: under another one, what was kept is refused.
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
        let mut study = Study::open(arguments, self.program(), about)?;
        let found = study.run(&rows, |row, seed, progress| {
            let numbers = judge(&row.config, seed)?;
            (0..row.epochs).for_each(|_| progress.epoch());
            Ok(numbers
                .into_iter()
                .map(|(name, x)| (name.into(), x))
                .collect::<Vec<(String, f64)>>())
        })?;
        let mut numbers = Numbers { once: study.once("once", once)?, ..Numbers::default() };
        numbers.order = rows.iter().map(|row| row.name.clone()).collect();
        for (row, of_seeds) in found {
            let mut by_number: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for (name, number) in of_seeds.into_iter().flatten() {
                by_number.entry(name).or_default().push(number);
            }
            let spreads =
                by_number.into_iter().map(|(name, of_seeds)| (name, Spread::by(digits, of_seeds)));
            numbers.rows.insert(row, spreads.collect());
        }
        numbers.claims = self.judged(&numbers);
        study.publish_as(self.file(), &Drawn { numbers, figures: self.figures })
    }

    /// What becomes of the claims with these numbers.
    pub fn judged(&self, numbers: &Numbers) -> BTreeMap<String, Claim> {
        claims_of_rows(
            self.claims.iter().map(|(name, claim, holds)| (*name, *claim, holds(numbers))),
        )
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

#[derive(Serialize)]
struct Drawn {
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip)]
    figures: &'static [Picture],
}

impl Findings for Drawn {
    fn print(&self) {
        if self.numbers.order.is_empty() {
            return say(serde_json::to_string_pretty(&self.numbers.once).expect("values"));
        }
        let mut table = Table::new(["row", "number", "mean", "lowest", "highest"]);
        for row in &self.numbers.order {
            for (number, Spread { mean, lowest, highest, .. }) in &self.numbers.rows[row] {
                let [mean, lowest, highest] = [mean, lowest, highest].map(|x| format!("{x:.4}"));
                table.row([row.clone(), number.clone(), mean, lowest, highest]);
            }
        }
        say(table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.numbers.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        self.figures.iter().map(|(name, draw)| ((*name).to_owned(), draw(&self.numbers))).collect()
    }
}

/// Four digits of a number of the mathematics, for what is found once.
pub fn short(x: Float) -> f64 {
    significant(x.into())
}
