//! The program of chapter 14: `cargo run --release -p memory_networks`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memory_networks::program::program()
}
