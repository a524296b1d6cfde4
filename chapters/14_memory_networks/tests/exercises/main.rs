//! The exercises of chapter 14: `cargo test -p memory_networks --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod alike;
mod capstone;
mod found;
mod hops;
mod reaches;
mod second_look;
mod sentence;
mod support;
mod supports;
mod telling_runs;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(sentence::EXERCISE, attempts::sentence, solutions::sentence)
        .exercise(second_look::EXERCISE, attempts::second_look, solutions::second_look)
        .exercise(hops::EXERCISE, attempts::hops, solutions::hops)
        .exercise(
            reaches::EXERCISE,
            attempts::what_reaches_a_score,
            solutions::what_reaches_a_score,
        )
        .exercise(supports::EXERCISE, attempts::supports, solutions::supports)
        .exercise(found::EXERCISE, attempts::found, solutions::found)
        .exercise(telling_runs::EXERCISE, attempts::telling_runs, solutions::telling_runs)
        .exercise(alike::EXERCISE, attempts::alike, solutions::alike)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
