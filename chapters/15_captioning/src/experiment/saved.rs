//! The model's file.

use super::data::VOCABULARY;
use crate::{Captioner, Config};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::folders::is_there;
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};

pub const MODEL: &str = "model";

#[derive(Serialize, Deserialize)]
struct Description {
    model: String,
    config: Config,
}

const KIND: &str = "captioning";

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
    let fits = model == KIND
        && config.words == VOCABULARY
        && config
            .channels
            .iter()
            .chain([&config.embedding, &config.hidden, &config.score])
            .all(|size| (1..=4096).contains(size));
    if !fits {
        return Err(Error::file(
            &path,
            "a model of another chapter, or of sizes that this one has not",
        ));
    }
    let mut model = Captioner::new(&config, &mut rng(0));
    if model.parameter_count() as u64 != file.count() {
        return Err(Error::file(&path, "describes a model of other sizes than its numbers have"));
    }
    file.load(&mut model)?;
    Ok(model)
}
