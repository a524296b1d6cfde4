//! `view`: where every head looks while a text is read, and what could come next without it, in one page.

use super::saved::load;
use super::source::Words;
use crate::{Gpt, Sampling};
use clap::Args;
use shared::{Matrix, Ragged, Tape};
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
    /// Folder of the model
    #[arg(long, value_name = "DIR", default_value = "out/language_model/model")]
    model: PathBuf,
    /// The page
    #[arg(long, value_name = "FILE", default_value = "attention.html")]
    output: PathBuf,
}

pub fn view(arguments: &ViewArgs) -> Result<()> {
    let (mut model, words) = load(&arguments.model)?;
    must_be_free(&arguments.output, marks::PAGE)?;
    let text = words.encode(&arguments.text)?;
    if text.len() > model.config.longest {
        let longest = model.config.longest;
        let reason =
            format!("a text of {} {}s, the model reads {longest}", text.len(), words.unit());
        return Err(Error::argument(reason));
    }
    // Every weight is kept as a number and written with at most five characters, which are copied until all is whole.
    const A_WEIGHT: u64 = 28;
    let heads = (model.config.blocks * model.config.heads) as u64;
    let weights = (text.len() * text.len()) as u64 * heads;
    let weights = weights + silenced_weights(weights, heads);
    must_fit("the page of this text", weights.checked_mul(A_WEIGHT))?;
    let whole = state(&model, &words, &text);
    let viewer = Viewer::new(arguments.text.clone(), whole, |[_, block, head]| {
        let w_o = model.blocks[block].attention.ablate(head);
        let without = state(&model, &words, &text);
        *model.blocks[block].attention.w_o.weight.value_mut() = w_o;
        Some(without)
    });
    write_marked(&arguments.output, marks::PAGE, viewer.html().as_bytes())?;
    say(format!("{}: open it in a browser", arguments.output.display()));
    Ok(())
}

fn state(model: &Gpt, words: &Words, text: &[usize]) -> State {
    const TOP: usize = 5;
    let tape = Tape::no_grad();
    let (x, weights) = model.forward(&tape, &Ragged::new(&[text]));
    let logits = model.logits(x.columns(text.len() - 1, 1)).value();
    let p = Sampling::PLAIN.probabilities(logits.as_slice());
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let name = |word: usize| match words.decode(&[word]).as_str() {
        "" => "·".to_owned(),
        "\n" => "⏎".to_owned(),
        " " => "␣".to_owned(),
        name => name.to_owned(),
    };
    let names: Vec<String> = text.iter().map(|word| name(*word)).collect();
    let blocks: Vec<Vec<Matrix>> = weights
        .iter()
        .map(|weights| (0..weights.heads()).map(|head| weights.of(0, head).clone()).collect())
        .collect();
    let candidates =
        order.iter().take(TOP).map(|word| (name(*word), (p[*word] * 1000.0).round() as u16));
    State {
        silenced: None,
        answer: words.decode(&[text, &order[..1]].concat()),
        candidates: candidates.collect(),
        groups: vec![Group::new(["decoder", "It reads", "To read"], names.clone(), names, &blocks)],
    }
}
