//! Folders with models: the encoder to begin with, the classifier to end with.

use super::table::Form;
use crate::{Asks, Classifier};
use bert::interchange::{
    CONFIG, Folder, Parts, label_fields, linear, read_config, read_encoder, read_tensors, table,
    write,
};
use bert::program::{must_fit_together, print_unused};
use bert::{Bert, Config};
use corpora::WordPiece;
use shared::{Matrix, Module, rng};
use std::collections::HashSet;
use std::path::Path;
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::files;
use workbench::folders::{is_there, read_together};
use workbench::parameters::{Foreign, ForeignFile};

pub const PRETRAINED: &str = "out/bert/model";

/// Pieces of the longest sequence, at least: a pair has three marks.
const LEAST: usize = 4;

pub struct Encoder {
    values: Vec<Matrix>,
    pub has_pooler: bool,
    pub config: Config,
    pub pieces: WordPiece,
}

pub fn read_pretrained(folder: Option<&Path>, form: Form) -> Result<Encoder> {
    let folder = folder.unwrap_or(Path::new(PRETRAINED));
    must_be_there(folder, "cargo run --release -p bert")?;
    let (found, pieces) = read_together(&folder.join(CONFIG), || {
        let found = read_encoder(folder)?; // says first which family the folder is of
        Ok((found, WordPiece::read(folder)?))
    })?;
    let unused = found.extra.iter().filter(|name| !name.starts_with("cls.")); // always left behind
    print_unused(folder, &Vec::from_iter(unused.cloned()));
    let config = &found.folder.config;
    must_fit_together(folder, config, &pieces, LEAST)?;
    if form == Form::Pair && config.segments < 2 {
        let reason = "knows no second segment, and pairs are to be read";
        return Err(Error::file(folder, reason));
    }
    Ok(Encoder::new(found.model.bert, found.folder.config, pieces))
}

impl Encoder {
    pub fn new(mut bert: Bert, config: Config, pieces: WordPiece) -> Encoder {
        let mut values = Vec::new();
        bert.for_each_parameter(|_, param| values.push(param.value().clone()));
        Encoder { values, has_pooler: bert.pooler.is_some(), config, pieces }
    }

    pub fn fingerprint(&self) -> String {
        fingerprint(&mut self.copy()).to_string()
    }

    pub fn copy(&self) -> Bert {
        let mut bert = Bert::new(&self.config, &mut rng(0));
        bert.pooler = bert.pooler.filter(|_| self.has_pooler);
        let mut values = self.values.iter();
        bert.for_each_parameter(|_, param| {
            *param.value_mut() = values.next().expect("as many parameters").clone();
        });
        bert
    }
}

pub fn fingerprint(model: &mut impl Module) -> Fingerprint {
    let mut sum = Fingerprint::default();
    model.for_each_parameter(|_, param| {
        sum = sum.and(param.value().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>());
    });
    sum
}

fn must_be_there(folder: &Path, command: &str) -> Result<()> {
    if is_there(folder)? {
        return Ok(());
    }
    Err(Error::file(folder, format!("no such folder; this makes one: {command}")))
}

pub struct Tuned {
    pub model: Classifier,
    pub config: Config,
    pub labels: Vec<String>,
    pub pieces: WordPiece,
}

/// What a classifier is called in the library *transformers*, and the names of its parameters there.
fn theirs(config: &Config, asks: Asks, classes: usize) -> (&'static str, Foreign) {
    let (name, pooler) = match asks {
        Asks::Sequences => ("BertForSequenceClassification", true),
        Asks::Words => ("BertForTokenClassification", false),
    };
    let mut names = table(config, Parts { pooler, masked: false, next: false });
    names.entries.extend(linear("classifier", "classifier", [classes, config.width]));
    (name, names)
}

impl Tuned {
    pub fn write(&mut self, folder: &Path) -> Result<()> {
        let (name, table) = theirs(&self.config, self.model.asks(), self.labels.len());
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let pieces = Some(&self.pieces);
        write(folder, pieces, &self.config, name, label_fields(&labels), &mut self.model, &table)
    }

    pub fn read(folder: &Path) -> Result<Tuned> {
        must_be_there(folder, "cargo run --release -p fine_tuning")?;
        let (tuned, extra) = read_together(&folder.join(CONFIG), || {
            let described = read_config(folder)?;
            let (asks, labels) = asked(&described)?;
            let pieces = WordPiece::read(folder)?;
            let (model, extra) = classifier(&described, asks, labels.len())?;
            Ok((Tuned { model, config: described.config, labels, pieces }, extra))
        })?;
        print_unused(folder, &extra);
        must_fit_together(folder, &tuned.config, &tuned.pieces, LEAST)?;
        Ok(tuned)
    }
}

fn asked(described: &Folder) -> Result<(Asks, Vec<String>)> {
    let refuse = |reason: String| Err(Error::file(&described.path, reason));
    let asks = match described.architectures.first().map(String::as_str) {
        Some("BertForSequenceClassification") => Asks::Sequences,
        Some("BertForTokenClassification") => Asks::Words,
        found => {
            let found = found.map_or("nothing".to_owned(), files::shorten);
            let needed = "BertForSequenceClassification or BertForTokenClassification";
            return refuse(format!("no classifier: config.json says {found}, not {needed}"));
        }
    };
    let labels = described.labels()?;
    if labels.len() < 2 || labels.iter().collect::<HashSet<_>>().len() < labels.len() {
        return refuse("config.json does not name two labels or more, all different".to_owned());
    }
    Ok((asks, labels.to_vec()))
}

fn classifier(described: &Folder, asks: Asks, classes: usize) -> Result<(Classifier, Vec<String>)> {
    let (path, bytes) = read_tensors(&described.path)?;
    let file = ForeignFile::parse(&path, &bytes)?;
    let table = |config: &Config| theirs(config, asks, classes).1;
    described.load(file, table, |config, rng| {
        Classifier::new(Bert::new(config, rng), config, asks, classes, rng)
    })
}
