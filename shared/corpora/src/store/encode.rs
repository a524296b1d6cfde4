//! Documents to numbers, on all threads and in their order.

use crate::WordPiece;
use crate::texts::Document;
use rayon::prelude::*;
use workbench::error::Result;

/// Documents of so many bytes are cut at a time.
const GROUP: usize = 4 << 20;

/// A document's sentences as numbers; those without any piece are left out.
pub(super) type Numbers = Vec<Vec<u32>>;

/// Cuts documents, and hands groups of them to `take`, with the bytes of their text. Documents
/// without any piece are left out.
pub(super) fn encode(
    documents: impl Iterator<Item = Result<Document>>,
    pieces: &WordPiece,
    mut take: impl FnMut(Vec<Numbers>, u64) -> Result<()>,
) -> Result<()> {
    let (mut group, mut bytes) = (Vec::new(), 0);
    for document in documents {
        let document = document?;
        bytes += document.sentences.iter().map(String::len).sum::<usize>();
        group.push(document);
        if bytes >= GROUP {
            take(numbers(&std::mem::take(&mut group), pieces), bytes as u64)?;
            bytes = 0;
        }
    }
    take(numbers(&group, pieces), bytes as u64)
}

fn numbers(documents: &[Document], pieces: &WordPiece) -> Vec<Numbers> {
    let cut = |sentence: &String| Some(pieces.encode(sentence)).filter(|cut| !cut.is_empty());
    let documents = documents
        .par_iter()
        .map(|document| document.sentences.par_iter().filter_map(cut).collect::<Numbers>());
    documents.filter(|sentences| !sentences.is_empty()).collect()
}
