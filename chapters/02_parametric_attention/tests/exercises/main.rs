//! The exercises of chapter 2: `cargo test -p parametric_attention --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod gaussian_scores;
pub mod metric_gradient;
pub mod other_units;
pub mod scores_backward;
pub mod slope;
pub mod training_step;
pub mod weights_of_others;
pub mod window;

tests::suite! {
    weights_of_others, slope, training_step, metric_gradient, gaussian_scores, scores_backward,
    other_units, window
}
