//! A trained model with its pieces, out of a folder.

use crate::interchange::{CONFIG, Checkpoint, read_config};
use crate::program::sizes::reading_memory;
use crate::program::texts::special;
use crate::{Bert, Config, Pretraining, Special, Tokens};
use corpora::WordPiece;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::folders::{is_there, read_together};
use workbench::memory::must_fit;
use workbench::program::say_aside;

pub struct Model {
    pub folder: PathBuf,
    pub pieces: WordPiece,
    pub special: Special,
    read: Checkpoint,
}

pub fn print_unused(folder: &Path, names: &[String]) {
    const TOLD: usize = 10;
    let told = names[..names.len().min(TOLD)].join(", ");
    match names.len() {
        0 => (),
        1..=TOLD => say_aside(format!("{}: not used: {told}", folder.display())),
        n => say_aside(format!("{}: not used: {told} and {} more", folder.display(), n - TOLD)),
    }
}

/// Refuses a model that lacks a vector for some piece, or positions for any text. Vectors beyond the last
/// piece are fine: others round their number up.
pub fn must_fit_together(
    folder: &Path,
    config: &Config,
    pieces: &WordPiece,
    least: usize,
) -> Result<()> {
    let (known, vectors) = (pieces.len(), config.vocabulary);
    let reason = if known > vectors {
        format!("{known} pieces in the vocabulary, but vectors for {vectors}")
    } else if config.longest < least {
        format!("{} positions: at least {least} are needed", config.longest)
    } else {
        return Ok(());
    };
    Err(Error::file(folder, reason))
}

const DEFAULT: &str = "out/bert/model";

pub const OVERFLOWS: &str = "its numbers are too large: what it computes is no number";

impl Model {
    pub fn open(folder: Option<&Path>) -> Result<Model> {
        let folder = folder.map_or_else(|| PathBuf::from(DEFAULT), Path::to_owned);
        if !is_there(&folder)? {
            let reason = "no such folder; this trains a model: cargo run --release -p bert";
            return Err(Error::file(&folder, reason));
        }
        let (pieces, read) = read_together(&folder.join(CONFIG), || {
            let described = read_config(&folder)?; // says first which family the folder is of
            Ok((WordPiece::read(&folder)?, described.open(true)?))
        })?;
        print_unused(&folder, &read.extra);
        must_fit_together(&folder, &read.folder.config, &pieces, 3)?; // a piece between two marks
        Ok(Model { special: special(&pieces), pieces, folder, read })
    }

    pub fn sequence(&self, text: &str, second: Option<&str>) -> Result<Tokens> {
        if second.is_some() && self.encoder().embeddings.segments.weight.value().ncols() < 2 {
            return Err(Error::file(&self.folder, "this model knows no second segment"));
        }
        let second = second.map(|text| self.pieces.cut(text));
        let tokens = Tokens::of(&self.pieces.cut(text), second.as_deref(), &self.special);
        let (length, longest) = (tokens.len(), self.encoder().longest());
        if length > longest {
            return Err(Error::argument(format!(
                "{length} pieces with their marks, but the model has {longest} positions"
            )));
        }
        self.must_be_readable(std::slice::from_ref(&tokens))?;
        Ok(tokens)
    }

    pub fn must_be_readable(&self, tokens: &[Tokens]) -> Result<()> {
        let config = self.config();
        let bytes = reading_memory(config, tokens.iter().map(|one| one.len()), config.blocks);
        must_fit("reading this text", Some(bytes))
    }

    pub fn config(&self) -> &Config {
        &self.read.folder.config
    }

    pub fn heads(&self) -> Result<&Pretraining> {
        if self.read.model.masked.is_some() {
            return Ok(&self.read.model);
        }
        let reason = "an encoder alone, without the MLM head that predicts masked tokens";
        Err(Error::file(&self.folder, format!("{reason} (cls.predictions)")))
    }

    pub fn encoder(&self) -> &Bert {
        &self.read.model.bert
    }

    /// The whole model, in which heads can be silenced.
    pub fn parts(&mut self) -> (&mut Pretraining, &WordPiece) {
        (&mut self.read.model, &self.pieces)
    }

    /// A line as one sequence of at most so many pieces, cut off at its end; and whether it was.
    pub fn tokens(&self, line: &str, longest: usize) -> (Tokens, bool) {
        let mut pieces = self.pieces.cut(line);
        let is_cut = pieces.len() > longest - 2;
        pieces.truncate(longest - 2);
        (Tokens::of(&pieces, None, &self.special), is_cut)
    }
}
