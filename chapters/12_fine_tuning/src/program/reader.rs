//! From texts to pieces.

use super::data::Example;
use super::table::Form;
use crate::{Asks, Questions, read_words, windows};
use bert::program::special;
use bert::{Config, Special, Tokens, fit};
use corpora::WordPiece;

pub struct Reader {
    pub pieces: WordPiece,
    special: Special,
    longest: usize,
    form: Form,
}

#[derive(Default)]
pub struct ReadExamples {
    /// The sequences. An example is one; words that are too many for one are several.
    pub sequences: Vec<Questions>,
    pub examples: Vec<usize>,
    pub too_long: usize,
}

impl Form {
    pub fn asks(self) -> Asks {
        match self {
            Form::Text | Form::Pair => Asks::Sequences,
            Form::Words => Asks::Words,
        }
    }
}

impl Reader {
    pub fn new(pieces: WordPiece, config: &Config, form: Form) -> Reader {
        Reader { special: special(&pieces), pieces, longest: config.longest, form }
    }

    pub fn read(&self, examples: &[Example]) -> ReadExamples {
        let mut read = ReadExamples::default();
        for (i, example) in examples.iter().enumerate() {
            let too_long = match self.form {
                Form::Text | Form::Pair => self.read_texts(example, &mut read.sequences),
                Form::Words => self.read_words(example, &mut read.sequences),
            };
            read.too_long += usize::from(too_long);
            read.examples.resize(read.sequences.len(), i);
        }
        read
    }

    /// A text or a pair, shortened at its end where it has too many pieces; whether it was.
    fn read_texts(&self, example: &Example, sequences: &mut Vec<Questions>) -> bool {
        let mut pieces = example.texts.iter().map(|text| self.pieces.cut(text));
        let mut first = pieces.next().expect("an example has a text");
        let mut second = pieces.next();
        let count = |first: &[usize], second: &Option<Vec<usize>>| {
            first.len() + second.as_ref().map_or(0, Vec::len)
        };
        let before = count(&first, &second);
        match &mut second {
            Some(second) => fit(&mut first, second, self.longest),
            None => first.truncate(self.longest - 2),
        }
        let tokens = Tokens::of(&first, second.as_deref(), &self.special);
        sequences.push(Questions::of_sequences(tokens, example.answers.clone()));
        count(&first, &second) < before
    }

    /// Words, in as many sequences as they need; whether these are several.
    fn read_words(&self, example: &Example, sequences: &mut Vec<Questions>) -> bool {
        let mut words: Vec<Vec<usize>> =
            example.texts.iter().map(|word| self.pieces.cut(word)).collect();
        for pieces in &mut words {
            pieces.truncate(self.longest - 2);
        }
        let windows = windows(&Vec::from_iter(words.iter().map(Vec::len)), self.longest);
        for window in &windows {
            let answers = example.answers.get(window.clone()).unwrap_or_default().to_vec();
            sequences.push(read_words(&words[window.clone()], answers, &self.special));
        }
        windows.len() > 1
    }

    pub fn notice(&self, count: usize) -> Option<String> {
        let longest = self.longest;
        let done = match self.form {
            Form::Text | Form::Pair => "cut off",
            Form::Words => "read in parts",
        };
        (count > 0).then(|| format!("examples with more than {longest} pieces, {done}: {count}"))
    }
}
