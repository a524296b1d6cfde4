//! The program of chapter 6: `cargo run --release -p bahdanau`.

use bahdanau::experiment::Chapter;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    seq2seq::translating::main::<Chapter>(
        "What if the decoder may look back?",
        "What if the decoder may look back?\n\nTrains an encoder–decoder with additive attention on \
         English–French pairs that the course generates, or on yours (--data), tells how well it \
         translates and aligns, and draws what it looked at.",
    )
}
