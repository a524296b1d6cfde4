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

macro_rules! parts {
    ($module:ident) => {
        capstone::Parts {
            layer_norm: $module::layer_norm,
            layer_norm_backward: $module::layer_norm_backward,
            smoothed_loss: $module::smoothed_loss,
            rate_and_its_twin: $module::rate_and_its_twin,
            next_token: $module::next_token,
            decoder_tokens: $module::decoder_tokens,
            sight: $module::sight,
        }
    };
}

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(120)) // the capstone trains a model
        .exercise(norm::exercise(), attempts::layer_norm, solutions::layer_norm)
        .exercise(
            norm_backward::exercise(),
            attempts::layer_norm_backward,
            solutions::layer_norm_backward,
        )
        .exercise(pre_norm::exercise(), attempts::pre_norm_block, solutions::pre_norm_block)
        .exercise(who_hears::exercise(), attempts::who_hears, solutions::who_hears)
        .exercise(copying::exercise(), attempts::copying_block, solutions::copying_block)
        .exercise(smoothing::exercise(), attempts::smoothed_loss, solutions::smoothed_loss)
        .exercise(warm_up::exercise(), attempts::rate_and_its_twin, solutions::rate_and_its_twin)
        .exercise(cache::exercise(), attempts::next_token, solutions::next_token)
        .exercise(token_places::exercise(), attempts::decoder_tokens, solutions::decoder_tokens)
        .exercise(count::exercise(), attempts::parameters, solutions::parameters)
        .exercise(judge::exercise(), attempts::verdicts, solutions::verdicts)
        .exercise(
            long_sentences::exercise(),
            attempts::order_on_long_sentences,
            solutions::order_on_long_sentences,
        )
        .exercise(sight::exercise(), attempts::sight, solutions::sight)
        .exercise(trainings::exercise(), attempts::trainings, solutions::trainings)
        .exercise(difference::exercise(), attempts::difference, solutions::difference)
        .capstone(capstone::exercise(), &capstone::NEEDS, parts!(attempts), parts!(solutions))
        .run()
}
