//! The texts a translator learns from and is judged by, as words and as numbers.

use crate::alignment::on_words;
use crate::decoding::words_per_word;
use crate::written::BleuTokens;
use corpora::{
    Pair, Reading, Sentences, Tokenizer, UNKNOWN, Vocabulary, hold_out, read_pairs, read_whole,
};
use parallel;
use shared::Matrix;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workbench::Fingerprint;
use workbench::error::{Error, Result};

pub struct Part {
    pub name: String,
    pub pairs: Vec<Pair>,
    /// The pairs as numbers, each sentence closed by the end word.
    pub sentences: Sentences,
    /// The words behind the numbers: in the source, in the target.
    known: [Arc<Vocabulary>; 2],
}

/// All parts of a corpus, and its two vocabularies.
pub struct Corpus {
    pub source: Arc<Vocabulary>,
    /// The words of the language to translate into; the same vocabulary where it is one of pieces.
    pub target: Arc<Vocabulary>,
    pub training: Part,
    pub validation: Part,
    /// Looked at when training is over: `test` first.
    pub tests: Vec<Part>,
    /// Pairs that were left out of the files, if any were.
    pub notice: Option<String>,
    pub tokenizer: Tokenizer,
    pub bleu: BleuTokens,
    /// The rate in the limit of translations: see [`word_limit`](crate::decoding::word_limit).
    pub per_word: f64,
}

#[derive(Clone, Debug, clap::Args)]
pub struct CorpusArgs {
    /// Sentence pairs to learn from instead of the generated ones: one file with a tab between a
    /// sentence and its translation, or (given twice) two files with a line for each sentence
    #[arg(long, value_name = "FILE", num_args = 1..=2)]
    pub data: Vec<PathBuf>,
    /// Pairs to watch the training by, given as --data is, instead of lines held out of it
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "data")]
    pub validation: Vec<PathBuf>,
    /// Pairs to judge the model by, given as --data is, instead of lines held out of it
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "data")]
    pub test: Vec<PathBuf>,
    /// What the words of files are: of any language, put together again exactly; or by the course's own
    /// rules for English and French, in small letters
    #[arg(long, value_enum, default_value_t = Tokens::Exact, requires = "data")]
    pub tokens: Tokens,
    /// Make the letters of files small: fewer words, and translations without capitals
    #[arg(long, requires = "data")]
    pub lower: bool,
    /// The columns of sentence and translation, where a file has others, as in 2,4
    #[arg(long, value_name = "A,B", requires = "data", value_parser = columns)]
    pub columns: Option<[usize; 2]>,
    /// Leave out lines of --data that cannot be read, and count them, instead of ending at the first
    #[arg(long, requires = "data")]
    pub skip_bad: bool,
    /// Go on where most words of a file are unknown
    #[arg(long, requires = "data")]
    pub allow_unknown: bool,
    /// The tokens of BLEU against sentences as they were written, as sacreBLEU has them
    #[arg(long, value_enum, default_value_t, requires = "data")]
    pub bleu: BleuTokens,
    /// Cut words into pieces: so many for both languages together, letters and special words included
    #[arg(long, value_name = "N", conflicts_with_all = ["min_frequency", "max_vocabulary"],
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub subwords: Option<u32>,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "data",
          value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub pairs: u32,
    /// Words that occur less often count as unknown (of a file: 2 unless given)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_frequency: Option<u32>,
    /// Words that each language keeps, the most frequent ones; others count as unknown
    #[arg(long, value_name = "N", default_value_t = 50_000,
          value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub max_vocabulary: u32,
    /// Pairs with a longer sentence are not learnt from
    #[arg(long, value_name = "WORDS", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_words: u32,
}

impl CorpusArgs {
    /// What lines become: those of files, if any are given.
    pub fn tokenizer(&self) -> Tokenizer {
        match (self.data.is_empty(), self.tokens, self.lower) {
            (true, ..) | (_, Tokens::Course, _) => Tokenizer::Course,
            (_, Tokens::Exact, false) => Tokenizer::Exact,
            (_, Tokens::Exact, true) => Tokenizer::ExactLower,
        }
    }

    fn reading(&self, max_words: usize) -> Reading {
        let (tokenizer, columns, skip_bad) = (self.tokenizer(), self.columns, self.skip_bad);
        Reading { max_words, tokenizer, columns, skip_bad }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tokens {
    /// By Unicode's boundaries of words, in any language
    Exact,
    /// By the course's own rules for English and French, in small letters
    Course,
}

fn columns(text: &str) -> Result<[usize; 2], String> {
    let numbers: Option<Vec<usize>> =
        text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[a, b]) if a > 0 && b > 0 && a != b => Ok([a, b]),
        _ => Err("two different numbers from 1, as in 2,4, are needed".to_owned()),
    }
}

