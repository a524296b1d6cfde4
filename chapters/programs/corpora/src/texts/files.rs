//! The files of a corpus, and the documents of all of them.

use super::Document;
use super::layout::Layout;
use super::reader::Reader;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file};

/// The endings of a folder's text files.
const ENDINGS: [&str; 2] = ["txt", "tokens"];

/// A corpus of plain text: a file, or all files `*.txt` and `*.tokens` below a folder, by their path.
///
/// | a file that has | begins a document | layout |
/// |---|---|---|
/// | headings `= Title =`, as WikiText has them | with each of these; headings of all levels are left out | `wikitext` |
/// | else empty lines between lines of text | after each of these | `paragraphs` |
/// | neither, and lines of one sentence, or of parts of one | after every few sentences, 64 at most | `paragraphs` |
/// | neither, and lines of several sentences | with every line | `lines` |
///
/// The end of a line ends a sentence, unless sentences go on in the next line: paragraphs with such
/// lines are joined. [`split_sentences`](super::split_sentences) finds the other ends.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.txt"), "It rains. We stay in.\r\n\r\nA cat sleeps.\r\n")?;
/// let texts = corpora::texts::Texts::open(folder.path())?;
/// let documents: Result<Vec<_>, _> = texts.documents().collect();
/// assert_eq!(documents?[0].sentences, ["It rains.", "We stay in."]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Texts {
    path: PathBuf,
    files: Vec<PathBuf>,
    bytes: u64,
    layout: Option<Layout>,
    /// How files that were read are written.
    seen: Arc<Mutex<BTreeSet<String>>>,
}

impl Texts {
    /// Finds the files.
    ///
    /// # Errors
    /// When there is none, when it cannot be read, or when nothing is written in them.
    pub fn open(path: &Path) -> Result<Texts> {
        must_be_a_file(path)?; // or a folder, but no pipe
        let mut files = Vec::new();
        if path.is_dir() {
            collect(path, &mut files)?
        } else {
            files.push(path.to_owned())
        }
        files.sort();
        files.iter().try_for_each(|file| must_be_a_file(file))?;
        if files.is_empty() {
            return Err(Error::file(path, "has no file *.txt or *.tokens below it"));
        }
        let bytes = files.iter().map(|file| fs::metadata(file).map_or(0, |found| found.len()));
        let path = path.to_owned();
        let bytes = bytes.sum();
        let texts = Texts { path, bytes, files, layout: None, seen: Arc::default() };
        match texts.bytes {
            0 => Err(Error::file(&texts.path, "is empty")),
            _ => Ok(texts),
        }
    }

    /// The same with a layout that is given, rather than seen from each file.
    pub fn laid_out(self, layout: Option<Layout>) -> Texts {
        Texts { layout, ..self }
    }

    /// How the files that were read so far are laid out, in words.
    pub fn layouts(&self) -> String {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// The files, in the order in which they are read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// How many bytes all files have together.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads them from the beginning. Each file is read twice, the first time to see how it is
    /// written and that it is text throughout.
    ///
    /// An error of the iterator, which ends with it: a file cannot be read, or is not UTF-8; or, at
    /// the end, the corpus had not even two sentences.
    pub fn documents(&self) -> Documents<'_> {
        Documents {
            texts: self,
            files: self.files.iter(),
            reader: None,
            sentences: 0,
            ended: false,
        }
    }
}

/// The text files below a folder. Links to files are followed, links to folders are not: they may
/// lead back.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = |error| Error::file(folder, cannot_read(folder, &error));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, files)?;
            continue;
        }
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if ENDINGS.contains(&&ending[..]) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// The documents of a corpus, one after another.
pub struct Documents<'a> {
    texts: &'a Texts,
    files: std::slice::Iter<'a, PathBuf>,
    reader: Option<Reader>,
    sentences: usize,
    ended: bool,
}

impl Documents<'_> {
    /// The next document of this file or of the files after it.
    fn read(&mut self) -> Result<Option<Document>> {
        loop {
            if let Some(document) = self.reader.as_mut().map_or(Ok(None), Reader::next)? {
                self.sentences += document.sentences.len();
                return Ok(Some(document));
            }
            match self.files.next() {
                Some(file) => {
                    let reader = Reader::open(file, self.texts.layout)?;
                    let mut seen = self.texts.seen.lock().unwrap_or_else(PoisonError::into_inner);
                    seen.insert(reader.written().told());
                    self.reader = Some(reader);
                }
                None => return self.enough().map(|()| None),
            }
        }
    }

    fn enough(&self) -> Result<()> {
        match self.sentences {
            0 => Err(Error::file(&self.texts.path, "holds no sentence")),
            1 => Err(Error::file(&self.texts.path, "holds one sentence, two are needed")),
            _ => Ok(()),
        }
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<Document>;

    fn next(&mut self) -> Option<Result<Document>> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}
