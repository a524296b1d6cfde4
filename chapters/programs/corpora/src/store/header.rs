//! What a store holds: its first bytes, and where sentences and documents end.

use crate::WordPiece;
use std::ops::Range;
use workbench::Fingerprint;

/// The first bytes of a store; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"corpora1";
/// The characters of a fingerprint.
pub(super) const FINGERPRINT: usize = 16;
/// The bytes of a header.
pub(super) const HEADER: usize = MAGIC.len() + FINGERPRINT + 5 * 8;

/// Ends of sentences, counted in pieces, and of documents, counted in sentences.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub sentences: Vec<u64>,
    pub documents: Vec<u32>,
}

impl Index {
    /// The index as it is written: the ends of sentences, then those of documents.
    pub fn to_bytes(&self) -> impl Iterator<Item = Vec<u8>> {
        let sentences = self.sentences.iter().map(|end| end.to_le_bytes().to_vec());
        sentences.chain(self.documents.iter().map(|end| end.to_le_bytes().to_vec()))
    }

    /// How many pieces all sentences have.
    pub fn pieces(&self) -> u64 {
        self.sentences.last().copied().unwrap_or(0)
    }

    /// The places of a sentence's pieces.
    pub fn sentence(&self, sentence: usize) -> Range<u64> {
        let start = sentence.checked_sub(1).map_or(0, |last| self.sentences[last]);
        start..self.sentences[sentence]
    }

    /// The sentences of a document.
    pub fn document(&self, document: usize) -> Range<usize> {
        let start = document.checked_sub(1).map_or(0, |last| self.documents[last]);
        start as usize..self.documents[document] as usize
    }
}

/// The sizes of a store, and the vocabulary it was cut by.
pub(super) struct Header {
    /// The fingerprint of the vocabulary.
    pub fingerprint: String,
    /// The bytes of a piece, then how many pieces the vocabulary has, documents, sentences and pieces.
    sizes: [u64; 5],
}

impl Header {
    /// The header of the texts with this index, as the vocabulary cuts them.
    pub fn of(pieces: &WordPiece, index: &Index) -> Header {
        let width = if pieces.len() <= 1 << 16 { 2 } else { 4 };
        let [documents, sentences] = [index.documents.len(), index.sentences.len()];
        let counts = [pieces.len(), documents, sentences].map(|count| count as u64);
        let sizes = [width, counts[0], counts[1], counts[2], index.pieces()];
        Header { fingerprint: pieces.fingerprint(), sizes }
    }

    /// The sum of a store: of its content, and of this header.
    pub fn total(&self, content: Fingerprint) -> String {
        content.and(self.to_bytes()).to_string()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let sizes = self.sizes.map(u64::to_le_bytes);
        [&MAGIC[..], self.fingerprint.as_bytes(), sizes.as_flattened()].concat()
    }

    /// The header of a file of so many bytes.
    ///
    /// # Errors
    /// With the reason, when it is none, or when its sizes are not those of the file.
    pub fn from_bytes(bytes: &[u8; HEADER], length: u64) -> Result<Header, &'static str> {
        let (magic, rest) = bytes.split_at(MAGIC.len());
        let (fingerprint, sizes) = rest.split_at(FINGERPRINT);
        if magic != MAGIC {
            return Err("is no store of texts, or one of another version");
        }
        let fingerprint = String::from_utf8_lossy(fingerprint).into_owned();
        let (sizes, _) = sizes.as_chunks();
        let sizes = std::array::from_fn(|i| u64::from_le_bytes(sizes[i]));
        let header = Header { fingerprint, sizes };
        let [width, _, documents, sentences, pieces] = sizes.map(u128::from);
        let content = pieces * width + sentences * 8 + documents * 4;
        if content + (HEADER + FINGERPRINT) as u128 == u128::from(length) {
            Ok(header)
        } else {
            Err("is damaged: it is not as long as it says")
        }
    }

    /// The bytes of a piece.
    pub fn width(&self) -> u64 {
        self.sizes[0]
    }

    /// How many documents and sentences there are.
    pub fn counts(&self) -> [u64; 2] {
        [self.sizes[2], self.sizes[3]]
    }

    /// The bytes of all pieces.
    pub fn pieces_length(&self) -> u64 {
        self.sizes[4] * self.width()
    }
}
