//! The exercises of chapter 10: `cargo test -p transformer --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod copying_block;
pub mod decoder_tokens;
pub mod difference;
pub mod layer_norm;
pub mod layer_norm_backward;
pub mod next_token;
pub mod order_on_long_sentences;
pub mod parameters;
pub mod pre_norm_block;
pub mod rate_and_its_twin;
pub mod sight;
pub mod smoothed_loss;
pub mod support;
pub mod trainings;
pub mod verdicts;
pub mod who_hears;

tests::suite! {
    layer_norm, layer_norm_backward, pre_norm_block, who_hears, copying_block, smoothed_loss,
    rate_and_its_twin, next_token, decoder_tokens, parameters, verdicts,
    order_on_long_sentences, sight, trainings, difference;
    within 120 seconds // the capstone trains a model
}
