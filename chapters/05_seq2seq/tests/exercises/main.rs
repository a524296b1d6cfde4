//! The exercises of chapter 5: `cargo test -p seq2seq --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod beam_step;
pub mod bleu;
pub mod capstone;
pub mod clipped_matches;
pub mod cross_entropy_gradient;
pub mod perplexity;
pub mod predicted;
pub mod source_of;
pub mod teacher_forcing;
pub mod trap;
pub mod verdicts;

tests::suite! {
    teacher_forcing, clipped_matches, bleu, cross_entropy_gradient, beam_step, trap, perplexity,
    source_of, predicted, verdicts;
    within 60 seconds // the capstone trains a model
}
