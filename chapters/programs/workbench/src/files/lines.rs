//! The lines of a file, checked one by one.

use super::{cannot_read, must_be_a_file, must_fit_memory, read};
use crate::error::{Error, Result};
use crate::folders::must_be_itself;
use crate::program::progress_in_bytes;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The longest line, in bytes: whatever has a longer one is no text of sentences, and no table.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Files of fewer bytes are read before anybody could look at a bar.
const LARGE: u64 = 4 << 20;

/// All lines of a text file, without their ends; empty ones, too.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "\u{feff}a cat\r\n\r\ntwo cats")?;
/// assert_eq!(workbench::files::read_lines(file.path())?, ["a cat", "", "two cats"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, is no ordinary file or is larger than the memory that is free; when
/// a line is not UTF-8, or longer than a mebibyte.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let mut lines = Lines::open(path)?;
    must_fit_memory(path)?;
    std::iter::from_fn(|| lines.next_line().transpose()).collect()
}

/// The lines of standard input as they come, each as [`read_lines`] has it.
pub fn lines_of_input() -> impl Iterator<Item = Result<String>> {
    let (path, reader) = (Path::new("standard input"), Box::new(std::io::stdin().lock()));
    let mut lines = Lines { path, number: 0, reader, bar: None, lenient: false, foreign: 0 };
    std::iter::from_fn(move || lines.next_line().transpose())
}

/// A fault of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A name of two or three words, the same for all lines with this fault.
    pub kind: &'static str,
    /// What the person who wrote the line needs to know.
    pub reason: String,
}

impl Fault {
    /// A fault of this kind, and its reason.
    pub fn new(kind: &'static str, reason: impl Into<String>) -> Fault {
        Fault { kind, reason: reason.into() }
    }
}

/// The lines of a file, checked: UTF-8, or UTF-16 with a byte-order mark.
pub struct Lines<'a> {
    /// The file.
    pub path: &'a Path,
    /// The number of the line read last, from 1.
    pub number: u64,
    reader: Box<dyn BufRead>,
    bar: Option<ProgressBar>,
    /// Whether lines may be in the encoding of Windows.
    pub(super) lenient: bool,
    /// How many were not UTF-8.
    pub(super) foreign: usize,
}

impl<'a> Lines<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is no ordinary file, or not the file itself.
    pub fn open(path: &'a Path) -> Result<Lines<'a>> {
        must_be_a_file(path)?;
        let unread = |error| Error::file(path, cannot_read(path, &error));
        let mut file = BufReader::new(File::open(path).map_err(unread)?);
        let begin = file.fill_buf().map_err(unread)?;
        must_be_itself(path, begin)?;
        let reader: Box<dyn BufRead> = match begin {
            [0xff, 0xfe, ..] => Box::new(utf_16(path, u16::from_le_bytes)?),
            [0xfe, 0xff, ..] => Box::new(utf_16(path, u16::from_be_bytes)?),
            _ => Box::new(file),
        };
        let length = std::fs::metadata(path).map_or(0, |found| found.len());
        let bar = (length > LARGE).then(|| progress_in_bytes(length).with_message("reading"));
        Ok(Lines { path, number: 0, reader, bar, lenient: false, foreign: 0 })
    }

    /// The next line without its end.
    ///
    /// # Errors
    /// When something is wrong with it, or it cannot be read.
    pub fn next_line(&mut self) -> Result<Option<String>> {
        let line = self.next_or_fault()?;
        line.map(|line| line.map_err(|fault| self.refuse(fault.reason))).transpose()
    }

    /// The next line without its end, or what is wrong with it; after it the file goes on.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn next_or_fault(&mut self) -> Result<Option<std::result::Result<String, Fault>>> {
        let mut bytes = Vec::new();
        let limited = self.reader.by_ref().take(MAX_BYTES as u64 + 1);
        let read = { limited }.read_until(b'\n', &mut bytes);
        read.map_err(|error| Error::file(self.path, cannot_read(self.path, &error)))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        self.bar.iter().for_each(|bar| bar.inc(bytes.len() as u64));
        if bytes.len() > MAX_BYTES && !bytes.ends_with(b"\n") {
            let rest = self.reader.skip_until(b'\n');
            rest.map_err(|error| Error::file(self.path, cannot_read(self.path, &error)))?;
        }
        Ok(Some(self.checked(bytes)))
    }

    /// The text of the line read last.
    fn checked(&mut self, bytes: Vec<u8>) -> std::result::Result<String, Fault> {
        if bytes.contains(&0) {
            return Err(Fault::new("zero byte", "a zero byte: this is not a text file in UTF-8"));
        } else if bytes.len() > MAX_BYTES {
            let reason = format!("the line is longer than {MAX_BYTES} bytes");
            return Err(Fault::new("too long", reason));
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(other) if self.lenient => {
                self.foreign += 1;
                windows_1252(other.as_bytes())
            }
            Err(_) => return Err(Fault::new("not UTF-8", "this is not valid UTF-8 text")),
        };
        let mut line = text.strip_suffix('\n').unwrap_or(&text);
        line = line.strip_suffix('\r').unwrap_or(line);
        if self.number == 1 {
            line = line.trim_start_matches('\u{feff}'); // a byte-order mark is no part of the text
        }
        if line.contains('\r') {
            let reason = "a carriage return inside the line: lines must end in LF or CRLF";
            return Err(Fault::new("carriage return inside", reason));
        }
        Ok(line.to_owned())
    }

    /// An error in the line read last.
    pub fn refuse(&self, reason: impl std::fmt::Display) -> Error {
        Error::line(self.path, self.number, reason)
    }
}

/// The bytes in UTF-8 of a file in UTF-16, all at once.
fn utf_16(path: &Path, unit: fn([u8; 2]) -> u16) -> Result<Cursor<Vec<u8>>> {
    let units: Vec<u16> =
        read(path)?.chunks_exact(2).map(|bytes| unit([bytes[0], bytes[1]])).collect();
    let text = String::from_utf16(&units);
    let text = text.map_err(|_| Error::file(path, "this is not valid UTF-16 text"))?;
    Ok(Cursor::new(text.into_bytes()))
}

/// Text in the encoding of Windows, which is Latin-1 with letters and marks for 32 of its controls.
fn windows_1252(bytes: &[u8]) -> String {
    const OTHERS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let letters = bytes.iter().map(|byte| match byte {
        0x80..0xa0 => OTHERS.chars().nth(usize::from(byte - 0x80)).unwrap_or_default(),
        _ => char::from(*byte),
    });
    letters.collect()
}

impl Drop for Lines<'_> {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}
