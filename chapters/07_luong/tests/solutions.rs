//! The suite on the solutions.

#[path = "../solutions/mod.rs"]
mod attempt;
mod suite;

fn main() -> std::process::ExitCode {
    suite::suite().run_solutions(suite::table())
}
