//! The texts a model learns from and is judged by, as pieces.

use crate::inputs::Special;
use crate::world;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use corpora::texts::Layout;
use corpora::word_piece::Settings;
use corpora::{Store, Texts, WordPiece};
use indicatif::ProgressBar;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::program::{counted, progress_in_bytes, say};
use workbench::training::Peers;

pub struct Part {
    pub store: Arc<Store>,
    pub documents: Vec<u32>,
}

impl Part {
    pub fn all(store: Store) -> Part {
        let documents = (0..store.documents() as u32).collect();
        Part { store: Arc::new(store), documents }
    }

    pub fn sentences(&self, document: usize) -> Range<usize> {
        self.store.sentences(self.documents[document] as usize)
    }

    /// How many sentences, and how many pieces.
    pub fn size(&self) -> (usize, usize) {
        let documents = (0..self.documents.len()).map(|document| self.sentences(document));
        documents.fold((0, 0), |(n, pieces), own| (n + own.len(), pieces + self.length(own)))
    }

    pub fn length(&self, sentences: Range<usize>) -> usize {
        sentences.map(|sentence| self.store.length(sentence)).sum()
    }

    pub fn read(&self, sentences: Range<usize>) -> Vec<usize> {
        sentences.flat_map(|s| self.store.read(s)).map(|piece| piece as usize).collect()
    }
}

pub struct Corpus {
    pub pieces: WordPiece,
    pub special: Special,
    pub training: Part,
    pub validation: Part,
    pub test: Part,
}

#[derive(clap::Args, Clone, Debug)]
pub struct CorpusArgs {
    /// A text to learn from instead of the generated one: a file, or a folder of files *.txt and
    /// *.tokens
    #[arg(long, value_name = "FILE_OR_DIR")]
    pub corpus: Option<PathBuf>,
    /// How the text is laid out: a document a line, empty lines between documents, or headings
    /// `= … =` [default: as each file looks]
    #[arg(long, requires = "corpus", value_parser = layouts())]
    pub layout: Option<Layout>,
    /// Generated documents to learn from
    #[arg(long, value_name = "N", default_value_t = 14_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000), conflicts_with = "corpus")]
    pub documents: u32,
    /// Pieces of the vocabulary, special ones included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    pub vocabulary: Option<u32>,
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new(Layout::ALL.map(Layout::name)).map(|name| {
        Layout::ALL.into_iter().find(|layout| layout.name() == name).unwrap_or(Layout::Lines)
    })
}

/// Every twentieth document of a text is for validation, every twentieth for the test.
const HELD_OUT: usize = 20;

/// So many documents are one of each kind.
const NEEDED: usize = 3;

pub const NUMBERS: &str = "corpus.numbers";

/// Pieces of a vocabulary unless given: of the generated corpus, of a text.
const VOCABULARY: [usize; 2] = [2000, 8000];

impl Corpus {
    /// Reads, learns the vocabulary, and cuts: the numbers of a text go to files in `folder`, those of
    /// the generated corpus stay in memory.
    fn open(arguments: &CorpusArgs, folder: &Path, seed: u64) -> Result<Corpus> {
        let size = |default: usize| arguments.vocabulary.map_or(default, |size| size as usize);
        match &arguments.corpus {
            None => Corpus::generated(arguments.documents as usize, size(VOCABULARY[0]), seed),
            Some(path) => {
                let texts = Texts::open(path)?.laid_out(arguments.layout);
                Corpus::read(path, &texts, size(VOCABULARY[1]), folder)
            }
        }
    }

    /// The same in the process that leads: where the numbers of a text are, and which pieces they count,
    /// goes to the others, who wait for it in [`Corpus::follow`].
    pub fn lead(
        arguments: &CorpusArgs,
        folder: &Path,
        seed: u64,
        peers: Option<&dyn Peers>,
    ) -> Result<Corpus> {
        let corpus = Corpus::open(arguments, folder, seed)?;
        if let (Some(peers), Some(_)) = (peers, &arguments.corpus) {
            let (pieces, place) = (&corpus.pieces, folder.join(NUMBERS));
            let pieces: Vec<&str> = (0..pieces.len()).map(|i| pieces.piece(i)).collect();
            peers.share(&mut serde_json::to_vec(&(pieces, place)).map_err(Error::argument)?)?;
        }
        Ok(corpus)
    }

