//! A comparison whose judge returns named numbers: rows, a judge, claims and pictures are all there is to
//! write.

use super::claims::{Claim, Verdict, claims_of_rows, smaller};
use super::rows::Row;
use super::spread::Spread;
use super::{Findings, Study, StudyArgs};
use crate::error::Result;
use crate::figure::Svg;
use crate::program::{Table, parse_command, run, say};
use clap::{CommandFactory, Parser};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Rows, claims and pictures; the judge is an argument of [`Comparison::run`].
///
/// ```
/// use workbench::study::{Comparison, Row, StudyArgs};
/// # let out = tempfile::tempdir().unwrap();
/// # let common = workbench::program::Common { out: Some(out.path().to_owned()), seed: 0 };
/// # let arguments = StudyArgs { common, seeds: 3, only: vec![], keep: None, judge: false };
/// let squares = Comparison {
///     program: "squares",
///     about: "the first squares",
///     rows: [("low", 2.0), ("high", 20.0)].map(|(name, x)| Row::new(name, x)).into(),
///     claims: &[("higher", "squares of large numbers are larger", |found| {
///         found.less(("low", "square"), ("high", "square"))
///     })],
///     figures: &[],
/// };
/// squares.run(&arguments, |x, seed| Ok([("square", (x + seed as f64).powi(2))]))?;
/// # let written = std::fs::read_to_string(out.path().join("results.json")).unwrap();
/// # assert!(written.contains("441.6667") && written.contains("\"holds\": true"), "{written}");
/// # Ok::<(), workbench::error::Error>(())
/// ```
pub struct Comparison<'a, C> {
    /// The program's name, and the folder of its results.
    pub program: &'a str,
    /// Whatever decides all rows' numbers and is in no row's configuration: under another `about`, what
    /// was kept is refused.
    pub about: &'a str,
    /// What is compared.
    pub rows: Vec<Row<C>>,
    /// What is expected.
    pub claims: &'a [Expected<'a>],
    /// Pictures by the names of their files.
    pub figures: &'a [Picture<'a>],
}

/// Name, sentence, condition.
pub type Expected<'a> = (&'a str, &'a str, fn(&Numbers) -> Verdict);
type Picture<'a> = (&'a str, fn(&Numbers) -> Svg);

/// What was found: by row and by number, over the seeds. The results file holds it as it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Numbers {
    /// By row, by number.
    pub rows: BTreeMap<String, BTreeMap<String, Spread>>,
    /// What was claimed, and what became of it.
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

    /// A number of every row, in the order of the rows.
    pub fn each(&self, number: &str) -> Vec<&Spread> {
        self.order.iter().filter_map(|row| self.of(row, number)).collect()
    }
}

impl<C: Serialize + Sync> Comparison<'_, C> {
    /// Runs `judge` on every row's configuration with every seed; writes, prints and draws what it found.
    ///
    /// # Errors
    /// As [`Study::run`].
    pub fn run<const N: usize>(
        &self,
        arguments: &StudyArgs,
        judge: impl Fn(&C, u64) -> Result<[(&'static str, f64); N]> + Sync,
    ) -> Result<()>
    where
        C: Clone,
    {
        let rows = arguments.choose(self.rows.clone())?;
        let mut study = Study::open(arguments, self.program, self.about)?;
        let found = study.run(&rows, |row, seed, progress| {
            let numbers = judge(&row.config, seed)?;
            (0..row.epochs).for_each(|_| progress.epoch());
            Ok(numbers.map(|(name, number)| (name.to_owned(), number)).to_vec())
        })?;
        let spreads = |of_seeds: Vec<Vec<(String, f64)>>| {
            let mut by_number: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for (name, number) in of_seeds.into_iter().flatten() {
                by_number.entry(name).or_default().push(number);
            }
            by_number.into_iter().map(|(name, numbers)| (name, Spread::of(numbers))).collect()
        };
        let order = rows.iter().map(|row| row.name.clone()).collect();
        let rows = found.into_iter().map(|(row, of_seeds)| (row, spreads(of_seeds))).collect();
        let mut numbers = Numbers { rows, claims: BTreeMap::new(), order };
        let judged =
            self.claims.iter().map(|(name, claim, holds)| (*name, *claim, holds(&numbers)));
        numbers.claims = claims_of_rows(judged);
        study.publish(&Drawn { numbers, figures: self.figures })
    }
}

#[derive(Serialize)]
struct Drawn<'a> {
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip)]
    figures: &'a [Picture<'a>],
}

impl Findings for Drawn<'_> {
    fn print(&self) {
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
        let draw =
            |(name, draw): &(&str, fn(&Numbers) -> Svg)| ((*name).to_owned(), draw(&self.numbers));
        self.figures.iter().map(draw).collect()
    }
}

#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    study: StudyArgs,
}

/// A program that is a comparison: `about` is what its help says.
pub fn program(about: &'static str, compare: impl FnOnce(&StudyArgs) -> Result<()>) -> ExitCode {
    let Arguments { study } = parse_command(Arguments::command().about(about));
    run(|| compare(&study))
}
