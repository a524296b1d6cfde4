//! The evidence: what the pages' comparisons rest on.
//!
//! A chapter's file holds its comparisons: rows, how a row is judged, what was claimed before the run, and the
//! pictures that are drawn from the record. `cargo run --release -p evidence -- captioning` runs one.

mod captioning;
mod comparison;
mod memory_networks;
mod recommendation;

pub use comparison::{Comparison, Numbers};

/// Every chapter's comparisons, by the name of its package; the first is the one that its page rests on.
pub const CHAPTERS: &[(&str, &[Comparison])] = &[
    ("recommendation", recommendation::EVIDENCE),
    ("memory_networks", memory_networks::EVIDENCE),
    ("captioning", captioning::EVIDENCE),
];
