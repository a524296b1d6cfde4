//! The tests of chapter 9:
//!
//! - `heads`: hidden words, distances and relations, and what the page says of them
//! - `pronoun`: the sentences about *it*, the two guessers, and what the page says of them

mod heads;
mod pronoun;
