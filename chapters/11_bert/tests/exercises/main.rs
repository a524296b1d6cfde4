//! The exercises of chapter 11: `cargo test -p bert --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod capstone;
mod count;
mod cut;
mod factors;
mod hide;
mod masked_loss;
mod normal_loss;
mod pair;
mod slope;
mod small_encoder;
mod support;
mod telling;
mod told;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(200)) // the capstone trains twice
        .exercise(cut::EXERCISE, attempts::cut, solutions::cut)
        .exercise(pair::EXERCISE, attempts::pair, solutions::pair)
        .exercise(hide::EXERCISE, attempts::hide, solutions::hide)
        .exercise(slope::EXERCISE, attempts::gelu_backward, solutions::gelu_backward)
        .exercise(masked_loss::EXERCISE, attempts::masked_loss, solutions::masked_loss)
        .exercise(telling::EXERCISE, attempts::telling_positions, solutions::telling_positions)
        .exercise(factors::EXERCISE, attempts::factors, solutions::factors)
        .exercise(count::EXERCISE, attempts::parameters, solutions::parameters)
        .exercise(normal_loss::EXERCISE, attempts::losses, solutions::losses)
        .exercise(told::EXERCISE, attempts::told, solutions::told)
        .capstone(
            capstone::EXERCISE,
            &capstone::NEEDS,
            capstone::Parts {
                cut: attempts::cut,
                pair: attempts::pair,
                hide: attempts::hide,
                gelu_backward: attempts::gelu_backward,
                masked_loss: attempts::masked_loss,
                factors: attempts::factors,
            },
            capstone::SOLVED,
        )
        .run()
}
