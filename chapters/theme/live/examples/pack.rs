//! Packs a trained model for the page: a file that a chapter's program saved becomes `live.data("…")`.
//!
//!     cargo run --release -p transformer
//!     cargo run -p live --example pack -- out/transformer/model chapters/10_transformer/figures/parameters.js
//!
//! The script hands over a line of JSON, which is what the file says about its model (sizes, vocabularies), and
//! then the parameters as `live::packed` has them. `live.parameters` in `theme/live.js` parts the two. Training
//! gives other numbers on another processor: `tests/trained.rs` says what the committed files must be able to do.

use live::{packed, script};
use safetensors::{Dtype, SafeTensors};
use serde_json::Value;
use shared::{Float, Matrix};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, destination] = &arguments[..] else {
        return Err("two arguments: the folder of a trained model, and the script to write".into());
    };
    let bytes = fs::read(Path::new(folder).join("model.safetensors"))?;
    let file = SafeTensors::deserialize(&bytes)?;
    let (_, header) = SafeTensors::read_metadata(&bytes)?;
    let remarks = header.metadata().as_ref().ok_or("the file says nothing of its model")?;
    let text = remarks.get("description").ok_or("the file does not describe its model")?;
    let description: Value = serde_json::from_str(text)?;

    let mut names = file.names();
    names.sort_unstable();
    let mut matrices = Vec::new();
    for name in names {
        let tensor = file.tensor(name)?;
        let (Dtype::F32, [rows, columns]) = (tensor.dtype(), tensor.shape()) else {
            return Err(format!("`{name}` is no matrix of the chapters' own").into());
        };
        let (numbers, _) = tensor.data().as_chunks();
        let numbers = numbers.iter().map(|number| Float::from_le_bytes(*number));
        matrices.push(Matrix::from_row_iterator(*rows, *columns, numbers));
    }
    let mut all = format!("{}\n", description["model"]).into_bytes();
    all.extend(packed::pack(matrices.iter()));
    let made = format!("`cargo run -p live --example pack -- {folder} {destination}`");
    let script = script::write(&made, &all);
    println!("{} matrices, {} bytes, {} of script", matrices.len(), all.len(), script.len());
    fs::write(destination, script)?;
    Ok(())
}
