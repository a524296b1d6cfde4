//! The exercises of chapter 6: `cargo test -p bahdanau --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod additive_backward;
pub mod align;
pub mod alignment_error_rate;
pub mod by_hand;
pub mod capstone;
pub mod contexts;
pub mod moving_look;
pub mod softmax_backward;
pub mod softmax_in_segments;
pub mod support;

tests::suite! {
    align, contexts, softmax_backward, additive_backward, alignment_error_rate, moving_look,
    softmax_in_segments, by_hand
}
