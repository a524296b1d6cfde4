//! The texts a translator learns from and is judged by, as words and as numbers.

use super::recipe::Words;
use corpora::parallel;
use corpora::{Pair, Sentences, Vocabulary, read_data, split};
use std::path::PathBuf;
use workbench::Fingerprint;
use workbench::error::{Error, Result};

/// Sentence pairs and their numbers.
pub struct Part {
    /// What it is called in tables: `test`, `long` …
    pub name: String,
    /// The pairs as words.
    pub pairs: Vec<Pair>,
    /// The pairs as numbers, each sentence closed by the end word.
    pub sentences: Sentences,
}

/// All parts of a corpus, and its two vocabularies.
pub struct Corpus {
    /// The words of the language to translate from.
    pub source: Vocabulary,
    /// The words of the language to translate into.
    pub target: Vocabulary,
    /// Learnt from.
    pub training: Part,
    /// Looked at after every epoch.
    pub validation: Part,
    /// Looked at when training is over: `test` first.
    pub tests: Vec<Part>,
    /// What was left out of the files, if anything was.
    pub notice: Option<String>,
}

/// Which corpus.
#[derive(Clone, Debug, clap::Args)]
pub struct CorpusArgs {
    /// Sentence pairs to learn from instead of the generated ones: one file with a tab between a
    /// sentence and its translation, or (given twice) two files with a line for each sentence
    #[arg(long, value_name = "FILE", num_args = 1..=2)]
    pub data: Vec<PathBuf>,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "data",
          value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub pairs: u32,
    /// Words that occur less often count as unknown (of a file: 2 unless told)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_frequency: Option<u32>,
    /// Words that each language keeps, the most frequent ones; others count as unknown
    #[arg(long, value_name = "N", default_value_t = 50_000,
          value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub max_vocabulary: u32,
    /// Pairs with a longer sentence are left out
    #[arg(long, value_name = "WORDS", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_words: u32,
}

impl Corpus {
    /// The corpus the arguments ask for.
    ///
    /// # Errors
    /// When a file cannot be used.
    pub fn open(arguments: &CorpusArgs, seed: u64) -> Result<Corpus> {
        if arguments.data.is_empty() {
            let frequency = arguments.min_frequency.unwrap_or(1) as usize;
            return Ok(Corpus::generated(arguments.pairs as usize, frequency, seed));
        }
        let read = read_data(&arguments.data, arguments.max_words as usize)?;
        let notice = read.notice();
        let parts = split(read.pairs, 0.05, &mut shared::rng(seed))
            .map_err(|error| Error::file(&arguments.data[0], error))?;
        let frequency = arguments.min_frequency.unwrap_or(2) as usize;
        let tests = vec![("test", parts.test)];
        let words = [frequency, arguments.max_vocabulary as usize];
        let corpus = Corpus::new(parts.train, parts.validation, tests, words);
        Ok(Corpus { notice, ..corpus })
    }

    /// Pairs of the course's grammar: see the appendix *The parallel corpus*.
    pub fn generated(pairs: usize, min_frequency: usize, seed: u64) -> Corpus {
        let sizes = parallel::Sizes { train: pairs, ..parallel::Sizes::default() };
        let splits = parallel::splits(&sizes, seed);
        let tests =
            [("test", splits.test), ("long", splits.long), ("compositional", splits.compositional)];
        let words = [min_frequency, usize::MAX];
        Corpus::new(splits.train, splits.validation, tests.into(), words)
    }

    fn new(
        training: Vec<Pair>,
        validation: Vec<Pair>,
        tests: Vec<(&str, Vec<Pair>)>,
        [min_frequency, max_vocabulary]: [usize; 2],
    ) -> Corpus {
        let words = |side: fn(&Pair) -> &[String]| {
            Vocabulary::new(training.iter().map(side), min_frequency).at_most(max_vocabulary)
        };
        let (source, target) = (words(|pair| &pair.source), words(|pair| &pair.target));
        let part = |name: &str, pairs: Vec<Pair>| Part {
            name: name.to_owned(),
            sentences: Sentences::new(&pairs, &source, &target),
            pairs,
        };
        let validation = part("validation", validation);
        let tests = tests.into_iter().map(|(name, pairs)| part(name, pairs)).collect();
        let training = part("training", training);
        Corpus { training, validation, tests, source, target, notice: None }
    }
}

impl Corpus {
    /// How many words its languages have.
    pub fn words(&self) -> Words {
        Words { source: self.source.len(), target: self.target.len() }
    }

    /// A short name for exactly these texts: every word of every part, known or not, and what the
    /// vocabularies make of them.
    pub fn fingerprint(&self) -> String {
        let words = |all: Fingerprint, words: &[String]| {
            words.iter().fold(all, Fingerprint::and).and("\n") // no word is a line's end
        };
        let pair = |all, pair: &Pair| words(words(all, &pair.source), &pair.target);
        let part =
            |all: Fingerprint, part: &Part| part.pairs.iter().fold(all.and(&part.name), pair);
        let parts = [&self.training, &self.validation].into_iter().chain(&self.tests);
        let texts = parts.fold(Fingerprint::default(), part);
        let known = [&self.source, &self.target].into_iter().fold(texts, |all, vocabulary| {
            (0..vocabulary.len())
                .fold(all, |all, number| all.and(vocabulary.word(number)))
                .and("\n")
        });
        known.to_string()
    }
}

impl Part {
    /// How many pairs it holds.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The numbers of pair `i`: source and target.
    pub fn numbers(&self, i: usize) -> (&[usize], &[usize]) {
        (&self.sentences.source[i], &self.sentences.target[i])
    }
}
