//! The experiment of chapter 4: `cargo run --release -p recurrent_networks`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    recurrent_networks::program::commands::program()
}
