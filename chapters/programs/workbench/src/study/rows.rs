//! The rows of a comparison.

use serde::Serialize;
use std::collections::BTreeMap;

/// What is trained and judged with every seed.
#[derive(Clone, Debug, Serialize)]
pub struct Row<C> {
    /// Its name in the results.
    pub name: String,
    /// All that makes it what it is.
    pub config: C,
    /// Passes over the data, for the progress bar.
    pub epochs: usize,
    /// The row it is held against, unless it is the first.
    #[serde(skip)]
    pub against: Option<&'static str>,
}

impl<C> Row<C> {
    /// One that is held against no other, in one pass.
    pub fn new(name: impl Into<String>, config: C) -> Row<C> {
        Row { name: name.into(), config, epochs: 1, against: None }
    }
}

/// What was found with every seed, in the order of the seeds, by row.
pub type BySeeds<F> = BTreeMap<String, Vec<F>>;

/// Compares every row with the one it is held against, where both are there: row → other row → `compare`
/// of what the seeds of the one and of the other found.
///
/// ```
/// use workbench::study::{Row, differences};
/// let row = |name: &str, against| Row { name: name.to_owned(), config: (), epochs: 1, against };
/// let rows = [row("plain", None), row("wide", Some("plain")), row("deep", Some("wide"))];
/// let found = [("plain", vec![1]), ("wide", vec![5])].map(|(name, of)| (name.to_owned(), of)).into();
/// let found = differences(&rows, &found, |these, those| these[0] - those[0]);
/// assert_eq!(found["wide"]["plain"], 4);
/// assert_eq!(found.len(), 1);
/// ```
pub fn differences<C, F, D>(
    rows: &[Row<C>],
    found: &BySeeds<F>,
    compare: impl Fn(&[F], &[F]) -> D,
) -> BTreeMap<String, BTreeMap<String, D>> {
    let of_row = |row: &Row<C>| {
        let other = row.against?;
        let difference = compare(found.get(&row.name)?, found.get(other)?);
        Some((row.name.clone(), [(other.to_owned(), difference)].into()))
    };
    rows.iter().filter_map(of_row).collect()
}
