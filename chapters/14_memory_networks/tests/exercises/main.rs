//! The exercises of chapter 14: `cargo test -p memory_networks --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod ages;
mod capstone;
mod found;
mod hops;
mod reaches;
mod second_look;
mod support;
mod telling_runs;
mod verdicts;
mod word_place;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(word_place::EXERCISE, attempts::word_place, solutions::word_place)
        .exercise(second_look::EXERCISE, attempts::second_look, solutions::second_look)
        .exercise(hops::EXERCISE, attempts::hops, solutions::hops)
        .exercise(
            reaches::EXERCISE,
            attempts::what_reaches_a_score,
            solutions::what_reaches_a_score,
        )
        .exercise(ages::EXERCISE, attempts::ages, solutions::ages)
        .exercise(found::EXERCISE, attempts::found, solutions::found)
        .exercise(telling_runs::EXERCISE, attempts::telling_runs, solutions::telling_runs)
        .exercise(verdicts::EXERCISE, attempts::verdicts, solutions::verdicts)
        .capstone(
            capstone::EXERCISE,
            &capstone::NEEDS,
            capstone::Parts {
                word_place: attempts::word_place,
                hops: attempts::hops,
                ages: attempts::ages,
                found: attempts::found,
            },
            capstone::SOLVED,
        )
        .run()
}
