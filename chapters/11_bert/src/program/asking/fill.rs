//! `fill`: which token was at `[MASK]`?

use super::model::{Model, OVERFLOWS};
use crate::Pretraining;
use clap::Args;
use corpora::WordPiece;
use shared::{Tape, Var, elementwise};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::program::{columns, padded, printable, say};

#[derive(Args, Clone, Debug)]
pub struct FillArgs {
    /// A text with one [MASK]
    text: String,
    /// A text that follows it, as a second segment
    #[arg(long, value_name = "TEXT")]
    second: Option<String>,
    /// Folder of the model: one that `pretrain` left, or a checkpoint of the Hugging Face ecosystem
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// How many candidates are shown
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    top: u32,
}

pub struct Candidate {
    /// A piece, without the mark of pieces that go on with a word.
    pub piece: String,
    pub probability: f32,
}

pub fn fill(arguments: &FillArgs) -> Result<()> {
    let model = Model::open(arguments.checkpoint.as_deref())?;
    let second = arguments.second.as_deref();
    let candidates = candidates(&model, &arguments.text, second, arguments.top as usize)?;
    let pieces: Vec<String> = candidates.iter().map(|found| printable(&found.piece)).collect();
    let width = pieces.iter().map(|piece| columns(piece)).max().unwrap_or(0);
    for (piece, Candidate { probability, .. }) in pieces.iter().zip(&candidates) {
        let (piece, percent) = (padded(piece, width), probability * 100.0);
        say(format!("{piece}  {percent:5.1} %  {}", bar(*probability)));
    }
    Ok(())
}

fn candidates(
    model: &Model,
    text: &str,
    second: Option<&str>,
    top: usize,
) -> Result<Vec<Candidate>> {
    let tokens = model.sequence(text, second)?;
    let masks: Vec<usize> =
        (0..tokens.len()).filter(|i| tokens.pieces.words[*i] == model.special.mask).collect();
    let [column] = masks[..] else {
        let reason = match masks.len() {
            0 => "no [MASK] in the text: write it where a word is missing".to_owned(),
            n => format!(
                "{n} times [MASK]: one is needed, each would be predicted without the others"
            ),
        };
        return Err(Error::argument(reason));
    };
    let heads = model.heads()?;
    let tape = Tape::no_grad();
    let (h, _) = heads.bert.forward(&tape, &tokens);
    let found = likeliest(heads, h, column, &model.pieces, top);
    found.ok_or_else(|| Error::file(&model.folder, OVERFLOWS))
}

/// The likeliest pieces at a column of `h` (d, n); `None` when numbers overflow.
pub fn likeliest(
    heads: &Pretraining,
    h: Var,
    column: usize,
    pieces: &WordPiece,
    top: usize,
) -> Option<Vec<Candidate>> {
    let mut p = heads.masked_logits(h, &[column]).value().as_slice().to_vec();
    elementwise::softmax(&mut p);
    if p.iter().any(|p| !p.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..pieces.len()).collect(); // rows beyond have no piece
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let best = order.into_iter().take(top);
    Some(best.map(|i| Candidate { piece: pieces.piece(i).to_owned(), probability: p[i] }).collect())
}

fn bar(share: f32) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * 40.0 * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}
