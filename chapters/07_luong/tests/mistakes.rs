//! The suite on typical mistakes, each of which it must reject.

#[path = "../solutions/mod.rs"]
mod attempt;
mod suite;

fn main() -> std::process::ExitCode {
    suite::suite().run_mistakes(suite::table())
}
