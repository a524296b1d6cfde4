//! The evidence: what the pages' comparisons rest on.
//!
//! A chapter's file holds its comparisons: rows, how a row is judged, what was claimed before the run, and the
//! pictures that are drawn from the record. `cargo run --release -p evidence -- captioning` runs one.

#[cfg(test)]
mod again;
mod arguments;
mod bahdanau;
mod bert;
mod captioning;
mod claims;
mod comparison;
mod fine_tuning;
mod full_circle;
mod hard_attention;
mod kept;
mod kernel_regression;
mod language_model;
mod luong;
mod memory_networks;
mod parametric_attention;
mod recommendation;
mod recurrent_networks;
mod row;
mod scoring_functions;
mod self_attention;
mod seq2seq;
mod transformer;
mod translators;

pub use arguments::StudyArgs;
pub use claims::{Claim, all_hold};
pub use comparison::{Comparison, Numbers, Row};

/// Every chapter's comparisons, by the name of its package; the first is the one that its page rests on.
pub const CHAPTERS: &[(&str, &[Comparison])] = &[
    ("kernel_regression", kernel_regression::EVIDENCE),
    ("parametric_attention", parametric_attention::EVIDENCE),
    ("scoring_functions", scoring_functions::EVIDENCE),
    ("recurrent_networks", recurrent_networks::EVIDENCE),
    ("seq2seq", seq2seq::EVIDENCE),
    ("bahdanau", bahdanau::EVIDENCE),
    ("luong", luong::EVIDENCE),
    ("hard_attention", hard_attention::EVIDENCE),
    ("self_attention", self_attention::EVIDENCE),
    ("transformer", transformer::EVIDENCE),
    ("bert", bert::EVIDENCE),
    ("fine_tuning", fine_tuning::EVIDENCE),
    ("recommendation", recommendation::EVIDENCE),
    ("memory_networks", memory_networks::EVIDENCE),
    ("captioning", captioning::EVIDENCE),
    ("language_model", language_model::EVIDENCE),
    ("full_circle", full_circle::EVIDENCE),
];
