//! The program of chapter 6: `cargo run --release -p bahdanau`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    bahdanau::program::program()
}
