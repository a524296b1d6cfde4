//! The program of chapter 10: `cargo run --release -p transformer`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    transformer::program::program()
}
