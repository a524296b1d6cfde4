//! The exercises of chapter 13: `cargo test -p recommendation --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod chance;
pub mod examples;
pub mod hit;
pub mod interest;
pub mod interest_backward;
pub mod places;
pub mod saw_the_future;

tests::suite! {
    hit, interest, interest_backward, places, examples, chance, saw_the_future
}