/// How many words either language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    pub source: usize,
    pub target: usize,
}

/// Words of a sentence that a file to judge by may have.
const MOST_WORDS: usize = 1000;

/// How much of the pairs is held out where no file is named.
const HELD_OUT: f64 = 0.05;

struct Parts {
    training: Vec<Pair>,
    validation: Vec<Pair>,
    tests: Vec<(&'static str, Vec<Pair>)>,
}

impl Parts {
    fn generated(pairs: usize, seed: u64) -> Parts {
        let sizes = parallel::Sizes { train: pairs, ..parallel::Sizes::default() };
        let splits = parallel::splits(&sizes, seed);
        let tests =
            [("test", splits.test), ("long", splits.long), ("compositional", splits.compositional)];
        Parts { training: splits.train, validation: splits.validation, tests: tests.into() }
    }

    /// The pairs of files, and what there is to say of them. Nothing is left out of what is judged
    /// by: a model is held against others on every line.
    fn read(files: &CorpusArgs, seed: u64) -> Result<(Parts, Vec<String>)> {
        let read = read_pairs(&files.data, files.reading(files.max_words as usize))?;
        let mut notices = Vec::from_iter(read.notice());
        let mut whole = |paths: &[PathBuf], name: &str| -> Result<Option<Vec<Pair>>> {
            if paths.is_empty() {
                return Ok(None);
            }
            let read = read_whole(paths, name, files.reading(MOST_WORDS))?;
            notices.extend(read.notice().map(|notice| format!("{name}: {notice}")));
            Ok(Some(read.pairs))
        };
        let given = (whole(&files.validation, "--validation")?, whole(&files.test, "--test")?);
        let rng = &mut shared::rng(seed);
        let too_few = |error| Error::file(&files.data[0], error);
        let (training, validation, test) = match given {
            (Some(validation), Some(test)) => (read.pairs, validation, test),
            (Some(validation), None) => {
                let (rest, [test]) = hold_out(read.pairs, HELD_OUT, rng).map_err(too_few)?;
                (rest, validation, test)
            }
            (None, Some(test)) => {
                let (rest, [validation]) = hold_out(read.pairs, HELD_OUT, rng).map_err(too_few)?;
                (rest, validation, test)
            }
            (None, None) => {
                let (rest, [validation, test]) =
                    hold_out(read.pairs, HELD_OUT, rng).map_err(too_few)?;
                (rest, validation, test)
            }
        };
        notices.extend(learnt_too(&training, &test));
        Ok((Parts { training, validation, tests: vec![("test", test)] }, notices))
    }
}

/// What is to be said when sentences of the test are learnt from. (Held-out ones never are.)
fn learnt_too(training: &[Pair], test: &[Pair]) -> Option<String> {
    let learnt: HashSet<&[String]> = training.iter().map(|pair| &pair.source[..]).collect();
    let both = test.iter().filter(|pair| learnt.contains(&pair.source[..])).count();
    let of = test.len();
    (both > 0).then(|| format!("{both} of the {of} test sentences are also learnt from"))
}

/// A vocabulary for each language: words that occur at least so often, and so many at most.
fn whole_words(training: &[Pair], [frequency, most]: [usize; 2]) -> [Arc<Vocabulary>; 2] {
    let sides: [fn(&Pair) -> &[String]; 2] = [|pair| &pair.source, |pair| &pair.target];
    sides.map(|side| Arc::new(Vocabulary::new(training.iter().map(side), frequency).at_most(most)))
}

/// One vocabulary of pieces for both languages.
fn pieces(training: &[Pair], size: usize) -> Result<[Arc<Vocabulary>; 2]> {
    let words = training.iter().flat_map(|pair| pair.source.iter().chain(&pair.target));
    let both = Vocabulary::of_pieces(words, size)
        .map_err(|reason| Error::argument(format!("--subwords {size}: {reason}")))?;
    let both = Arc::new(both);
    Ok([both.clone(), both])
}

impl Corpus {
    pub fn open(arguments: &CorpusArgs, seed: u64) -> Result<Corpus> {
        let (parts, mut notices, [frequency, most]) = if arguments.data.is_empty() {
            (Parts::generated(arguments.pairs as usize, seed), vec![], [1, usize::MAX])
        } else {
            let (parts, notices) = Parts::read(arguments, seed)?;
            (parts, notices, [2, arguments.max_vocabulary as usize])
        };
        let frequency = arguments.min_frequency.map_or(frequency, |least| least as usize);
        let known = match arguments.subwords {
            Some(size) => pieces(&parts.training, size as usize)?,
            None => whole_words(&parts.training, [frequency, most]),
        };
        let (tokenizer, bleu) = (arguments.tokenizer(), arguments.bleu);
        let mut corpus = Corpus { tokenizer, bleu, ..Corpus::new(parts, known) };
        if let Some(file) = arguments.data.first() {
            notices.extend(corpus.must_be_known(file, arguments.allow_unknown)?);
        }
        corpus.notice = (!notices.is_empty()).then(|| notices.join("\n"));
        Ok(corpus)
    }

