//! The words that are none: every vocabulary of the course begins with them.

/// Stands for every word that a vocabulary does not know.
pub const UNKNOWN: usize = 0;

/// Stands before the first word of a translation.
pub const BEGIN: usize = 1;

/// Stands after the last word of a sentence.
pub const END: usize = 2;
