//! Trains the model that names what *it* stands for, and saves it for the page's live figure.
//!
//!     cargo run --release -p self_attention --example pronoun
//!     cargo run -p live --example pack -- out/self_attention/pronoun chapters/09_self_attention/figures/parameters_it.js

use self_attention::program::pronoun::{Config, first, sentences};
use serde_json::json;
use std::error::Error;
use std::fs;
use std::path::Path;
use workbench::parameters::save_parameters;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut guesser, vocabulary, head) = first(&Config::default())?;
    let words: Vec<&str> = (0..vocabulary.len()).map(|number| vocabulary.word(number)).collect();
    let about = json!({ "words": words, "head": head, "alike": sentences::alike() });
    let folder = Path::new("out/self_attention/pronoun");
    fs::create_dir_all(folder)?;
    Ok(save_parameters(&folder.join("model.safetensors"), &mut guesser, &about)?)
}
