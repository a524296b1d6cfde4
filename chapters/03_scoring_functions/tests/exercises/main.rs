//! The exercises of chapter 3: `cargo test -p scoring_functions --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod additive;
mod attention;
mod attention_backward;
mod capstone;
mod concat_weights;
mod cosine_gradient;
mod divisors;
mod masked_softmax;
mod merge;
mod previous;
mod query_for_two;
mod scaled_dot;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(scaled_dot::EXERCISE, attempts::scaled_dot, solutions::scaled_dot)
        .exercise(masked_softmax::EXERCISE, attempts::masked_softmax, solutions::masked_softmax)
        .exercise(additive::EXERCISE, attempts::additive, solutions::additive)
        .exercise(cosine_gradient::EXERCISE, attempts::cosine_gradient, solutions::cosine_gradient)
        .exercise(
            attention_backward::EXERCISE,
            attempts::attention_backward,
            solutions::attention_backward,
        )
        .exercise(query_for_two::EXERCISE, attempts::query_for_two, solutions::query_for_two)
        .exercise(merge::EXERCISE, attempts::merge, solutions::merge)
        .exercise(attention::EXERCISE, attempts::attention, solutions::attention)
        .exercise(concat_weights::EXERCISE, attempts::concat_weights, solutions::concat_weights)
        .exercise(previous::EXERCISE, attempts::previous, solutions::previous)
        .exercise(divisors::EXERCISE, attempts::divisors, solutions::divisors)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
