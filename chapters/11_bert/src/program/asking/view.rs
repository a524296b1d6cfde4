//! `view`: where every head looks, and what the model predicts without it, in one page.

use super::fill::likeliest;
use super::model::{Model, OVERFLOWS};
use crate::program::sizes::reading_memory;
use crate::{Pretraining, Tokens};
use clap::Args;
use corpora::WordPiece;
use shared::{Matrix, Tape};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::marks::{self, must_be_free, write_marked};
use workbench::memory::must_fit;
use workbench::program::say;
use workbench::viewer::{Group, State, Viewer, silenced_weights};

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
    let mut model = Model::open(arguments.checkpoint.as_deref())?;
    must_be_free(&arguments.output, marks::PAGE)?;
    let tokens = model.sequence(&arguments.text, arguments.second.as_deref())?;
    must_be_showable(&model, tokens.len())?;
    let title = [Some(arguments.text.as_str()), arguments.second.as_deref()];
    let title = title.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let Some(page) = viewer(&mut model, &tokens, title) else {
        return Err(Error::file(&model.folder, OVERFLOWS));
    };
    write_marked(&arguments.output, marks::PAGE, page.html().as_bytes())?;
    say(format!("{}: open it in a browser", arguments.output.display()));
    Ok(())
}

/// Refuses a text whose page does not fit into memory: every weight is kept as a number and written with
/// at most five characters, which are copied until the page is whole.
fn must_be_showable(model: &Model, length: usize) -> Result<()> {
    const A_WEIGHT: u64 = 28;
    let config = model.config();
    let heads = (config.blocks * config.heads) as u64;
    let weights = (length * length) as u64 * heads;
    let weights = weights + silenced_weights(weights, heads);
    let reading = reading_memory(config, [length], 0);
    let bytes = weights.checked_mul(A_WEIGHT).and_then(|bytes| bytes.checked_add(reading));
    must_fit("the page of this text", bytes)
}

/// The page of a text; of one with a hole also what the model predicts there without each head. `None`
/// when numbers overflow.
fn viewer(model: &mut Model, tokens: &Tokens, title: String) -> Option<Viewer> {
    let mask = model.special.mask;
    let holes = tokens.pieces.words.iter().enumerate().filter(|(_, piece)| **piece == mask);
    let holes: Vec<usize> = holes.map(|(column, _)| column).collect();
    let (model, pieces) = model.parts();
    let hole = match holes[..] {
        [hole] if model.masked.is_some() => Some(hole),
        _ => None, // nothing to predict, or each without the others
    };
    let whole = state(model, tokens, pieces, hole, &title)?;
    let mut viewer = Viewer::new(title.clone(), whole, |[_, block, head]| {
        hole?; // nothing that could change
        let silenced = model.bert.blocks[block].attention.ablate(head);
        let state = state(model, tokens, pieces, hole, &title);
        *model.bert.blocks[block].attention.w_o.weight.value_mut() = silenced;
        state
    });
    viewer.hole = hole;
    Some(viewer)
}

fn state(
    model: &Pretraining,
    tokens: &Tokens,
    pieces: &WordPiece,
    hole: Option<usize>,
    text: &str,
) -> Option<State> {
    const TOP: usize = 5;
    let names = tokens.pieces.words.iter().map(|&piece| pieces.piece(piece).to_owned());
    let names: Vec<String> = names.collect();
    let tape = Tape::no_grad();
    let (h, looked) = model.bert.forward(&tape, tokens);
    if !h.value().iter().all(|x| x.is_finite()) {
        return None;
    }
    let found = hole.map(|column| likeliest(model, h, column, pieces, TOP));
    let found = found.unwrap_or(Some(Vec::new()))?;
    let blocks: Vec<Vec<Matrix>> = looked
        .iter()
        .map(|weights| (0..weights.heads()).map(|head| weights.of(0, head).clone()).collect())
        .collect();
    let kind = ["encoder", "It reads", "To read"];
    let answer = found.first().map_or(String::new(), |best| text.replace("[MASK]", &best.piece));
    let candidates = found.into_iter().map(|one| {
        (one.piece, (one.probability * 1000.0).round() as u16) // thousandths
    });
    Some(State {
        silenced: None,
        answer,
        candidates: candidates.collect(),
        groups: vec![Group::new(kind, names.clone(), names, &blocks)],
    })
}
