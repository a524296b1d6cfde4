//! The exercises of chapter 4: `cargo test -p recurrent_networks --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod answers;
mod both_ways;
mod by_hand;
mod choose;
mod clip;
mod final_states;
mod gru_step;
mod lstm_backward;
mod through_time;
mod word_before;
mod writes;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(gru_step::EXERCISE, attempts::gru_step, solutions::gru_step)
        .exercise(lstm_backward::EXERCISE, attempts::lstm_backward, solutions::lstm_backward)
        .exercise(word_before::EXERCISE, attempts::word_before, solutions::word_before)
        .exercise(clip::EXERCISE, attempts::clip, solutions::clip)
        .exercise(through_time::EXERCISE, attempts::through_time, solutions::through_time)
        .exercise(both_ways::EXERCISE, attempts::both_ways, solutions::both_ways)
        .exercise(final_states::EXERCISE, attempts::final_states, solutions::final_states)
        .exercise(choose::EXERCISE, attempts::choose, solutions::choose)
        .exercise(by_hand::EXERCISE, attempts::by_hand, solutions::by_hand)
        .exercise(answers::SURPRISES, attempts::perplexities, solutions::perplexities)
        .exercise(answers::EXPLANATIONS, attempts::distinguishing, solutions::distinguishing)
        .capstone(writes::EXERCISE, writes::NEEDS, writes::ATTEMPTS, writes::SOLVED)
        .run()
}
