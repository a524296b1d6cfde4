//! A text file in fragments: its lines, or parts of them where they are long.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file};

/// The longest fragment, in bytes.
const MAX_FRAGMENT: usize = 64 << 10;

/// A line, or a part of it.
pub(super) struct Fragment {
    pub text: String,
    /// Whether this is all of a line.
    pub whole: bool,
    pub ends_line: bool,
}

/// The fragments of a file, checked: UTF-8 without zero bytes.
pub(super) struct Fragments {
    path: PathBuf,
    reader: BufReader<File>,
    /// Bytes of a character that the last fragment cut in two.
    rest: Vec<u8>,
    /// The line that is read, from 1, and the place in the file, from 0.
    line: u64,
    place: u64,
    /// Whether a line begins here.
    begins_line: bool,
}

impl Fragments {
    pub fn open(path: &Path) -> Result<Fragments> {
        must_be_a_file(path)?;
        let file =
            File::open(path).map_err(|error| Error::file(path, cannot_read(path, &error)))?;
        let reader = BufReader::with_capacity(MAX_FRAGMENT, file);
        let path = path.to_owned();
        Ok(Fragments { path, reader, rest: Vec::new(), line: 1, place: 0, begins_line: true })
    }

    /// The next fragment without the end of its line.
    pub fn next(&mut self) -> Result<Option<Fragment>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let limited = self.reader.by_ref().take((MAX_FRAGMENT - bytes.len()) as u64);
        let read = { limited }.read_until(b'\n', &mut bytes);
        read.map_err(|error| Error::file(&self.path, cannot_read(&self.path, &error)))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let ends_line = bytes.len() < MAX_FRAGMENT || bytes.ends_with(b"\n");
        self.rest = bytes.split_off(self.valid(&bytes, ends_line)?);
        let mut text = String::from_utf8(bytes).expect("checked");
        if self.place == 0 && text.starts_with('\u{feff}') {
            text.remove(0); // a byte-order mark is no part of the text
            self.place = '\u{feff}'.len_utf8() as u64;
        }
        self.place += text.len() as u64;
        self.line += u64::from(ends_line);
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
        let whole = std::mem::replace(&mut self.begins_line, ends_line) && ends_line;
        Ok(Some(Fragment { text, whole, ends_line }))
    }

    /// How many bytes are whole characters: all, unless the fragment ends within one.
    fn valid(&self, bytes: &[u8], ends_line: bool) -> Result<usize> {
        if let Some(zero) = bytes.iter().position(|byte| *byte == 0) {
            return Err(self.refuse(zero, "is zero: this looks like no text in UTF-8"));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.len()),
            Err(error) if error.error_len().is_none() && !ends_line => Ok(error.valid_up_to()),
            Err(error) => Err(self.refuse(error.valid_up_to(), "is no UTF-8")),
        }
    }

    /// An error at a byte of the fragment.
    fn refuse(&self, byte: usize, reason: &str) -> Error {
        let place = self.place + byte as u64;
        Error::line(&self.path, self.line, format!("byte {place} of the file {reason}"))
    }
}
