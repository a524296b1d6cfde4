//! Reading sentences of a store.

use super::blocks::sum;
use super::encode::{Numbers, encode};
use super::header::{HEADER, Header};
use super::index::Index;
use crate::WordPiece;
use crate::texts::Document;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::PathBuf;
use workbench::error::Error;
use workbench::files::plain;
use workbench::program::end;

/// A corpus as numbers of pieces: documents of sentences, in their order. No document is without a
/// sentence, and no sentence without a piece. Several threads may read at once.
///
/// ```
/// use corpora::{Document, Store, WordPiece};
/// let text = || ["to be or not", "to be"].map(String::from).into_iter();
/// let pieces = WordPiece::learn(text(), 24).unwrap();
/// let store = Store::in_memory([Document { sentences: text().collect() }], &pieces);
/// assert_eq!((store.documents(), store.sentences(0)), (1, 0..2));
/// let second: Vec<usize> = store.read(1).into_iter().map(|piece| piece as usize).collect();
/// assert_eq!(pieces.join(&second), "to be");
/// ```
#[derive(Debug)]
pub struct Store {
    pub(super) index: Index,
    pub(super) width: u64,
    pub(super) vocabulary: String,
    pub(super) fingerprint: String,
    pub(super) content: Content,
}

/// Where the pieces are.
#[derive(Debug)]
pub(super) enum Content {
    Memory(Vec<u8>),
    File(PathBuf, Shared),
}

impl Store {
    /// Cuts documents that are few enough to be kept.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 sentences.
    pub fn in_memory(documents: impl IntoIterator<Item = Document>, pieces: &WordPiece) -> Store {
        let width = Header::of(pieces, &Index::default()).width;
        let (mut index, mut bytes) = (Index::default(), Vec::new());
        let keep = |documents: Vec<Numbers>, _| {
            for document in &documents {
                index.add(document, width, &mut bytes).expect("no more than 2³² − 1 sentences");
            }
            Ok(())
        };
        encode(documents.into_iter().map(Ok), pieces, keep).expect("nothing is read or written");
        let header = Header::of(pieces, &index);
        let ends: Vec<u8> = index.to_bytes().flatten().collect();
        let length = (bytes.len() + ends.len()) as u64;
        let sum = sum(&mut bytes.chain(&ends[..]), length).expect("so many bytes");
        let fingerprint = header.total(sum);
        let vocabulary = header.fingerprint;
        Store { index, width, vocabulary, fingerprint, content: Content::Memory(bytes) }
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.index.documents.len()
    }

    /// The numbers of a document's sentences.
    pub fn sentences(&self, document: usize) -> Range<usize> {
        self.index.document(document)
    }

    /// How many sentences all documents have.
    pub fn all_sentences(&self) -> usize {
        self.index.sentences.len()
    }

    /// How many pieces a sentence has.
    pub fn length(&self, sentence: usize) -> usize {
        let places = self.index.sentence(sentence);
        (places.end - places.start) as usize
    }

    /// The pieces of a sentence. The file was whole when it was opened: should the disk fail, or somebody
    /// shorten it, the program ends with an error.
    pub fn read(&self, sentence: usize) -> Vec<u32> {
        let places = self.index.sentence(sentence);
        let (start, length) = (places.start * self.width, self.length(sentence));
        let length = length * self.width as usize;
        match &self.content {
            Content::Memory(bytes) => decode(&bytes[start as usize..][..length], self.width),
            Content::File(path, file) => {
                let mut bytes = vec![0; length];
                let read = file.read_exact_at(&mut bytes, HEADER as u64 + start);
                read.unwrap_or_else(|error| {
                    let reason =
                        format!("is not what it was when it was opened: {}", plain(&error));
                    end(Error::file(path, reason))
                });
                decode(&bytes, self.width)
            }
        }
    }

    /// Distinguishes one corpus from another: the same texts, cut by the same vocabulary, have the same one,
    /// in memory as in a file.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The fingerprint of the vocabulary that cut the text ([`WordPiece::fingerprint`]).
    pub fn vocabulary(&self) -> &str {
        &self.vocabulary
    }
}

impl Index {
    /// Adds a document, and its pieces to `bytes`. Returns `None` when sentences are too many.
    pub(super) fn add(
        &mut self,
        document: &[Vec<u32>],
        width: u64,
        bytes: &mut Vec<u8>,
    ) -> Option<()> {
        for sentence in document {
            self.add_sentence(sentence.len());
            let pieces = sentence.iter().map(|piece| piece.to_le_bytes());
            pieces.for_each(|piece| bytes.extend_from_slice(&piece[..width as usize]));
        }
        self.end_document()
    }
}

/// Numbers of so many bytes each.
fn decode(bytes: &[u8], width: u64) -> Vec<u32> {
    let number = |bytes: &[u8]| {
        let mut number = [0; 4];
        number[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(number)
    };
    bytes.chunks_exact(width as usize).map(number).collect()
}

/// A file that several threads read.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Shared(pub File);

#[cfg(unix)]
impl Shared {
    pub fn new(file: File) -> Shared {
        Shared(file)
    }

    fn read_exact_at(&self, bytes: &mut [u8], place: u64) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, bytes, place)
    }
}

/// A file that several threads read, one at a time: its place is a part of it.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Shared(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl Shared {
    pub fn new(file: File) -> Shared {
        Shared(std::sync::Mutex::new(file))
    }

    fn read_exact_at(&self, bytes: &mut [u8], place: u64) -> std::io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.0.lock().expect("nobody panics with it");
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}
