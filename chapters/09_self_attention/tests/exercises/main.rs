//! The exercises of chapter 9: `cargo test -p self_attention --test exercises`.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod capstone;
mod causal;
mod crossing;
mod distance_gradient;
mod layers;
mod leaks;
mod mean;
mod one_back;
mod one_head;
mod order;
mod plain_gradient;
mod position;
mod positions;
mod rival;
mod split_heads;
mod support;
mod turned;
mod verdicts;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(rival::EXERCISE, attempts::rival, solutions::rival)
        .exercise(one_head::EXERCISE, attempts::one_head, solutions::one_head)
        .exercise(mean::EXERCISE, attempts::take_the_mean_away, solutions::take_the_mean_away)
        .exercise(causal::EXERCISE, attempts::causal, solutions::causal)
        .exercise(plain_gradient::EXERCISE, attempts::plain_gradient, solutions::plain_gradient)
        .exercise(one_back::EXERCISE, attempts::look_one_back, solutions::look_one_back)
        .exercise(position::EXERCISE, attempts::position_of, solutions::position_of)
        .exercise(crossing::EXERCISE, attempts::crossing, solutions::crossing)
        .exercise(layers::EXERCISE, attempts::layers, solutions::layers)
        .exercise(leaks::EXERCISE, attempts::leaks, solutions::leaks)
        .exercise(verdicts::EXERCISE, attempts::verdicts, solutions::verdicts)
        .exercise(split_heads::EXERCISE, attempts::split_heads, solutions::split_heads)
        .exercise(positions::EXERCISE, attempts::positions, solutions::positions)
        .exercise(order::EXERCISE, attempts::who_notices, solutions::who_notices)
        .exercise(
            distance_gradient::EXERCISE,
            attempts::distance_gradient,
            solutions::distance_gradient,
        )
        .exercise(turned::EXERCISE, attempts::turned, solutions::turned)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
