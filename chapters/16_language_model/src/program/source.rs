//! Where texts come from, and what their words are called.

use super::corpus::Corpus;
use crate::world::{self, BEGIN, WORDS};
use corpora::BytePieces;
use rand::RngExt;
use shared::{Rng, rng};
use std::path::Path;
use std::sync::Arc;
use workbench::error::{Error, Result};
use workbench::program::printable;
use workbench::stream;

#[derive(Debug)]
pub enum Source {
    /// Texts of the world, drawn anew for every step.
    World,
    /// A file; its last tenth is held out.
    File(Corpus),
}

/// Bytes of the shortest corpus, in windows: some to learn from, one held out.
const LEAST: u64 = 20;

impl Source {
    /// The file at `path`, or the world, for windows of `length` words.
    pub fn open(path: Option<&Path>, length: usize) -> Result<Source> {
        match path {
            None => Ok(Source::World),
            Some(path) => Corpus::open(path, LEAST * length as u64).map(Source::File),
        }
    }

    /// Its name in a model's file.
    pub fn words(&self) -> Words {
        match self {
            Source::World => Words::World,
            Source::File(_) => Words::Bytes,
        }
    }

    /// Distinguishes one source from another.
    pub fn fingerprint(&self) -> &str {
        match self {
            Source::World => "world",
            Source::File(corpus) => &corpus.fingerprint,
        }
    }

    /// A window to learn from: a word that is only read, and `length` that are predicted.
    pub fn draw(&self, length: usize, rng: &mut Rng) -> Vec<usize> {
        match self {
            Source::World => world::text(length, rng),
            Source::File(corpus) => {
                let last = held_out(corpus) - length as u64 - 1;
                corpus.read(rng.random_range(0..=last), length + 1)
            }
        }
    }

    /// At most so many windows to judge by, the same for everybody: texts that nobody has drawn before, or what is
    /// held out of the file, evenly spread.
    pub fn held_out(&self, count: usize, length: usize) -> Vec<Vec<usize>> {
        match self {
            Source::World => {
                let rng = &mut rng(stream(0, 1616));
                (0..count).map(|_| world::text(length, rng)).collect()
            }
            Source::File(corpus) => {
                let (first, window) = (held_out(corpus), length as u64 + 1);
                let room = corpus.length - first - window;
                let count = (count as u64).clamp(1, 1 + room / window);
                let place = |i: u64| first + room * i / count.max(2).saturating_sub(1);
                (0..count).map(|i| corpus.read(place(i), length + 1)).collect()
            }
        }
    }

    /// The mean of −ln p of these texts' words under the very distribution that they were drawn from, where it is
    /// known: no model's expected loss is lower.
    pub fn floor(&self, texts: &[Vec<usize>]) -> Option<f64> {
        let Source::World = self else { return None };
        let surprisals: Vec<f64> = texts.iter().flat_map(|text| world::surprisals(text)).collect();
        Some(surprisals.iter().sum::<f64>() / surprisals.len() as f64)
    }
}

fn held_out(corpus: &Corpus) -> u64 {
    corpus.length - corpus.length / 10
}

/// What the numbers of words stand for.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    /// Those of the world.
    World,
    /// Bytes of text in UTF-8.
    Bytes,
    /// GPT-2's pieces.
    #[serde(skip)] // the model's folder has them
    Pieces(Arc<BytePieces>),
}

impl Words {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Words::World => WORDS.len(),
            Words::Bytes => 256,
            Words::Pieces(pieces) => pieces.count(),
        }
    }

    /// What one of them is called.
    pub fn unit(&self) -> &'static str {
        match self {
            Words::World => "word",
            Words::Bytes => "byte",
            Words::Pieces(_) => "piece",
        }
    }

    /// A reader's text as numbers; the world's has its beginning before it.
    ///
    /// # Errors
    /// When it has a word that is not in the world, or nothing in it can be read.
    pub fn encode(&self, text: &str) -> Result<Vec<usize>> {
        match self {
            Words::World => {
                let spaced = text.to_lowercase().replace('.', " . ").replace('?', " ? ");
                let number = |word: &str| {
                    let known = || WORDS[1..].join(" ");
                    let word_of = world::number(word).filter(|number| *number != BEGIN);
                    word_of.ok_or_else(|| {
                        let word = printable(word);
                        Error::argument(format!(
                            "'{word}': the model knows no such word; it knows {}",
                            known()
                        ))
                    })
                };
                let words = spaced.split_whitespace().map(number);
                std::iter::once(Ok(BEGIN)).chain(words).collect()
            }
            Words::Bytes if text.is_empty() => {
                Err(Error::argument("an empty beginning: at least a letter is needed"))
            }
            Words::Bytes => Ok(text.bytes().map(usize::from).collect()),
            Words::Pieces(pieces) if text.is_empty() => pieces.end_of_text().map(|end| vec![end]),
            Words::Pieces(pieces) => pieces.encode(text),
        }
    }

    /// The text of some words that follow one another.
    pub fn decode(&self, words: &[usize]) -> String {
        let mut spelling = Spelling::new(self.clone());
        let text: String = words.iter().map(|word| spelling.add(*word)).collect();
        text + &String::from_utf8_lossy(&spelling.cut)
    }
}

/// A text that is spelt word by word.
pub struct Spelling {
    words: Words,
    begun: bool,
    cut: Vec<u8>, // of a letter that is not complete
}

impl Spelling {
    pub fn new(words: Words) -> Spelling {
        Spelling { words, begun: false, cut: Vec::new() }
    }

    /// What one more word adds: nothing, where a letter of several bytes is not complete.
    pub fn add(&mut self, word: usize) -> String {
        match &self.words {
            Words::World if word == BEGIN => return String::new(),
            Words::World => {
                let blank = if self.begun && ![".", "?"].contains(&WORDS[word]) { " " } else { "" };
                self.begun = true;
                return format!("{blank}{}", WORDS[word]);
            }
            Words::Bytes => self.cut.push(word as u8),
            Words::Pieces(pieces) => self.cut.extend(pieces.bytes(word)),
        }
        let complete = match std::str::from_utf8(&self.cut) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.cut.len(),
        };
        let cut = self.cut.split_off(complete);
        String::from_utf8_lossy(&std::mem::replace(&mut self.cut, cut)).into_owned()
    }
}
