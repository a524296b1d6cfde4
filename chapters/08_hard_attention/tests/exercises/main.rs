//! The exercises of chapter 8: `cargo test -p hard_attention --test exercises`.
//!
//! There are only m looks, so whether an estimate is unbiased is decided by a finite sum: no check
//! draws at random.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod cost_of_credit;
pub mod distinguishing_runs;
pub mod entropy_gradient;
pub mod from_old_looks;
pub mod gradient_of_w;
pub mod leave_one_out;
pub mod losses_to_go;
pub mod misleading;
pub mod optimal_baseline;
pub mod place;
pub mod reinforce;
pub mod score_function;
pub mod support;
pub mod verdicts;

tests::suite! {
    place, score_function, reinforce, optimal_baseline, entropy_gradient, leave_one_out,
    from_old_looks, gradient_of_w, losses_to_go, misleading, distinguishing_runs,
    cost_of_credit, verdicts
}
