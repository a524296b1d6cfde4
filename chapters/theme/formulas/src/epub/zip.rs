//! A ZIP archive with as little of the format as an EPUB needs, by the crates that are here already.
//!
//! Every file has the date on which the format's time begins: the same book is the same bytes.

use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write;

const VERSION: u16 = 20; // deflated files
const DATE: u16 = 1 << 5 | 1; // the first of January 1980

/// An archive that is being written.
#[derive(Default)]
pub struct Archive {
    files: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl Archive {
    /// Adds a file as it is.
    pub fn store(&mut self, name: &str, content: &[u8]) {
        self.add(name, content, 0, content);
    }

    /// Adds a file, compressed.
    pub fn deflate(&mut self, name: &str, content: &[u8]) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(content).and_then(|()| encoder.finish());
        self.add(name, content, 8, &packed.expect("memory takes every byte"));
    }

    fn add(&mut self, name: &str, content: &[u8], method: u16, packed: &[u8]) {
        let mut crc = Crc::new();
        crc.update(content);
        // What the file and its line in the directory both say.
        let mut about = Vec::new();
        for two in [VERSION, 0, method, 0, DATE] {
            about.extend(two.to_le_bytes());
        }
        for four in [crc.sum(), size(packed.len()), size(content.len())] {
            about.extend(four.to_le_bytes());
        }
        about.extend(u16::try_from(name.len()).expect("a short name").to_le_bytes());
        about.extend([0; 2]); // nothing extra

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&about);
        self.directory.extend([0; 10]); // no remark, on the first disk, no attributes
        self.directory.extend(size(self.files.len()).to_le_bytes());
        self.directory.extend(name.as_bytes());

        self.files.extend(b"PK\x03\x04");
        self.files.extend(&about);
        self.files.extend(name.as_bytes());
        self.files.extend(packed);
        self.count += 1;
    }

    /// The archive's bytes.
    pub fn finish(self) -> Vec<u8> {
        let Self { mut files, directory, count } = self;
        let at = size(files.len());
        files.extend(&directory);
        files.extend(b"PK\x05\x06\0\0\0\0"); // one disk
        files.extend(count.to_le_bytes());
        files.extend(count.to_le_bytes());
        files.extend(size(directory.len()).to_le_bytes());
        files.extend(at.to_le_bytes());
        files.extend([0; 2]); // no remark
        files
    }
}

fn size(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("a book is shorter than four gigabytes")
}
