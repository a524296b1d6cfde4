//! Where sentences and documents end.

use std::ops::Range;

/// Ends of sentences, counted in pieces, and of documents, counted in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    pub sentences: Vec<u64>,
    pub documents: Vec<u32>,
}

impl Index {
    /// Adds a sentence of so many pieces.
    pub fn add_sentence(&mut self, pieces: usize) {
        self.sentences.push(self.pieces() + pieces as u64);
    }

    /// Ends a document. Returns `None` when sentences are too many to be counted.
    pub fn end_document(&mut self) -> Option<()> {
        self.documents.push(u32::try_from(self.sentences.len()).ok()?);
        Some(())
    }

    /// As it is written: the ends of sentences, then those of documents.
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
