//! The program of chapter 17: `cargo run --release -p full_circle`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    full_circle::program::program()
}
