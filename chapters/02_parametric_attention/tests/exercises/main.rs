//! The exercises of chapter 2: `cargo test -p parametric_attention --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod capstone;
mod gaussian_scores;
mod metric_gradient;
mod scores_backward;
mod slope;
mod training_step;
mod units;
mod weights_of_others;
mod window;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(
            weights_of_others::EXERCISE,
            attempts::weights_of_others,
            solutions::weights_of_others,
        )
        .exercise(slope::EXERCISE, attempts::slope, solutions::slope)
        .exercise(training_step::EXERCISE, attempts::training_step, solutions::training_step)
        .exercise(metric_gradient::EXERCISE, attempts::metric_gradient, solutions::metric_gradient)
        .exercise(gaussian_scores::EXERCISE, attempts::gaussian_scores, solutions::gaussian_scores)
        .exercise(scores_backward::EXERCISE, attempts::scores_backward, solutions::scores_backward)
        .exercise(units::EXERCISE, attempts::other_units, solutions::other_units)
        .exercise(window::EXERCISE, attempts::window, solutions::window)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
