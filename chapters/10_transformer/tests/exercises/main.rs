//! The exercises of chapter 10: `cargo test -p transformer --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod cache;
mod capstone;
mod copying;
mod count;
mod difference;
mod judge;
mod long_sentences;
mod norm;
mod norm_backward;
mod pre_norm;
mod sight;
mod smoothing;
mod support;
mod token_places;
mod trainings;
mod warm_up;
mod who_hears;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(120)) // the capstone trains a model
        .exercise(norm::EXERCISE, attempts::layer_norm, solutions::layer_norm)
        .exercise(
            norm_backward::EXERCISE,
            attempts::layer_norm_backward,
            solutions::layer_norm_backward,
        )
        .exercise(pre_norm::EXERCISE, attempts::pre_norm_block, solutions::pre_norm_block)
        .exercise(who_hears::EXERCISE, attempts::who_hears, solutions::who_hears)
        .exercise(copying::EXERCISE, attempts::copying_block, solutions::copying_block)
        .exercise(smoothing::EXERCISE, attempts::smoothed_loss, solutions::smoothed_loss)
        .exercise(warm_up::EXERCISE, attempts::rate_and_its_twin, solutions::rate_and_its_twin)
        .exercise(cache::EXERCISE, attempts::next_token, solutions::next_token)
        .exercise(token_places::EXERCISE, attempts::decoder_tokens, solutions::decoder_tokens)
        .exercise(count::EXERCISE, attempts::parameters, solutions::parameters)
        .exercise(judge::EXERCISE, attempts::verdicts, solutions::verdicts)
        .exercise(
            long_sentences::EXERCISE,
            attempts::order_on_long_sentences,
            solutions::order_on_long_sentences,
        )
        .exercise(sight::EXERCISE, attempts::sight, solutions::sight)
        .exercise(trainings::EXERCISE, attempts::trainings, solutions::trainings)
        .exercise(difference::EXERCISE, attempts::difference, solutions::difference)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
