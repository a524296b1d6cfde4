//! The exercises of chapter 3: `cargo test -p scoring_functions --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod additive;
pub mod attention;
pub mod attention_backward;
pub mod capstone;
pub mod concat_weights;
pub mod cosine_gradient;
pub mod divisors;
pub mod masked_softmax;
pub mod merge;
pub mod previous;
pub mod query_for_two;
pub mod scaled_dot;

tests::suite! {
    scaled_dot, masked_softmax, additive, cosine_gradient, attention_backward, query_for_two,
    merge, attention, concat_weights, previous, divisors
}
