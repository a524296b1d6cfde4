//! The suite on typical mistakes: each must be rejected, with a message that helps.

#[path = "../solutions/mod.rs"]
mod attempt;
mod suite;

fn main() -> std::process::ExitCode {
    suite::suite().run_mistakes(suite::table())
}
