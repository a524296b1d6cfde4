//! A trained model with its pieces, out of a folder.

use super::corpus::special;
use crate::interchange::{self, Found};
use crate::{Bert, Pretraining, Special, Tokens};
use corpora::WordPiece;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};

/// A model that can be asked.
pub struct Model {
    /// Where it was found.
    pub folder: PathBuf,
    /// What its pieces are.
    pub pieces: WordPiece,
    /// Those that stand for no text.
    pub special: Special,
    model: Found,
}

/// Where `pretrain` leaves its model.
const DEFAULT: &str = "out/bert/model";

impl Model {
    /// The model in a folder, by default where `pretrain` leaves it.
    ///
    /// # Errors
    /// When there is none, or its files are damaged or do not fit together.
    pub fn open(folder: Option<&Path>) -> Result<Model> {
        let folder = folder.map_or_else(|| PathBuf::from(DEFAULT), Path::to_owned);
        if !folder.exists() {
            let reason = "no such folder; this trains a model: cargo run --release -p bert";
            return Err(Error::file(&folder, reason));
        }
        let pieces = WordPiece::read(&folder)?;
        let model = interchange::read(&folder)?;
        let extra = match &model {
            Found::Pretraining(found) => &found.extra,
            Found::Encoder(found) => &found.extra,
        };
        if !extra.is_empty() {
            eprintln!("{}: not used: {}", folder.display(), extra.join(", "));
        }
        let found = Model { special: special(&pieces), pieces, folder, model };
        let (known, rows) =
            (found.pieces.len(), found.encoder().embeddings.words.weight.value().ncols());
        match known <= rows {
            true => Ok(found),
            false => {
                let reason = format!("{known} pieces in the vocabulary, but vectors for {rows}");
                Err(Error::file(&found.folder, reason))
            }
        }
    }

    /// The model with the head that tells hidden pieces.
    ///
    /// # Errors
    /// When the folder had none.
    pub fn heads(&self) -> Result<&Pretraining> {
        match &self.model {
            Found::Pretraining(found) => Ok(&found.model),
            Found::Encoder(_) => {
                let reason =
                    "an encoder alone, without the head that tells hidden pieces (cls.predictions)";
                Err(Error::file(&self.folder, reason))
            }
        }
    }

    /// The encoder.
    pub fn encoder(&self) -> &Bert {
        match &self.model {
            Found::Pretraining(found) => &found.model.bert,
            Found::Encoder(found) => &found.model,
        }
    }

    /// A line as one sequence, cut off where the model's places end.
    pub fn tokens(&self, line: &str) -> Tokens {
        let mut pieces = self.pieces.cut(line);
        pieces.truncate(self.encoder().longest() - 2);
        Tokens::of(&pieces, None, &self.special)
    }
}
