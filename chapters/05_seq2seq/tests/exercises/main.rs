//! The exercises of chapter 5: `cargo test -p seq2seq --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod beam_step;
mod bleu;
mod capstone;
mod clipped_counts;
mod cross_entropy;
mod perplexity;
mod predicted;
mod teacher_forcing;
mod trap;
mod verdicts;
mod whose_context;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(60)) // the capstone trains a model
        .exercise(teacher_forcing::EXERCISE, attempts::teacher_forcing, solutions::teacher_forcing)
        .exercise(clipped_counts::EXERCISE, attempts::clipped_matches, solutions::clipped_matches)
        .exercise(bleu::EXERCISE, attempts::bleu, solutions::bleu)
        .exercise(
            cross_entropy::EXERCISE,
            attempts::cross_entropy_gradient,
            solutions::cross_entropy_gradient,
        )
        .exercise(beam_step::EXERCISE, attempts::beam_step, solutions::beam_step)
        .exercise(trap::EXERCISE, attempts::trap, solutions::trap)
        .exercise(perplexity::EXERCISE, attempts::perplexity, solutions::perplexity)
        .exercise(whose_context::EXERCISE, attempts::source_of, solutions::source_of)
        .exercise(predicted::EXERCISE, attempts::predicted, solutions::predicted)
        .exercise(verdicts::EXERCISE, attempts::verdicts, solutions::verdicts)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
