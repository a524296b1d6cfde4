//! The exercises of chapter 1: `cargo test -p kernel_regression --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod attention_weights;
pub mod capstone;
pub mod choose_bandwidth;
pub mod epanechnikov;
pub mod leave_one_out_from;
pub mod lookup_bandwidth;
pub mod one_pass;
pub mod predicted;
pub mod sigmoid_memory;
pub mod slope;
pub mod softmax;
pub mod support;

tests::suite! {
    epanechnikov, attention_weights, softmax, choose_bandwidth, leave_one_out_from,
    lookup_bandwidth, one_pass, slope, sigmoid_memory, predicted
}
