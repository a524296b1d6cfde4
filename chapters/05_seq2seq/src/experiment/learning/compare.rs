//! The chapter's model and one that differs from it, with every seed.

use super::super::arguments::Arguments;
use super::claims::claims;
use super::results::Results;
use super::trials::{Change, train};
use crate::translating::Repetitions;
use workbench::error::Result;

/// A change by the name it has in the results.
pub type Other = (&'static str, Change);

/// What the last layer sees.
pub const LAYER: Other = ("in_full", Change::InFull);

/// What the decoder reads while it learns.
pub const OWN_WORDS: Other = ("own_words", Change::OwnWords);

/// Trains and judges the chapter's model and another, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(&(name, change): &Other, arguments: &Arguments) -> Result<()> {
    let repeated = &arguments.usual.repeated;
    let corpus = arguments.usual.corpus()?;
    let sizes = arguments.usual.sizes(&corpus);
    let rows = [("simple", Change::Nothing, None), (name, change, Some("simple"))];
    let row = |(name, change, against)| arguments.row(name, (sizes.clone(), change), against);
    let rows = repeated.study.choose(rows.map(row).into())?;
    let mut study = arguments.study(&corpus)?;
    let found =
        study.run(&rows, |row, seed, progress| train(row, seed, &corpus, arguments, progress))?;
    let plan = Repetitions::new(repeated, &corpus);
    let mut results = Results::new(plan, sizes.hidden, &found, name);
    results.claims = claims(&results);
    results.minutes = study.minutes();
    study.publish(&results)
}
