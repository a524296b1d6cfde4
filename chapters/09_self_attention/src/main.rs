//! The program of chapter 9: `cargo run --release -p self_attention`.

use clap::Parser;
use self_attention::program::{sentences::examples, trained, weights};
use std::process::ExitCode;
use workbench::program::{parse, run, say};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What does “it” look at?
///
/// Trains attention to name the noun that “it” stands for, and shows where one head looks.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn main() -> ExitCode {
    let Arguments { seed } = parse();
    run(|| {
        let (model, _, words, head) = trained(seed)?;
        for sentence in examples().concat() {
            let at = &weights(&model.reader, std::slice::from_ref(&sentence), &words)[head.block];
            let alpha = at.of(0, head.head).column(sentence.it).into_owned();
            let shown =
                sentence.words.iter().zip(&alpha).map(|(word, w)| format!("{word} {w:.2}  "));
            say(shown.collect::<String>());
        }
        Ok(())
    })
}