    /// Pairs of the course's grammar: see the appendix *The parallel corpus*.
    pub fn generated(pairs: usize, min_frequency: usize, seed: u64) -> Corpus {
        let parts = Parts::generated(pairs, seed);
        let known = whole_words(&parts.training, [min_frequency, usize::MAX]);
        Corpus::new(parts, known)
    }

    fn new(parts: Parts, known: [Arc<Vocabulary>; 2]) -> Corpus {
        let part = |name: &str, pairs: Vec<Pair>| Part {
            name: name.to_owned(),
            sentences: Sentences::new(&pairs, &known[0], &known[1]),
            pairs,
            known: known.clone(),
        };
        let validation = part("validation", parts.validation);
        let tests = parts.tests.into_iter().map(|(name, pairs)| part(name, pairs)).collect();
        let training = part("training", parts.training);
        let [source, target] = known;
        let per_word = words_per_word(&training.sentences.lengths());
        let (tokenizer, bleu, notice) = (Tokenizer::Course, BleuTokens::default(), None);
        Corpus { training, validation, tests, source, target, tokenizer, bleu, notice, per_word }
    }

    /// Which share of the words is unknown, to be printed; nothing where all are known.
    ///
    /// # Errors
    /// When on one side it is more than half, and nobody asked to go on: nothing could be learnt.
    fn must_be_known(&self, file: &Path, go_on: bool) -> Result<Option<String>> {
        let share = |sentences: &[Vec<usize>]| {
            let unknown = sentences.iter().flatten().filter(|word| **word == UNKNOWN).count();
            let words: usize = sentences.iter().map(|sentence| sentence.len() - 1).sum();
            100.0 * unknown as f64 / words.max(1) as f64
        };
        let numbers = &self.training.sentences;
        let [source, target] = [share(&numbers.source), share(&numbers.target)];
        let notice = format!("unknown words: {source:.1} % to read, {target:.1} % to write");
        if source.max(target) > 50.0 && !go_on {
            let reason = format!(
                "{notice}: most would be learnt as one and the same (--min-frequency 1 or --subwords \
                 makes them known, --allow-unknown goes on)"
            );
            return Err(Error::file(file, reason));
        }
        Ok((source.max(target) > 0.0).then_some(notice))
    }

    /// Whether a model can read and write every sentence, if it has positions for so many numbers.
    pub fn must_fit(&self, longest: usize) -> Result<()> {
        for part in self.parts() {
            let lengths = part.sentences.lengths();
            let most = lengths.iter().map(|(source, target)| *source.max(target)).max();
            if let Some(most) = most.filter(|most| *most > longest) {
                return Err(Error::argument(format!(
                    "a sentence of the {} part has {most} words or pieces, its end included, but \
                     this model has positions for {longest}",
                    part.name
                )));
            }
        }
        Ok(())
    }

    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        [&self.training, &self.validation].into_iter().chain(&self.tests)
    }
}

impl Corpus {
    pub fn words(&self) -> Words {
        Words { source: self.source.len(), target: self.target.len() }
    }

    /// A short name for exactly these texts: every word of every part, known or not, and what the
    /// vocabularies make of them.
    pub fn fingerprint(&self) -> String {
        let mut all = Fingerprint::default();
        for part in self.parts() {
            all = all.and(&part.name);
            for words in part.pairs.iter().flat_map(|pair| [&pair.source, &pair.target]) {
                all = words.iter().fold(all, Fingerprint::and).and("\n"); // no word is a line's end
            }
        }
        for vocabulary in [&self.source, &self.target] {
            let words = (0..vocabulary.len()).map(|number| vocabulary.word(number));
            all = words.fold(all, Fingerprint::and).and("\n");
        }
        all.to_string()
    }
}

impl Part {
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub fn numbers(&self, i: usize) -> (&[usize], &[usize]) {
        (&self.sentences.source[i], &self.sentences.target[i])
    }

    /// Weights on the numbers of pair `i`, without the end words, as weights on its words.
    pub fn on_words(&self, i: usize, weights: &Matrix) -> Matrix {
        let (source, target) = self.numbers(i);
        let spans =
            |side: usize, numbers: &[usize]| self.known[side].spans(&numbers[..numbers.len() - 1]);
        on_words(weights, &spans(0, source), &spans(1, target))
    }
}
