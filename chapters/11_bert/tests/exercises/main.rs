//! The exercises of chapter 11: `cargo test -p bert --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod cut;
pub mod distinguishing_positions;
pub mod factors;
pub mod gelu_backward;
pub mod lookup;
pub mod losses;
pub mod mask;
pub mod masked_loss;
pub mod pair;
pub mod parameters;
pub mod small_encoder;
pub mod support;

tests::suite! {
    cut, pair, mask, gelu_backward, masked_loss, distinguishing_positions, factors, parameters,
    losses, lookup;
    within 200 seconds // the capstone trains twice
}
