//! The program of chapter 7: `cargo run --release -p luong`.

use luong::experiment::Chapter;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    seq2seq::translating::main::<Chapter>(
        "Before the step or after it, everywhere or nearby?",
        "Before the step or after it, everywhere or nearby?\n\nTrains an encoder–decoder that attends \
         after its recurrent step – with the score, the window and the feeding you choose – on \
         English–French pairs that the course generates, or on yours (--data), tells how well it \
         translates and aligns, and draws what it looked at.",
    )
}
