//! The program of chapter 15: `cargo run --release -p captioning`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    captioning::program::program()
}
