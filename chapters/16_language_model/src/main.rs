//! The program of chapter 16: `cargo run --release -p language_model`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    language_model::program::program()
}
