//! The exercises of chapter 12: `cargo test -p fine_tuning --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod bag_can;
mod capstone;
mod comparisons;
mod first_pieces;
mod have_gradients;
mod interval;
mod layer_gradients;
mod rate;
mod shapes;
mod share_of_loss;
#[path = "../../../11_bert/tests/exercises/small_encoder.rs"]
mod small_encoder;
mod verdicts;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(200)) // the capstone trains an encoder first
        .exercise(first_pieces::EXERCISE, attempts::first_pieces, solutions::first_pieces)
        .exercise(share_of_loss::EXERCISE, attempts::share_of_loss, solutions::share_of_loss)
        .exercise(have_gradients::EXERCISE, attempts::have_gradients, solutions::have_gradients)
        .exercise(rate::EXERCISE, attempts::rate, solutions::rate)
        .exercise(shapes::EXERCISE, attempts::shapes, solutions::shapes)
        .exercise(bag_can::EXERCISE, attempts::bag_can, solutions::bag_can)
        .exercise(comparisons::EXERCISE, attempts::comparisons, solutions::comparisons)
        .exercise(interval::EXERCISE, attempts::interval, solutions::interval)
        .exercise(verdicts::EXERCISE, attempts::verdicts, solutions::verdicts)
        .exercise(layer_gradients::EXERCISE, attempts::layer_gradients, solutions::layer_gradients)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
