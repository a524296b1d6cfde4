//! The program of chapter 9: `cargo run --release -p self_attention`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    self_attention::program::program()
}
