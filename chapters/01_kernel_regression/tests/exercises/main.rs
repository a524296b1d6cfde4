//! The exercises of chapter 1: `cargo test -p kernel_regression --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod attention_weights;
mod capstone;
mod choose_bandwidth;
mod epanechnikov;
mod leave_one_out;
mod noisy_memory;
mod one_pass;
mod predicted;
mod sigmoid;
mod slope;
mod softmax;
mod support;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(epanechnikov::EXERCISE, attempts::epanechnikov, solutions::epanechnikov)
        .exercise(
            attention_weights::EXERCISE,
            attempts::attention_weights,
            solutions::attention_weights,
        )
        .exercise(softmax::EXERCISE, attempts::softmax, solutions::softmax)
        .exercise(
            choose_bandwidth::EXERCISE,
            attempts::choose_bandwidth,
            solutions::choose_bandwidth,
        )
        .exercise(
            leave_one_out::EXERCISE,
            attempts::leave_one_out_from,
            solutions::leave_one_out_from,
        )
        .exercise(noisy_memory::EXERCISE, attempts::lookup_bandwidth, solutions::lookup_bandwidth)
        .exercise(one_pass::EXERCISE, attempts::one_pass, solutions::one_pass)
        .exercise(slope::EXERCISE, attempts::slope, solutions::slope)
        .exercise(sigmoid::EXERCISE, attempts::sigmoid_memory, solutions::sigmoid_memory)
        .exercise(predicted::EXERCISE, attempts::predicted, solutions::predicted)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
