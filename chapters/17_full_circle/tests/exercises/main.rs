//! The exercises of chapter 17: `cargo test -p full_circle --test exercises`.
#![allow(missing_docs)]

fn main() {}
