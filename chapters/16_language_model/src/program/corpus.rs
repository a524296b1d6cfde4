//! A file of text as bytes: 256 words that no text escapes, whatever its language.
//!
//! Nothing is kept in memory but the file's length: a window is read from the disk when it is drawn.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file, plain};
use workbench::program::end;

/// Bytes that are looked at together.
const BLOCK: u64 = 1 << 16;

#[derive(Debug)]
pub struct Corpus {
    path: PathBuf,
    file: Mutex<File>, // read by one thread at a time: its place is a part of it
    pub length: u64,
    /// Distinguishes one text from another.
    pub fingerprint: String,
}

impl Corpus {
    /// Opens a file and reads it once.
    ///
    /// # Errors
    /// When it cannot be read, is not text in UTF-8, or has fewer than `least` bytes.
    pub fn open(path: &Path, least: u64) -> Result<Corpus> {
        let unread = |error| Error::file(path, cannot_read(path, &error));
        must_be_a_file(path)?;
        let file = File::open(path).map_err(unread)?;
        let (mut length, mut line, mut sum) = (0_u64, 1_u64, Fingerprint::default());
        let mut block = Vec::new(); // begins with the bytes of a character that was cut
        loop {
            let read = (&file).take(BLOCK).read_to_end(&mut block).map_err(unread)?;
            let (good, cut) = match std::str::from_utf8(&block) {
                Ok(text) => (text.len(), true),
                Err(error) => (error.valid_up_to(), error.error_len().is_none() && read > 0),
            };
            let zero = block[..good].iter().position(|byte| *byte == 0);
            line += count_lines(&block[..zero.unwrap_or(good)]);
            if zero.is_some() {
                return Err(Error::line(path, line, "has a byte of zero: it is no text"));
            }
            if !cut {
                return Err(Error::line(path, line, "is not text in UTF-8"));
            }
            sum = sum.and(&block[..good]);
            length += good as u64;
            block.drain(..good);
            if read == 0 {
                break;
            }
        }
        if length < least {
            let reason = format!("a text of {length} bytes; at least {least} are needed");
            return Err(Error::file(path, reason));
        }
        let fingerprint = sum.to_string();
        Ok(Corpus { path: path.to_owned(), file: Mutex::new(file), length, fingerprint })
    }

    /// So many bytes from a place on. The file was whole when it was opened: should the disk fail, or somebody
    /// shorten it, the program ends with an error.
    pub fn read(&self, place: u64, length: usize) -> Vec<usize> {
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut bytes));
        if let Err(error) = read {
            let reason = format!("is not what it was when it was opened: {}", plain(&error));
            end(Error::file(&self.path, reason));
        }
        bytes.into_iter().map(usize::from).collect()
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
