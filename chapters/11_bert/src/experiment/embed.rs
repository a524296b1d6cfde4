//! `embed`: a vector for every line of a text.

use super::folder::{Model, OVERFLOWS};
use crate::Tokens;
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use shared::{Matrix, Tape};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::plain;

/// Arguments of `embed`.
#[derive(Args, Clone, Debug)]
pub struct EmbedArgs {
    /// Folder of the model: one that `pretrain` left, or a checkpoint of the Hugging Face ecosystem
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// A text, one sentence a line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// Which vector speaks for a sentence
    #[arg(long, value_enum, default_value_t = Pooling::Mean)]
    pooling: Pooling,
}

/// Which vector speaks for a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pooling {
    /// The mean of its tokens, at length 1
    Mean,
    /// The token of `[CLS]`
    Cls,
    /// What the pooler makes of it
    Pooler,
}

/// Lines that are computed at once on a thread.
const AT_ONCE: usize = 32;

/// Prints a vector a line.
pub fn embed(arguments: &EmbedArgs) -> Result<()> {
    let model = Model::open(arguments.checkpoint.as_deref())?;
    if arguments.pooling == Pooling::Pooler && model.encoder().pooler.is_none() {
        return Err(Error::file(
            &model.folder,
            "this model has no pooler: choose --pooling mean or cls",
        ));
    }
    let lines = corpora::read_lines_or_input(&arguments.file)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    // As many lines as the threads take: a long file is answered from its beginning.
    for lines in lines.chunks(AT_ONCE * rayon::current_num_threads() * 4) {
        for vector in vectors(&model, lines, arguments.pooling)? {
            let numbers: Vec<String> = vector.iter().map(|x| x.to_string()).collect();
            match writeln!(out, "{}", numbers.join(" ")) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()), // has enough
                written => written.map_err(unwritten)?,
            }
        }
    }
    match out.flush() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unwritten(error)),
        _ => Ok(()),
    }
}

fn unwritten(error: std::io::Error) -> Error {
    Error::argument(format!("standard output cannot be written to: {}", plain(&error)))
}

/// A vector for each line. Lines of about the same length are computed together, so that no thread waits
/// for another one's long lines.
///
/// # Errors
/// When there is not enough memory, or a vector holds what is no number.
pub fn vectors(model: &Model, lines: &[String], pooling: Pooling) -> Result<Vec<Vec<f32>>> {
    let mut tokens: Vec<(usize, Tokens)> =
        lines.iter().map(|line| model.tokens(line)).enumerate().collect();
    tokens.sort_by_key(|(_, tokens)| std::cmp::Reverse(tokens.len()));
    let longest = tokens.iter().take(AT_ONCE * rayon::current_num_threads());
    model.must_be_readable(&longest.map(|(_, tokens)| tokens).collect::<Vec<_>>())?;
    let found: Vec<(Vec<usize>, Matrix)> = tokens
        .par_chunks(AT_ONCE)
        .map(|part| {
            let (places, tokens): (Vec<_>, Vec<_>) = part.iter().cloned().unzip();
            (places, pooled(model, &Tokens::side_by_side(&tokens), pooling))
        })
        .collect();
    let mut vectors = vec![Vec::new(); lines.len()];
    for (places, matrix) in found {
        for (place, column) in places.iter().zip(matrix.column_iter()) {
            vectors[*place] = column.as_slice().to_vec();
        }
    }
    match vectors.iter().flatten().all(|x| x.is_finite()) {
        true => Ok(vectors),
        false => Err(Error::file(&model.folder, OVERFLOWS)),
    }
}

fn pooled(model: &Model, tokens: &Tokens, pooling: Pooling) -> Matrix {
    let tape = Tape::without_gradients();
    let (h, _) = model.encoder().forward(&tape, tokens, None);
    match pooling {
        Pooling::Mean => means(&h.value(), tokens),
        Pooling::Cls => h.value().select_columns(&tokens.pieces.offsets[..tokens.sequences()]),
        Pooling::Pooler => Matrix::clone(&model.encoder().pooled(h, tokens).value()),
    }
}

/// The mean of every sequence's tokens in `h` (d, n), marks included, divided by its length → (d, sequences).
pub fn means(h: &Matrix, tokens: &Tokens) -> Matrix {
    let mut means = Matrix::zeros(h.nrows(), tokens.sequences());
    for (mut mean, ends) in means.column_iter_mut().zip(tokens.pieces.offsets.windows(2)) {
        h.columns_range(ends[0]..ends[1]).column_iter().for_each(|token| mean += token);
        let length = mean.norm().max(1e-12);
        mean /= length;
    }
    means
}
