//! The first bytes of a store: what it is, and how much is in it.

use super::index::Index;
use crate::WordPiece;
use workbench::Fingerprint;

/// What a store begins with; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"corpora1";
/// How many characters a fingerprint has.
pub(super) const FINGERPRINT: usize = 16;
/// How many bytes a header has.
pub(super) const HEADER: usize = MAGIC.len() + FINGERPRINT + 5 * 8;
/// The bytes of an end of a sentence, and of a document.
pub(super) const SENTENCE: usize = 8;
pub(super) const DOCUMENT: usize = 4;

/// What a store holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The fingerprint of the vocabulary, and how many pieces it has.
    pub fingerprint: String,
    pub vocabulary: u64,
    /// The bytes of a piece.
    pub width: u64,
    pub documents: u64,
    pub sentences: u64,
    pub pieces: u64,
}

/// The bytes of a piece of such a vocabulary.
fn width(vocabulary: usize) -> u64 {
    if vocabulary <= 1 << 16 { 2 } else { 4 }
}

impl Header {
    /// Of the texts with this index, as the vocabulary cuts them.
    pub fn of(pieces: &WordPiece, index: &Index) -> Header {
        Header {
            fingerprint: pieces.fingerprint(),
            vocabulary: pieces.len() as u64,
            width: width(pieces.len()),
            documents: index.documents.len() as u64,
            sentences: index.sentences.len() as u64,
            pieces: index.pieces(),
        }
    }

    /// The sum of a store: of its content, and of this header.
    pub fn total(&self, content: Fingerprint) -> String {
        content.and(self.to_bytes()).to_string()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let Header { vocabulary, width, documents, sentences, pieces, .. } = *self;
        let sizes = [width, vocabulary, documents, sentences, pieces].map(u64::to_le_bytes);
        [&MAGIC[..], self.fingerprint.as_bytes(), sizes.as_flattened()].concat()
    }

    /// The header of a file of so many bytes.
    ///
    /// # Errors
    /// With the reason, when it is none, or when its sizes are not those of the file.
    pub fn from_bytes(bytes: &[u8; HEADER], length: u64) -> Result<Header, String> {
        let (magic, rest) = bytes.split_at(MAGIC.len());
        let (fingerprint, sizes) = rest.split_at(FINGERPRINT);
        if magic != MAGIC {
            return Err("is no store of texts, or one of another version".to_owned());
        }
        let fingerprint = String::from_utf8_lossy(fingerprint).into_owned();
        let mut sizes = sizes
            .chunks_exact(8)
            .map(|size| u64::from_le_bytes(size.try_into().expect("eight bytes")));
        let [width, vocabulary, documents, sentences, pieces] =
            std::array::from_fn(|_| sizes.next().expect("five sizes"));
        let header = Header { fingerprint, vocabulary, width, documents, sentences, pieces };
        if header.file_length() == u128::from(length) {
            Ok(header)
        } else {
            Err(format!(
                "is damaged: it has {length} bytes, by its header there are {}",
                header.file_length()
            ))
        }
    }

    /// How many bytes stand between header and sum.
    pub fn content_length(&self) -> u128 {
        let ends = self.sentences as u128 * SENTENCE as u128;
        self.pieces_length() + ends + self.documents as u128 * DOCUMENT as u128
    }

    /// The bytes of all pieces.
    pub fn pieces_length(&self) -> u128 {
        u128::from(self.pieces) * u128::from(self.width)
    }

    fn file_length(&self) -> u128 {
        HEADER as u128 + self.content_length() + FINGERPRINT as u128
    }
}
