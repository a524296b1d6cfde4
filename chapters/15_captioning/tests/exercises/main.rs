//! The exercises of chapter 15: `cargo test -p captioning --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod back_to_pixels;
mod capstone;
mod even_gradient;
mod neighbourhood;
mod pointing;
mod query;
mod receptive_field;
mod true_captions;
mod under_evenness;

use std::process::ExitCode;
use std::time::Duration;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .time_limit(Duration::from_secs(200)) // the capstone trains
        .exercise(neighbourhood::EXERCISE, attempts::neighbourhood, solutions::neighbourhood)
        .exercise(receptive_field::EXERCISE, attempts::receptive_field, solutions::receptive_field)
        .exercise(even_gradient::EXERCISE, attempts::even_gradient, solutions::even_gradient)
        .exercise(true_captions::EXERCISE, attempts::clipped, solutions::clipped)
        .exercise(pointing::EXERCISE, attempts::pointing, solutions::pointing)
        .exercise(back_to_pixels::EXERCISE, attempts::back_to_pixels, solutions::back_to_pixels)
        .exercise(query::EXERCISE, attempts::query_for_a_ring, solutions::query_for_a_ring)
        .exercise(under_evenness::EXERCISE, attempts::under_evenness, solutions::under_evenness)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
