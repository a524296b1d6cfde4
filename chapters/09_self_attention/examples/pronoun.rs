//! Trains the model that names what *it* stands for, and saves it for the page's live figure.
//!
//!     cargo run --release -p self_attention --example pronoun
//!     cargo run -p live --example pack -- out/self_attention/pronoun chapters/09_self_attention/figures/parameters_it.js

use self_attention::program::sentences::{COLOURS, ENDINGS, NOUNS, list};
use self_attention::program::trained;
use serde_json::json;
use std::error::Error;
use std::fs;
use std::path::Path;
use workbench::parameters::save_parameters;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut model, _, vocabulary, head) = trained(0)?;
    let words: Vec<&str> = (0..vocabulary.len()).map(|number| vocabulary.word(number)).collect();
    // Lists of words that may stand in one another's place: nouns, endings of either kind, colours.
    let nouns = [NOUNS[0][0], NOUNS[0][1], NOUNS[1][0]].map(list);
    let endings = ENDINGS.map(|[a, b]| [list(a), list(b)].concat());
    let alike = [&nouns[..], &endings, &[list(COLOURS)[2..].to_vec()]].concat();
    let about = json!({ "words": words, "head": head, "alike": alike });
    let folder = Path::new("out/self_attention/pronoun");
    fs::create_dir_all(folder)?;
    Ok(save_parameters(&folder.join("model.safetensors"), &mut model, &about)?)
}
