//! The exercises of chapter 17: `cargo test -p full_circle --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod best_rate;
pub mod beyond;
pub mod capstone;
pub mod in_chunks;
pub mod keys;
pub mod line_weights;
pub mod may_one_say;
pub mod name;
pub mod one_more;

tests::suite! { line_weights, one_more, best_rate, keys, in_chunks, beyond, may_one_say, name }
