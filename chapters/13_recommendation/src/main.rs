//! The program of chapter 13: `cargo run --release -p recommendation`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    recommendation::program::program()
}
