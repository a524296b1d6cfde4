//! `embed`: a vector for every line of a text.

use super::model::{Model, OVERFLOWS};
use super::recipe::{Pooling, Recipe};
use crate::Tokens;
use clap::Args;
use corpora::{lines_of_input, read_lines};
use rayon::prelude::*;
use shared::{Matrix, Tape};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::plain;
use workbench::program::{PrecisionArgs, say_aside};

#[derive(Args, Clone, Debug)]
pub struct EmbedArgs {
    /// Folder of the model: one that `pretrain` left, or a checkpoint of the Hugging Face ecosystem
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// A text, one sentence a line; `-` for standard input, answered in blocks as its lines come
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// Which vector speaks for a sentence [default: what the folder's modules.json says, else mean]
    #[arg(long, value_enum)]
    pooling: Option<Pooling>,
    /// In how many bits products read their factors.
    #[command(flatten)]
    precision: PrecisionArgs,
}

const AT_ONCE: usize = 32;

pub fn embed(arguments: &EmbedArgs) -> Result<()> {
    let recipe = arguments.checkpoint.as_deref().map(Recipe::read).transpose()?.flatten();
    let (folder, recipe) = recipe.unzip();
    arguments.precision.begin()?;
    let model = Model::open(folder.as_deref().or(arguments.checkpoint.as_deref()))?;
    let how = how(&model, recipe, arguments.pooling)?;
    let mut lines: Box<dyn Iterator<Item = Result<String>>> = if arguments.file == Path::new("-") {
        Box::new(lines_of_input())
    } else {
        Box::new(read_lines(&arguments.file)?.into_iter().map(Ok))
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut too_long = 0;
    loop {
        // As many lines as the threads take: a long file is answered from its beginning.
        let part = lines.by_ref().take(AT_ONCE * rayon::current_num_threads());
        let part: Vec<String> = part.collect::<Result<_>>()?;
        if part.is_empty() {
            break;
        }
        let (vectors, cut) = vectors(&model, &part, &how)?;
        too_long += cut;
        match print(&mut out, &vectors) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()), // has enough
            Err(error) => {
                let reason = plain(&error);
                let reason = format!("standard output cannot be written to: {reason}");
                return Err(Error::argument(reason));
            }
            Ok(()) => (),
        }
    }
    if too_long > 0 {
        say_aside(format!("lines with more than {} pieces, cut off: {too_long}", how.longest));
    }
    Ok(())
}

/// The recipe that was asked for, else the folder's, else the mean at length 1.
fn how(model: &Model, recipe: Option<Recipe>, asked: Option<Pooling>) -> Result<Recipe> {
    let positions = model.encoder().longest();
    let mean = Recipe { pooling: Pooling::Mean, unit: true, longest: positions, lowercase: false };
    let mut how = recipe.unwrap_or(mean);
    how.longest = how.longest.min(positions);
    if let Some(pooling) = asked {
        (how.pooling, how.unit) = (pooling, pooling == Pooling::Mean);
    }
    let reason = if how.pooling == Pooling::Pooler && model.encoder().pooler.is_none() {
        "this model has no pooler: choose --pooling mean, cls or max".to_owned()
    } else if how.longest < 3 {
        format!("at most {} pieces a sentence: at least 3 are needed", how.longest)
    } else {
        return Ok(how);
    };
    Err(Error::file(&model.folder, reason))
}

fn print(out: &mut impl Write, vectors: &[Vec<f32>]) -> std::io::Result<()> {
    for vector in vectors {
        let numbers: Vec<String> = vector.iter().map(|x| x.to_string()).collect();
        writeln!(out, "{}", numbers.join(" "))?;
    }
    out.flush()
}

/// A vector for each line, and how many lines were cut off.
fn vectors(model: &Model, lines: &[String], how: &Recipe) -> Result<(Vec<Vec<f32>>, usize)> {
    let cut = |line: &String| {
        let line = if how.lowercase { &line.to_lowercase() } else { line };
        model.tokens(line, how.longest)
    };
    let (tokens, is_cut): (Vec<Tokens>, Vec<bool>) = lines.iter().map(cut).unzip();
    model.must_be_readable(&tokens)?;
    let parts = tokens.par_chunks(AT_ONCE);
    let found: Vec<Matrix> =
        parts.map(|part| pooled(model, &Tokens::side_by_side(part), how)).collect();
    if !found.iter().flatten().all(|x| x.is_finite()) {
        return Err(Error::file(&model.folder, OVERFLOWS));
    }
    let columns = found.iter().flat_map(|matrix| matrix.column_iter());
    let vectors = columns.map(|column| column.as_slice().to_vec()).collect();
    Ok((vectors, is_cut.into_iter().filter(|cut| *cut).count()))
}

fn pooled(model: &Model, tokens: &Tokens, how: &Recipe) -> Matrix {
    let tape = Tape::no_grad();
    let (h, _) = model.encoder().forward(&tape, tokens);
    let (value, offsets) = (h.value(), &tokens.pieces.offsets);
    let mut pooled = match how.pooling {
        Pooling::Mean => of_each(&value, tokens, |own, x| *own += x),
        Pooling::Cls => value.select_columns(&offsets[..tokens.sequences()]),
        Pooling::Max => of_each(&value, tokens, |own, x| *own = own.max(x)),
        Pooling::Pooler => Matrix::clone(&model.encoder().pooled(h, tokens).value()),
    };
    if how.unit {
        return unit(pooled); // of a mean, the sum has its direction
    }
    if how.pooling == Pooling::Mean {
        for (mut column, ends) in pooled.column_iter_mut().zip(offsets.windows(2)) {
            column /= (ends[1] - ends[0]) as f32;
        }
    }
    pooled
}

/// Columns of length 1.
fn unit(mut columns: Matrix) -> Matrix {
    for mut column in columns.column_iter_mut() {
        let length = column.norm().max(1e-12);
        column /= length;
    }
    columns
}

/// Joins every sequence's tokens in `h` (d, n), begun with the first → (d, sequences).
fn of_each(h: &Matrix, tokens: &Tokens, join: impl Fn(&mut f32, f32)) -> Matrix {
    let mut joined = h.select_columns(&tokens.pieces.offsets[..tokens.sequences()]);
    for (mut own, ends) in joined.column_iter_mut().zip(tokens.pieces.offsets.windows(2)) {
        for token in h.columns_range(ends[0] + 1..ends[1]).column_iter() {
            own.iter_mut().zip(token.iter()).for_each(|(own, x)| join(own, *x));
        }
    }
    joined
}

/// The mean of every sequence's tokens in `h` (d, n), marks included, at length 1 → (d, sequences).
pub fn means(h: &Matrix, tokens: &Tokens) -> Matrix {
    unit(of_each(h, tokens, |own, x| *own += x))
}
