//! The exercises of chapter 8: `cargo test -p hard_attention --test exercises`.
//!
//! There are only m looks, so whether an estimate is unbiased is decided by a finite sum: no check
//! draws at random.

#[path = "../../exercises/mod.rs"]
mod attempts;
#[path = "../../solutions/mod.rs"]
mod solutions;

mod best_constant;
mod capstone;
mod cost_of_credit;
mod distinguishing_runs;
mod draw;
mod entropy;
mod leave_one_out;
mod misleading;
mod old_looks;
mod own_teacher;
mod reinforce;
mod score_function;
mod support;
mod to_go;
mod verdicts;

use std::process::ExitCode;
use tests::exercises::Suite;

fn main() -> ExitCode {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(draw::EXERCISE, attempts::place, solutions::place)
        .exercise(score_function::EXERCISE, attempts::score_function, solutions::score_function)
        .exercise(reinforce::EXERCISE, attempts::reinforce, solutions::reinforce)
        .exercise(best_constant::EXERCISE, attempts::optimal_baseline, solutions::optimal_baseline)
        .exercise(entropy::EXERCISE, attempts::entropy_gradient, solutions::entropy_gradient)
        .exercise(leave_one_out::EXERCISE, attempts::leave_one_out, solutions::leave_one_out)
        .exercise(old_looks::EXERCISE, attempts::from_old_looks, solutions::from_old_looks)
        .exercise(own_teacher::EXERCISE, attempts::gradient_of_w, solutions::gradient_of_w)
        .exercise(to_go::EXERCISE, attempts::losses_to_go, solutions::losses_to_go)
        .exercise(misleading::EXERCISE, attempts::misleading, solutions::misleading)
        .exercise(
            distinguishing_runs::EXERCISE,
            attempts::distinguishing_runs,
            solutions::distinguishing_runs,
        )
        .exercise(cost_of_credit::EXERCISE, attempts::cost_of_credit, solutions::cost_of_credit)
        .exercise(verdicts::EXERCISE, attempts::verdicts, solutions::verdicts)
        .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
        .run()
}
