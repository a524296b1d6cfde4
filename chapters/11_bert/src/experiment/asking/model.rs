//! A trained model with its pieces, out of a folder.

use crate::experiment::sizes::reading_memory;
use crate::experiment::texts::special;
use crate::interchange::{CONFIG, Checkpoint, read_config};
use crate::{Bert, Config, Pretraining, Special, Tokens};
use corpora::WordPiece;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::folders::{is_there, read_together};
use workbench::memory::must_fit;
use workbench::program::say_aside;

/// A model that can be asked.
pub struct Model {
    /// Where it was found.
    pub folder: PathBuf,
    /// What its pieces are.
    pub pieces: WordPiece,
    /// Those that stand for no text.
    pub special: Special,
    read: Checkpoint,
}

/// Tells which tensors of a folder were left alone; of many, the first.
pub fn tell_unused(folder: &Path, names: &[String]) {
    const TOLD: usize = 10;
    if names.is_empty() {
        return;
    }
    let told = names[..names.len().min(TOLD)].join(", ");
    let more = match names.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    say_aside(format!("{}: not used: {told}{more}", folder.display()));
}

/// Where `pretrain` leaves its model.
const DEFAULT: &str = "out/bert/model";

/// What to say of a model with too large parameters.
pub const OVERFLOWS: &str = "its numbers are too large: what it computes is no number";

impl Model {
    /// The model in a folder, by default where `pretrain` leaves it.
    ///
    /// # Errors
    /// When there is none, or its files are damaged or do not fit together.
    pub fn open(folder: Option<&Path>) -> Result<Model> {
        let folder = folder.map_or_else(|| PathBuf::from(DEFAULT), Path::to_owned);
        if !is_there(&folder)? {
            let reason = "no such folder; this trains a model: cargo run --release -p bert";
            return Err(Error::file(&folder, reason));
        }
        let (pieces, read) = read_together(&folder.join(CONFIG), || {
            let described = read_config(&folder)?; // tells first which family the folder is of
            Ok((WordPiece::read(&folder)?, described.open(true)?))
        })?;
        tell_unused(&folder, &read.extra);
        let found = Model { special: special(&pieces), pieces, folder, read };
        found.must_fit_together()?;
        Ok(found)
    }

    /// Refuses a model that lacks a vector for some piece, or places for any text. Vectors beyond the
    /// last piece are fine: others round their number up.
    fn must_fit_together(&self) -> Result<()> {
        const LEAST: usize = 3; // a piece between two marks
        let embeddings = &self.encoder().embeddings;
        let (known, rows) = (self.pieces.len(), embeddings.words.weight.value().ncols());
        let longest = self.encoder().longest();
        let reason = if known > rows {
            format!("{known} pieces in the vocabulary, but vectors for {rows}")
        } else if longest < LEAST {
            format!("{longest} places: at least {LEAST} are needed")
        } else {
            return Ok(());
        };
        Err(Error::file(&self.folder, reason))
    }

    /// One text or two as a sequence that the model can read.
    ///
    /// # Errors
    /// When it has more pieces than the model has places, the model knows no second segment, or there
    /// is not enough memory.
    pub fn sequence(&self, text: &str, second: Option<&str>) -> Result<Tokens> {
        if second.is_some() && self.encoder().embeddings.segments.weight.value().ncols() < 2 {
            return Err(Error::file(&self.folder, "this model knows no second segment"));
        }
        let second = second.map(|text| self.pieces.cut(text));
        let tokens = Tokens::of(&self.pieces.cut(text), second.as_deref(), &self.special);
        let (length, longest) = (tokens.len(), self.encoder().longest());
        if length > longest {
            let reason =
                format!("{length} pieces with their marks, but the model has {longest} places");
            return Err(Error::argument(reason));
        }
        self.must_be_readable(&[&tokens])?;
        Ok(tokens)
    }

    /// Refuses sequences that do not fit into memory when they are read at once.
    ///
    /// # Errors
    /// When they do not.
    pub fn must_be_readable(&self, tokens: &[&Tokens]) -> Result<()> {
        let config = self.config();
        let bytes = reading_memory(config, tokens.iter().map(|one| one.len()), config.blocks);
        must_fit("reading this text", bytes)
    }

    /// What it is made of.
    pub fn config(&self) -> &Config {
        &self.read.folder.config
    }

    /// The model with the head that tells hidden pieces.
    ///
    /// # Errors
    /// When the folder had none.
    pub fn heads(&self) -> Result<&Pretraining> {
        let reason =
            "an encoder alone, without the head that tells hidden pieces (cls.predictions)";
        match self.read.model.masked {
            Some(_) => Ok(&self.read.model),
            None => Err(Error::file(&self.folder, reason)),
        }
    }

    /// The encoder.
    pub fn encoder(&self) -> &Bert {
        &self.read.model.bert
    }

    /// A line as one sequence of at most so many pieces, cut off at its end; and whether it was.
    pub fn tokens(&self, line: &str, longest: usize) -> (Tokens, bool) {
        let mut pieces = self.pieces.cut(line);
        let is_cut = pieces.len() > longest - 2;
        pieces.truncate(longest - 2);
        (Tokens::of(&pieces, None, &self.special), is_cut)
    }
}
