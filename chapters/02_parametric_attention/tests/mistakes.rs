//! The suite on typical mistakes: it must reject each of them.

#[path = "../solutions/mod.rs"]
mod attempt;
mod suite;

fn main() -> std::process::ExitCode {
    suite::suite().run_mistakes(suite::table())
}
