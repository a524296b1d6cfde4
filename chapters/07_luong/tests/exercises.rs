//! The suite on your attempts: `cargo test -p luong --test exercises`.

#[path = "../exercises/mod.rs"]
mod attempt;
mod suite;

fn main() -> std::process::ExitCode {
    suite::suite().run_exercises(suite::table())
}
