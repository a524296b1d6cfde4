//! Making a store, in memory or in a file, and opening it again.

use super::access::{Content, Store};
use super::blocks::Blocks;
use super::encode::encode;
use super::header::{FINGERPRINT, HEADER, Header, Index};
use crate::WordPiece;
use crate::texts::Document;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file, unwritten, write_with};
use workbench::memory::must_fit;

impl Store {
    /// Cuts documents that are few enough to be kept.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 sentences.
    pub fn in_memory(documents: impl IntoIterator<Item = Document>, pieces: &WordPiece) -> Store {
        let mut bytes = Vec::new();
        let documents = documents.into_iter().map(Ok);
        let filled = fill(&mut bytes, documents, pieces, |_| (), Error::argument);
        let (index, content) = filled.expect("no more than 2³² − 1 sentences");
        let header = Header::of(pieces, &index);
        bytes.truncate(header.pieces_length() as usize);
        Store::new(index, &header, header.total(content), Content::Memory(bytes))
    }

    /// Cuts documents and writes them to a file, which appears whole or not at all. After each few
    /// mebibytes `progress` is given how many bytes of text were cut since it was called last.
    ///
    /// # Errors
    /// The first of the documents' own; when there is no sentence with a piece, or more than
    /// 2³² − 1; when the file cannot be written.
    pub fn write(
        path: &Path,
        documents: impl Iterator<Item = Result<Document>>,
        pieces: &WordPiece,
        progress: impl FnMut(u64),
    ) -> Result<()> {
        let failed = |error: io::Error| unwritten(path, &error);
        write_with(path, |file| {
            file.write_all(&[0; HEADER]).map_err(failed)?; // sizes are known at the end
            let (index, content) = fill(&mut *file, documents, pieces, progress, failed)?;
            if index.documents.is_empty() {
                return Err(Error::file(path, "would be empty: the texts have no sentence"));
            }
            let header = Header::of(pieces, &index);
            file.write_all(header.total(content).as_bytes()).map_err(failed)?;
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(&header.to_bytes()).map_err(failed)
        })
    }

    /// Opens a store that another process of the same job has written.
    ///
    /// # Errors
    /// When it cannot be read, is no store, or not all of one.
    pub fn open(path: &Path) -> Result<Store> {
        must_be_a_file(path)?;
        let failed = |error: io::Error| Error::file(path, cannot_read(path, &error));
        let mut file = File::open(path).map_err(failed)?;
        let mut begin = [0; HEADER];
        file.read_exact(&mut begin).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let header = Header::from_bytes(&begin, length);
        let header = header.map_err(|reason| Error::file(path, reason))?;
        must_fit("the index of the texts", Some(length - header.pieces_length()))?;
        let (index, total) = read_end(&mut file, &header).map_err(failed)?;
        let content = Content::File(path.to_owned(), Mutex::new(file));
        Ok(Store::new(index, &header, total, content))
    }
}

/// Cuts documents and writes their pieces and the index; the index, and the sum of all.
fn fill(
    to: impl Write,
    documents: impl Iterator<Item = Result<Document>>,
    pieces: &WordPiece,
    mut progress: impl FnMut(u64),
    failed: impl Fn(io::Error) -> Error,
) -> Result<(Index, Fingerprint)> {
    let mut index = Index::default();
    let mut blocks = Blocks::new(to);
    let width = Header::of(pieces, &index).width() as usize;
    encode(documents, pieces, |documents, text| {
        let mut bytes = Vec::new();
        for document in documents {
            for sentence in document {
                index.sentences.push(index.pieces() + sentence.len() as u64);
                let pieces = sentence.iter().map(|piece| piece.to_le_bytes());
                pieces.for_each(|piece| bytes.extend_from_slice(&piece[..width]));
            }
            let Ok(end) = u32::try_from(index.sentences.len()) else {
                return Err(failed(io::Error::other("more than 2³² − 1 sentences")));
            };
            index.documents.push(end);
        }
        progress(text);
        blocks.put(&bytes).map_err(&failed)
    })?;
    index.to_bytes().try_for_each(|end| blocks.put(&end)).map_err(&failed)?;
    Ok((index, blocks.finish().map_err(failed)?))
}

/// What stands after the pieces: the index and the sum.
fn read_end(file: &mut File, header: &Header) -> io::Result<(Index, String)> {
    file.seek(SeekFrom::Start(HEADER as u64 + header.pieces_length()))?;
    let mut reader = BufReader::new(file);
    let [documents, sentences] = header.counts();
    let sentences = (0..sentences).map(|_| {
        let mut end = [0; 8];
        reader.read_exact(&mut end).map(|()| u64::from_le_bytes(end))
    });
    let sentences = sentences.collect::<io::Result<_>>()?;
    let documents = (0..documents).map(|_| {
        let mut end = [0; 4];
        reader.read_exact(&mut end).map(|()| u32::from_le_bytes(end))
    });
    let documents = documents.collect::<io::Result<_>>()?;
    let mut total = [0; FINGERPRINT];
    reader.read_exact(&mut total)?;
    Ok((Index { sentences, documents }, String::from_utf8_lossy(&total).into_owned()))
}
