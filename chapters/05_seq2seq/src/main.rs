//! The program of chapter 5: `cargo run --release -p seq2seq`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    seq2seq::program::program()
}
