//! The program of chapter 12: `cargo run --release -p fine_tuning`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fine_tuning::program::program()
}
