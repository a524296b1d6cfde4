//! The exercises of chapter 4: `cargo test -p recurrent_networks --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod both_ways;
pub mod by_hand;
pub mod capstone;
pub mod choose;
pub mod clip;
pub mod distinguishing;
pub mod final_states;
pub mod gru_step;
pub mod lstm_backward;
pub mod perplexities;
pub mod through_time;
pub mod word_before;

tests::suite! {
    gru_step, lstm_backward, word_before, clip, through_time, both_ways, final_states, choose,
    by_hand, perplexities, distinguishing
}
