//! `view`: where every head looks, in one page.

use super::model::{Model, OVERFLOWS};
use crate::experiment::sizes::reading_memory;
use crate::{Bert, Tokens};
use clap::Args;
use corpora::WordPiece;
use scoring_functions::fused::Weights;
use shared::{Matrix, Tape};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::{must_be_writable, write};
use workbench::memory::must_fit;
use workbench::program::say;
use workbench::viewer::{Group, Viewer};

#[derive(Args, Clone, Debug)]
pub struct ViewArgs {
    /// A text
    text: String,
    /// A text that follows it, as a second segment
    #[arg(long, value_name = "TEXT")]
    second: Option<String>,
    /// Folder of the model: one that `pretrain` left, or a checkpoint of the Hugging Face ecosystem
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE", default_value = "attention.html")]
    output: PathBuf,
}

pub fn view(arguments: &ViewArgs) -> Result<()> {
    let model = Model::open(arguments.checkpoint.as_deref())?;
    must_be_writable(&arguments.output)?;
    let tokens = model.sequence(&arguments.text, arguments.second.as_deref())?;
    must_be_showable(&model, tokens.len())?;
    let page = viewer(model.encoder(), &tokens, &model.pieces, &arguments.text);
    if !page.is_finite() {
        return Err(Error::file(&model.folder, OVERFLOWS));
    }
    write(&arguments.output, page.html().as_bytes())?;
    say(format!("{}: open it in a browser", arguments.output.display()));
    Ok(())
}

/// Refuses a text whose page does not fit into memory: every weight is kept as a number and written with
/// about seven characters, which are copied until the page is whole.
fn must_be_showable(model: &Model, length: usize) -> Result<()> {
    const A_WEIGHT: u64 = 28;
    let config = model.config();
    let weights = (length * length) as u64 * (config.blocks * config.heads) as u64;
    let reading = reading_memory(config, [length], 0);
    let bytes = reading.and_then(|bytes| bytes.checked_add(weights.checked_mul(A_WEIGHT)?));
    must_fit("the page of this text", bytes)
}

pub fn viewer(bert: &Bert, tokens: &Tokens, pieces: &WordPiece, title: &str) -> Viewer {
    let names = tokens.pieces.words.iter().map(|&piece| pieces.piece(piece).to_owned());
    let names: Vec<String> = names.collect();
    let (_, looked) = bert.forward(&Tape::without_gradients(), tokens);
    let heads = |weights: &Weights| -> Vec<Matrix> {
        (0..weights.heads()).map(|head| weights.of(0, head).clone()).collect()
    };
    let blocks: Vec<Vec<Matrix>> = looked.iter().map(heads).collect();
    let kind = ["encoder", "The pieces:", "Where it looks from"];
    Viewer {
        title: title.to_owned(),
        groups: vec![Group::new(kind, names.clone(), names, &blocks)],
    }
}
