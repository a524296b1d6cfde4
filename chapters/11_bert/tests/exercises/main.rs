//! The exercises of chapter 11: `cargo test -p bert --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod capstone;
mod count;
mod cut;
mod distinguishing;
mod factors;
mod lookup;
mod mask;
mod masked_loss;
mod normal_loss;
mod pair;
mod slope;
mod small_encoder;
mod support;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(200)) // the capstone trains twice
        .exercise(cut::EXERCISE, attempts::cut, solutions::cut)
        .exercise(pair::EXERCISE, attempts::pair, solutions::pair)
        .exercise(mask::EXERCISE, attempts::mask, solutions::mask)
        .exercise(slope::EXERCISE, attempts::gelu_backward, solutions::gelu_backward)
        .exercise(masked_loss::EXERCISE, attempts::masked_loss, solutions::masked_loss)
        .exercise(
            distinguishing::EXERCISE,
            attempts::distinguishing_positions,
            solutions::distinguishing_positions,
        )
        .exercise(factors::EXERCISE, attempts::factors, solutions::factors)
        .exercise(count::EXERCISE, attempts::parameters, solutions::parameters)
        .exercise(normal_loss::EXERCISE, attempts::losses, solutions::losses)
        .exercise(lookup::EXERCISE, attempts::lookup, solutions::lookup)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
