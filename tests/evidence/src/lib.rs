//! The evidence: what the pages' comparisons rest on.
//!
//! A chapter's file holds its comparisons: rows, how a row is judged, what was claimed before the run, and the
//! pictures that are drawn from the record. `cargo run --release -p evidence -- captioning` runs one.

mod bahdanau;
mod captioning;
mod comparison;
mod luong;
mod seq2seq;
mod transformer;
mod translators;

pub use comparison::{Comparison, Numbers};

/// Every chapter's comparisons, by the name of its package; the first is the one that its page rests on.
pub const CHAPTERS: &[(&str, &[Comparison])] = &[
    ("seq2seq", seq2seq::EVIDENCE),
    ("bahdanau", bahdanau::EVIDENCE),
    ("luong", luong::EVIDENCE),
    ("transformer", transformer::EVIDENCE),
    ("captioning", captioning::EVIDENCE),
];
