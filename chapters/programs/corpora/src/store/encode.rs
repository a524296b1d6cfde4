//! Documents to numbers, on all threads and in their order.

use crate::WordPiece;
use crate::texts::Document;
use rayon::prelude::*;
use workbench::error::Result;

/// Documents that take so many bytes are cut at a time.
const GROUP: usize = 8 << 20;

/// What a sentence takes beside its letters, as a text and as numbers.
const BESIDE: usize = 100;

/// Cuts documents, and hands groups of them to `take`, with the bytes of their text. Sentences and documents
/// without any piece are left out.
pub(super) fn encode(
    documents: impl Iterator<Item = Result<Document>>,
    pieces: &WordPiece,
    mut take: impl FnMut(Vec<Vec<Vec<u32>>>, u64) -> Result<()>,
) -> Result<()> {
    let mut group = Vec::new();
    let (mut bytes, mut held) = (0, 0);
    for document in documents {
        let document = document?;
        let text = document.sentences.iter().map(String::len).sum::<usize>();
        bytes += text;
        held += text + BESIDE * (1 + document.sentences.len());
        group.push(document);
        if held >= GROUP {
            take(numbers(&std::mem::take(&mut group), pieces), bytes as u64)?;
            (bytes, held) = (0, 0);
        }
    }
    take(numbers(&group, pieces), bytes as u64)
}

fn numbers(documents: &[Document], pieces: &WordPiece) -> Vec<Vec<Vec<u32>>> {
    let documents = documents.par_iter().map(|document| {
        let sentences = document.sentences.par_iter().map(|sentence| pieces.encode(sentence));
        sentences.filter(|numbers| !numbers.is_empty()).collect::<Vec<_>>()
    });
    documents.filter(|sentences| !sentences.is_empty()).collect()
}
