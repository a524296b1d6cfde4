//! The program of chapter 7: `cargo run --release -p luong`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    luong::program::program()
}
