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
        .exercise(cut::exercise(), attempts::cut, solutions::cut)
        .exercise(pair::exercise(), attempts::pair, solutions::pair)
        .exercise(hide::exercise(), attempts::hide, solutions::hide)
        .exercise(slope::exercise(), attempts::gelu_backward, solutions::gelu_backward)
        .exercise(masked_loss::exercise(), attempts::masked_loss, solutions::masked_loss)
        .exercise(telling::exercise(), attempts::telling_positions, solutions::telling_positions)
        .exercise(factors::exercise(), attempts::factors, solutions::factors)
        .exercise(count::exercise(), attempts::parameters, solutions::parameters)
        .exercise(normal_loss::exercise(), attempts::losses, solutions::losses)
        .exercise(told::exercise(), attempts::told, solutions::told)
        .capstone(
            capstone::exercise(),
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
