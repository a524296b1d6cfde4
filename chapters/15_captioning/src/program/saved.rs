//! The model's file.

use super::data::VOCABULARY;
use crate::{Captioner, Config};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::folders::is_there;
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};

#[derive(Serialize, Deserialize)]
struct Description {
    model: String,
    config: Config,
}

pub const KIND: &str = "captioning";

pub fn save(folder: &Path, model: &mut Captioner, config: &Config) -> Result<()> {
    let description = Description { model: KIND.to_owned(), config: config.clone() };
    save_parameters(&folder.join(MODEL_FILE), model, &description)
}

pub fn load(folder: &Path) -> Result<Captioner> {
    let path = folder.join(MODEL_FILE);
    if !is_there(&path)? {
        let reason = "no trained model here; this trains one: cargo run --release -p captioning";
        return Err(Error::file(folder, reason));
    }
    let file = ParameterFile::open(&path)?;
    let Description { model, config } = file.description()?;
    let Config { channels: [a, b, c], embedding, hidden, score, .. } = config;
    let sizes = [a, b, c, embedding, hidden, score];
    // Of matrices that the model has: none is built that is larger than the file.
    let matrices = [(a, b), (b, c), (c, hidden), (c, embedding), (c, score)];
    let matrices = matrices.into_iter().chain([embedding, hidden, score].map(|n| (n, hidden)));
    let fits = model == KIND
        && config.words == VOCABULARY
        && sizes.iter().all(|size| (1..=4096).contains(size))
        && matrices.into_iter().all(|(m, n)| (m * n) as u64 <= file.count());
    let refuse =
        || Error::file(&path, "a model of another chapter, or of sizes that this one has not");
    if !fits {
        return Err(refuse());
    }
    let mut model = Captioner::new(&config, &mut rng(0));
    if model.parameter_count() as u64 != file.count() {
        return Err(refuse());
    }
    file.load(&mut model)?;
    Ok(model)
}
