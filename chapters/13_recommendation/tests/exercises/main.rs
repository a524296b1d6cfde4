//! The exercises of chapter 13: `cargo test -p recommendation --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod capstone;
mod chance;
mod examples;
mod future;
mod hit;
mod interest;
mod interest_backward;
mod places;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(hit::EXERCISE, attempts::hit, solutions::hit)
        .exercise(interest::EXERCISE, attempts::interest, solutions::interest)
        .exercise(
            interest_backward::EXERCISE,
            attempts::interest_backward,
            solutions::interest_backward,
        )
        .exercise(places::EXERCISE, attempts::places, solutions::places)
        .exercise(examples::EXERCISE, attempts::examples, solutions::examples)
        .exercise(chance::EXERCISE, attempts::chance, solutions::chance)
        .exercise(future::EXERCISE, attempts::saw_the_future, solutions::saw_the_future)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
