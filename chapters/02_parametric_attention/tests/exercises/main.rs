//! The exercises of chapter 2: `cargo test -p parametric_attention --test exercises`.
//!
//! Each file has one exercise: its check, and the wrong answers that the check must reject.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod gaussian_scores;
mod metric_gradient;
mod scores_backward;
mod slope;
mod support;
mod training_step;
mod weights_of_others;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(
            weights_of_others::exercise(),
            attempts::weights_of_others,
            solutions::weights_of_others,
        )
        .exercise(slope::exercise(), attempts::slope, solutions::slope)
        .exercise(training_step::exercise(), attempts::training_step, solutions::training_step)
        .exercise(
            metric_gradient::exercise(),
            attempts::metric_gradient,
            solutions::metric_gradient,
        )
        .exercise(
            gaussian_scores::exercise(),
            attempts::gaussian_scores,
            solutions::gaussian_scores,
        )
        .exercise(
            scores_backward::exercise(),
            attempts::scores_backward,
            solutions::scores_backward,
        )
        .run()
}
