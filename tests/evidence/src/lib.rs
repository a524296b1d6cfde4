//! The evidence: what the pages' comparisons rest on.
//!
//! A chapter's file holds its comparisons: rows, how a row is judged, what was claimed before the run, and the
//! pictures that are drawn from the record. `cargo run --release -p evidence -- captioning` runs one.

mod bert;
mod captioning;
mod comparison;
mod fine_tuning;

pub use comparison::{Comparison, Numbers};

/// Every chapter's comparisons, by the name of its package; the first is the one that its page rests on.
pub const CHAPTERS: &[(&str, &[Comparison])] = &[
    ("bert", bert::EVIDENCE),
    ("fine_tuning", fine_tuning::EVIDENCE),
    ("captioning", captioning::EVIDENCE),
];
