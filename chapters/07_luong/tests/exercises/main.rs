//! The exercises of chapter 7: `cargo test -p luong --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod apart;
mod attentional;
mod capstone;
mod diagonal;
mod general_scores;
mod input_feeding;
mod local_p;
mod location;
mod position_gradient;
mod window;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(window::EXERCISE, attempts::window, solutions::window)
        .exercise(general_scores::EXERCISE, attempts::general_scores, solutions::general_scores)
        .exercise(
            position_gradient::EXERCISE,
            attempts::position_gradient,
            solutions::position_gradient,
        )
        .exercise(
            input_feeding::EXERCISE,
            attempts::decoder_parameters,
            solutions::decoder_parameters,
        )
        .exercise(local_p::EXERCISE, attempts::local_p, solutions::local_p)
        .exercise(location::EXERCISE, attempts::location, solutions::location)
        .exercise(attentional::EXERCISE, attempts::attentional, solutions::attentional)
        .exercise(diagonal::EXERCISE, attempts::diagonal, solutions::diagonal)
        .exercise(apart::EXERCISE, attempts::apart, solutions::apart)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
