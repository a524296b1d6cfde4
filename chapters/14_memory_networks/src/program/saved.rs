//! A trained network in its file.

use super::data::Lexicon;
use crate::{MemoryNetwork, Sizes};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};

/// A network, and the words that it knows.
pub struct Saved {
    pub network: MemoryNetwork,
    pub lexicon: Lexicon,
    pub memory: usize,
}

#[derive(Serialize, Deserialize)]
struct Description {
    model: String,
    memory: usize,
    width: usize,
    hops: usize,
    words: Vec<String>,
}

pub const KIND: &str = "memory_networks";

impl Saved {
    pub fn write(&mut self, folder: &Path) -> Result<()> {
        let description = Description {
            model: KIND.to_owned(),
            memory: self.memory,
            width: self.network.words[0].value().nrows(),
            hops: self.network.words.len() - 1,
            words: self.lexicon.words().to_vec(),
        };
        save_parameters(&folder.join(MODEL_FILE), &mut self.network, &description)
    }

    /// # Errors
    /// When the file is none of this program's, or is damaged.
    pub fn read(folder: &Path) -> Result<Saved> {
        let path = folder.join(MODEL_FILE);
        let file = ParameterFile::open(&path)?;
        let Description { model, memory, width, hops, words } = file.description()?;
        if model != KIND {
            return Err(Error::file(&path, format!("holds a model of `{model}`, not of `{KIND}`")));
        }
        let lexicon = Lexicon::new(words);
        let rows = (lexicon.len() as u64).saturating_add(memory as u64);
        let numbers = (hops as u64).saturating_add(1).saturating_mul(rows);
        if hops == 0 || numbers.saturating_mul(width as u64) != file.count() {
            return Err(Error::file(&path, "has other numbers than its sizes promise"));
        }
        let sizes = Sizes { words: lexicon.len(), memory, width, hops };
        let mut network = MemoryNetwork::new(sizes, &mut rng(0));
        file.load(&mut network)?;
        debug_assert_eq!(network.parameter_count() as u64, file.count());
        Ok(Saved { network, lexicon, memory })
    }
}
