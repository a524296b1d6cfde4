//! Writes a model with the course's names for its parameters, as other chapters save theirs, for `live`'s `pack`:
//!
//!     cargo run --release -p bert
//!     cargo run --release -p bert --example own_names -- out/bert/model out/bert/own

use bert::interchange::read_config;
use corpora::WordPiece;
use std::error::Error;
use std::path::PathBuf;
use workbench::parameters::{MODEL_FILE, save_parameters};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [from, to] = &arguments[..] else {
        return Err("two folders: of the model, and to write to".into());
    };
    let pieces = WordPiece::read(from)?;
    let pieces: Vec<&str> = (0..pieces.len()).map(|piece| pieces.piece(piece)).collect();
    let mut read = read_config(from)?.open(true)?;
    std::fs::create_dir_all(to)?;
    let about = serde_json::json!({ "pieces": pieces });
    Ok(save_parameters(&to.join(MODEL_FILE), &mut read.model, &about)?)
}
