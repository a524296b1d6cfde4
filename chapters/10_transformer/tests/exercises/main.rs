//! The exercises of chapter 10: `cargo test -p transformer --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod attention;
mod cache;
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
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
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
        .exercise(
            attention::exercise(),
            attention::Attention {
                forward: attempts::attention,
                backward: attempts::attention_backward,
            },
            attention::Attention {
                forward: solutions::attention,
                backward: solutions::attention_backward,
            },
        )
        .exercise(trainings::exercise(), attempts::trainings, solutions::trainings)
        .exercise(difference::exercise(), attempts::difference, solutions::difference)
        .run()
}
