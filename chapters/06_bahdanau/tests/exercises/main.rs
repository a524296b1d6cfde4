//! The exercises of chapter 6: `cargo test -p bahdanau --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod additive_gradient;
mod by_hand;
mod capstone;
mod contexts;
mod error_rate;
mod many_softmaxes;
mod moving_look;
mod one_column;
mod shared_attention;
mod support;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(one_column::EXERCISE, attempts::align, solutions::align)
        .exercise(contexts::EXERCISE, attempts::contexts, solutions::contexts)
        .exercise(many_softmaxes::EXERCISE, attempts::softmax_backward, solutions::softmax_backward)
        .exercise(
            additive_gradient::EXERCISE,
            attempts::additive_backward,
            solutions::additive_backward,
        )
        .exercise(
            error_rate::EXERCISE,
            attempts::alignment_error_rate,
            solutions::alignment_error_rate,
        )
        .exercise(moving_look::EXERCISE, attempts::moving_look, solutions::moving_look)
        .exercise(
            shared_attention::EXERCISE,
            attempts::softmax_in_segments,
            solutions::softmax_in_segments,
        )
        .exercise(by_hand::EXERCISE, attempts::by_hand, solutions::by_hand)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
