//! Reads a checkpoint, and prints what it says of sequences of pieces:
//!
//! ```sh
//! echo '{"pieces": [2, 7, 3, 9, 3], "segments": [0, 0, 0, 1, 1]}' |
//!     cargo run --release -p bert --example logits -- FOLDER [COPY]
//! ```
//!
//! A line of JSON in, a line out: `masked`, the logits of all pieces at every position; `next`, those of the
//! pair, and `pooled`, where the checkpoint has them. The model is also written to the folder COPY.
//! `tests/peers/checkpoints.py` compares this with the library *transformers*.

use bert::interchange::{Checkpoint, read_pretraining, write_pretraining};
use bert::{Pretraining, Tokens};
use serde::{Deserialize, Serialize};
use shared::Ragged;
use shared::{Matrix, Tape};
use std::io::{BufRead, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::program::{run, say};

/// A sequence.
#[derive(Deserialize)]
struct Sequence {
    pieces: Vec<usize>,
    segments: Vec<usize>,
}

/// What the model says of it.
#[derive(Serialize)]
struct Said {
    masked: Vec<Vec<f32>>,
    pooled: Option<Vec<f32>>,
    next: Option<Vec<f32>>,
}

fn main() -> ExitCode {
    run(answer)
}

fn answer() -> Result<()> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (from, copy) = match &folders[..] {
        [from] => (from, None),
        [from, copy] => (from, Some(copy)),
        _ => return Err(Error::argument("logits FOLDER [COPY]: a checkpoint is needed")),
    };
    let Checkpoint { folder, mut model, extra } = read_pretraining(from)?;
    if !extra.is_empty() {
        eprintln!("not read: {}", extra.join(", "));
    }
    if model.masked.is_none() {
        return Err(Error::file(from, "has no MLM head: no logits to print"));
    }
    if let Some(copy) = copy {
        write_pretraining(copy, None, &mut model, &folder.config)?;
    }
    for (number, line) in (1..).zip(stdin().lock().lines()) {
        let refuse = |reason: String| Error::line("<stdin>".as_ref(), number, reason);
        let line = line.map_err(|error| refuse(error.to_string()))?;
        let sequence = serde_json::from_str(&line).map_err(|error| refuse(error.to_string()))?;
        let tokens = checked(sequence, &folder.config).map_err(refuse)?;
        say(serde_json::to_string(&of(&model, &tokens)).expect("numbers"));
    }
    Ok(())
}

/// A sequence that the model can read, or why not.
fn checked(sequence: Sequence, config: &bert::Config) -> Result<Tokens, String> {
    let Sequence { pieces, segments } = sequence;
    let below = |list: &[usize], end| list.iter().all(|number| *number < end);
    let fits = (1..=config.longest).contains(&pieces.len()) && segments.len() == pieces.len();
    if fits && below(&pieces, config.vocabulary) && below(&segments, config.segments) {
        Ok(Tokens { pieces: Ragged::new(&[&pieces]), segments })
    } else {
        Err(format!(
            "1 to {} pieces below {} are needed, and as many segments below {}",
            config.longest, config.vocabulary, config.segments
        ))
    }
}

fn of(model: &Pretraining, tokens: &Tokens) -> Said {
    let tape = Tape::new();
    let (h, _) = model.bert.forward(&tape, tokens);
    let all: Vec<usize> = (0..tokens.len()).collect();
    let first = |matrix: &Matrix| matrix.as_slice().to_vec();
    let pooled = model.bert.pooler.is_some();
    Said {
        masked: columns(&model.masked_logits(h, &all).value()),
        pooled: pooled.then(|| first(&model.bert.pooled(h, tokens).value())),
        next: model.next.is_some().then(|| first(&model.next_logits(h, tokens).value())),
    }
}

/// A list for each column.
fn columns(matrix: &Matrix) -> Vec<Vec<f32>> {
    matrix.column_iter().map(|column| column.iter().copied().collect()).collect()
}
