//! Reading sentences of a store.

use super::header::{HEADER, Header, Index};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use workbench::error::Error;
use workbench::files::plain;
use workbench::program::end;

/// A corpus as numbers of pieces: documents of sentences, in their order. No document is without a
/// sentence, and no sentence without a piece.
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
    index: Index,
    width: u64,
    fingerprint: String,
    content: Content,
}

/// Where the pieces are.
#[derive(Debug)]
pub(super) enum Content {
    Memory(Vec<u8>),
    /// Read by one thread at a time: its place is a part of it.
    File(PathBuf, Mutex<File>),
}

impl Store {
    pub(super) fn new(
        index: Index,
        header: &Header,
        fingerprint: String,
        content: Content,
    ) -> Store {
        Store { index, width: header.width(), fingerprint, content }
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.index.documents.len()
    }

    /// The numbers of a document's sentences.
    pub fn sentences(&self, document: usize) -> Range<usize> {
        self.index.document(document)
    }

    /// How many pieces a sentence has.
    pub fn length(&self, sentence: usize) -> usize {
        let places = self.index.sentence(sentence);
        (places.end - places.start) as usize
    }

    /// The pieces of a sentence. The file was whole when it was opened: should the disk fail, or somebody
    /// shorten it, the program ends with an error.
    pub fn read(&self, sentence: usize) -> Vec<u32> {
        let start = self.index.sentence(sentence).start * self.width;
        let length = self.length(sentence) * self.width as usize;
        match &self.content {
            Content::Memory(bytes) => decode(&bytes[start as usize..][..length], self.width),
            Content::File(path, file) => {
                let bytes = read_at(file, HEADER as u64 + start, length);
                let bytes = bytes.unwrap_or_else(|error| {
                    let error = plain(&error);
                    let reason = format!("is not what it was when it was opened: {error}");
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
}

fn read_at(file: &Mutex<File>, place: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(place))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Numbers of so many bytes each.
fn decode(bytes: &[u8], width: u64) -> Vec<u32> {
    let numbers = bytes.chunks_exact(width as usize).map(|bytes| {
        let mut number = [0; 4];
        number[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(number)
    });
    numbers.collect()
}
