//! The model's file.

use super::gpt2::read_gpt2;
use super::source::Words;
use crate::{Config, Gpt};
use bert::interchange::CONFIG;
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::folders::is_there;
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};

#[derive(Serialize, Deserialize)]
struct Description {
    model: String,
    words: Words,
    config: Config,
}

pub const KIND: &str = "language_model";

pub fn save(folder: &Path, model: &mut Gpt, words: Words) -> Result<()> {
    let description = Description { model: KIND.to_owned(), words, config: model.config.clone() };
    save_parameters(&folder.join(MODEL_FILE), model, &description)
}

/// A model that this program has saved, or a folder of GPT-2's.
pub fn load(folder: &Path) -> Result<(Gpt, Words)> {
    if is_there(&folder.join(CONFIG))? {
        return read_gpt2(folder);
    }
    let path = folder.join(MODEL_FILE);
    if !is_there(&path)? {
        let reason =
            "no trained model here; this trains one: cargo run --release -p language_model";
        return Err(Error::file(folder, reason));
    }
    let file = ParameterFile::open(&path)?;
    let refuse =
        || Error::file(&path, "a model of another chapter, or of sizes that this one has not");
    let Description { model, words, config } = file.description().map_err(|_| refuse())?;
    let Config { vocabulary, width, feed_forward, blocks, heads, groups, longest, .. } = config;
    let sizes = [width, feed_forward, blocks, heads, groups, longest];
    let fits = model == KIND
        && vocabulary == words.count()
        && sizes.iter().all(|size| (1..=65_536).contains(size))
        && longest >= 2
        && [config.experts, config.kept] == [1, 1] // the program trains no others
        && width.is_multiple_of(heads)
        && heads.is_multiple_of(groups)
        && (!config.rotary || (width / heads).is_multiple_of(2))
        // Of matrices that the model has: none is built that is larger than the file.
        && (blocks * width * width.max(feed_forward)) as u64 <= file.count()
        && (config.rotary || (longest * width) as u64 <= file.count());
    if !fits {
        return Err(refuse());
    }
    let mut model = Gpt::new(&config, &mut rng(0));
    if model.parameter_count() as u64 != file.count() {
        return Err(refuse());
    }
    file.load(&mut model)?;
    Ok((model, words))
}