    /// The same in the other processes: a generated corpus is generated once more, a text is not read
    /// again, only its numbers.
    pub fn follow(arguments: &CorpusArgs, seed: u64, peers: &dyn Peers) -> Result<Corpus> {
        let Some(path) = &arguments.corpus else {
            return Corpus::open(arguments, Path::new(""), seed);
        };
        let mut sent = Vec::new();
        peers.share(&mut sent)?;
        let (pieces, place): (_, PathBuf) =
            serde_json::from_slice(&sent).map_err(Error::argument)?;
        let pieces = WordPiece::new(pieces, Settings::default()).map_err(Error::argument)?;
        Corpus::cut(path, pieces, Store::open(&place)?)
    }

    pub fn generated(count: usize, vocabulary: usize, seed: u64) -> Result<Corpus> {
        let splits = world::documents(count, seed);
        let sentences = splits.train.iter().flat_map(|document| document.sentences.clone());
        let pieces = learn_from(sentences, vocabulary)?;
        let [training, validation, test] = [splits.train, splits.validation, splits.test]
            .map(|documents| Part::all(Store::in_memory(documents, &pieces)));
        Ok(Corpus { special: special(&pieces), pieces, training, validation, test })
    }

    /// The reader's text: its numbers go to a file in `folder`, so that memory holds where sentences end
    /// and no more.
    fn read(path: &Path, texts: &Texts, vocabulary: usize, folder: &Path) -> Result<Corpus> {
        let first = texts.documents().take(NEEDED).collect::<Result<Vec<_>>>()?;
        enough(path, first.len())?;
        let bar = progress_in_bytes(2 * texts.bytes()).with_message("counting words");
        let learnt = learn(texts, vocabulary, &bar)?;
        bar.set_message("cutting words into pieces");
        let numbers = folder.join(NUMBERS);
        let documents = texts.documents();
        Store::write(&numbers, documents, &learnt, |bytes| bar.inc(bytes))?;
        bar.finish_and_clear();
        say(format!("layout of the text: {}; --layout sets another", texts.layouts()));
        Corpus::cut(path, learnt, Store::open(&numbers)?)
    }

    fn cut(path: &Path, pieces: WordPiece, store: Store) -> Result<Corpus> {
        let store = Arc::new(store);
        let [validation, test, training] = [0..1, 1..2, 2..HELD_OUT].map(|which| {
            let own = (0..store.documents()).filter(|i| which.contains(&(i % HELD_OUT)));
            Part { store: store.clone(), documents: own.map(|i| i as u32).collect() }
        });
        enough(path, store.documents())?; // those of blanks and control characters are gone
        Ok(Corpus { special: special(&pieces), pieces, training, validation, test })
    }

    pub fn fingerprint(&self) -> String {
        let parts = [&self.training, &self.validation, &self.test];
        let stores = parts.map(|part| part.store.fingerprint());
        stores.into_iter().fold(Fingerprint::default(), Fingerprint::and).to_string()
    }
}

fn enough(path: &Path, documents: usize) -> Result<()> {
    if documents >= NEEDED {
        return Ok(());
    }
    let reason = format!(
        "has {}: at least {NEEDED} are needed, to learn from, to watch it by and to judge it by \
         (--layout says what separates them)",
        counted(documents, "document")
    );
    Err(Error::file(path, reason))
}

fn learn(texts: &Texts, vocabulary: usize, bar: &ProgressBar) -> Result<WordPiece> {
    let mut failed = Ok(());
    let documents = texts.documents().enumerate().filter(|(i, _)| i % HELD_OUT >= 2);
    let sentences = documents.map_while(|(_, document)| {
        let sentences = document.map_err(|error| failed = Err(error)).ok()?.sentences;
        bar.inc(sentences.iter().map(|sentence| sentence.len() as u64 + 1).sum());
        Some(sentences)
    });
    let learnt = learn_from(sentences.flatten(), vocabulary);
    failed.and(learnt)
}

fn learn_from(
    sentences: impl Iterator<Item = String> + Send,
    vocabulary: usize,
) -> Result<WordPiece> {
    WordPiece::learn(sentences, vocabulary)
        .map_err(|reason| Error::argument(format!("--vocabulary {vocabulary}: {reason}")))
}

pub fn special(pieces: &WordPiece) -> Special {
    let corpora::word_piece::Special { pad, unknown, cls, sep, mask } = pieces.special();
    Special { pad, unknown, cls, sep, mask }
}
