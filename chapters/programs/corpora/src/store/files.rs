//! Writing a store, and opening it again.

use super::access::{Content, Shared, Store};
use super::blocks::{Blocks, sum};
use super::encode::encode;
use super::header::{DOCUMENT, FINGERPRINT, HEADER, Header, SENTENCE};
use super::index::Index;
use crate::WordPiece;
use crate::texts::Document;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file, unwritten, write_with};
use workbench::memory::must_fit;

impl Store {
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
        mut progress: impl FnMut(u64),
    ) -> Result<()> {
        let width = Header::of(pieces, &Index::default()).width;
        let failed = |error: io::Error| unwritten(path, &error);
        write_with(path, |file| {
            file.write_all(&[0; HEADER]).map_err(failed)?; // sizes are known at the end
            let (mut index, mut blocks) = (Index::default(), Blocks::new(file));
            encode(documents, pieces, |documents, text| {
                let mut bytes = Vec::new();
                let add = |document| index.add(document, width, &mut bytes);
                let added: Option<()> = documents.iter().map(Vec::as_slice).map(add).collect();
                added.ok_or_else(|| Error::file(path, "would have more than 2³² − 1 sentences"))?;
                progress(text);
                blocks.put(&bytes).map_err(failed)
            })?;
            if index.documents.is_empty() {
                return Err(Error::file(path, "would be empty: the texts have no sentence"));
            }
            index.to_bytes().try_for_each(|end| blocks.put(&end)).map_err(failed)?;
            let content = blocks.finish().map_err(failed)?;
            finish(file, content, &Header::of(pieces, &index)).map_err(failed)
        })
    }

    /// Opens a store. All of it is read once, and checked: its sizes and its sum.
    ///
    /// # Errors
    /// When it cannot be read, is no store, or is not as it was written.
    pub fn open(path: &Path) -> Result<Store> {
        must_be_a_file(path)?;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::file(path, "is damaged: it ends too early"),
            io::ErrorKind::InvalidData => Error::file(path, format!("is damaged: {error}")),
            _ => Error::file(path, cannot_read(path, &error)),
        };
        let mut file = File::open(path).map_err(failed)?;
        let header = read_header(&mut file).map_err(failed)?;
        let header = header.map_err(|reason| Error::file(path, reason))?;
        let ends = header.content_length() - header.pieces_length();
        must_fit("the index of the texts", u64::try_from(ends).ok())?;
        let fingerprint = check(&mut file, &header).map_err(failed)?;
        let index = read_index(&mut file, &header).map_err(failed)?;
        let Header { width, fingerprint: vocabulary, .. } = header;
        let content = Content::File(path.to_owned(), Shared::new(file));
        Ok(Store { index, width, vocabulary, fingerprint, content })
    }
}

/// Writes the sum of content and header after the one, and the other where it belongs.
fn finish(file: &mut File, content: Fingerprint, header: &Header) -> io::Result<()> {
    file.write_all(header.total(content).as_bytes())?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.to_bytes())
}

/// The header; the file stands after it.
fn read_header(file: &mut File) -> io::Result<Result<Header, String>> {
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes)?;
    Ok(Header::from_bytes(&bytes, file.metadata()?.len()))
}

/// Reads everything after the header. Returns the sum of all.
fn check(file: &mut File, header: &Header) -> io::Result<String> {
    let length = u64::try_from(header.content_length()).expect("no longer than the file");
    let content = sum(file, length)?;
    let mut written = [0; FINGERPRINT];
    file.read_exact(&mut written)?;
    let total = header.total(content);
    if written == total.as_bytes() {
        Ok(total)
    } else {
        let reason = "its bytes are not those that were written";
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}

fn read_index(file: &mut File, header: &Header) -> io::Result<Index> {
    let ends =
        HEADER as u64 + u64::try_from(header.pieces_length()).expect("shorter than the file");
    file.seek(SeekFrom::Start(ends))?;
    let mut reader = BufReader::new(file);
    let sentences = (0..header.sentences).map(|_| {
        let mut end = [0; SENTENCE];
        reader.read_exact(&mut end).map(|()| u64::from_le_bytes(end))
    });
    let sentences = sentences.collect::<io::Result<_>>()?;
    let documents = (0..header.documents).map(|_| {
        let mut end = [0; DOCUMENT];
        reader.read_exact(&mut end).map(|()| u32::from_le_bytes(end))
    });
    Ok(Index { sentences, documents: documents.collect::<io::Result<_>>()? })
}
