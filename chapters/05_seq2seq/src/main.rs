//! The program of chapter 5: `cargo run --release -p seq2seq`.

use seq2seq::experiment::Chapter;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    seq2seq::translating::main::<Chapter>(
        "Can one vector hold a sentence?",
        "Can one vector hold a sentence?\n\nTrains an encoder and a decoder with one vector between \
         them on English–French pairs that the course generates, or on yours (--data), and tells \
         how well it translates.",
    )
}
