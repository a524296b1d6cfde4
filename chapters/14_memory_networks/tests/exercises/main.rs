//! The exercises of chapter 14: `cargo test -p memory_networks --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod alike;
pub mod capstone;
pub mod found;
pub mod hops;
pub mod second_look;
pub mod sentence;
pub mod support;
pub mod supports;
pub mod telling_runs;
pub mod what_reaches_a_score;

tests::suite! {
    sentence, second_look, hops, what_reaches_a_score, supports, found, telling_runs, alike
}
