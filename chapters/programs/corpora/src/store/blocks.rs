//! The content of a store in blocks, which are summed up as they pass.

use std::fs::File;
use std::io::{self, Read, Write};
use workbench::Fingerprint;

/// The bytes of a block; a multiple of every number's.
const BLOCK: usize = 1 << 20;

/// Writes blocks.
pub(super) struct Blocks<'a> {
    file: &'a mut File,
    block: Vec<u8>,
    sum: Fingerprint,
}

impl Blocks<'_> {
    pub fn new(file: &mut File) -> Blocks<'_> {
        Blocks { file, block: Vec::with_capacity(BLOCK), sum: Fingerprint::default() }
    }

    pub fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
        self.block.extend_from_slice(now);
        if self.block.len() < BLOCK {
            return Ok(());
        }
        self.flush()?;
        self.put(later)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum = self.sum.and(&self.block);
        self.file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> io::Result<Fingerprint> {
        self.flush()?;
        Ok(self.sum)
    }
}

/// Reads `length` bytes as they were written, and sums them up.
pub(super) fn sum(file: &mut impl Read, length: u64) -> io::Result<Fingerprint> {
    let mut sum = Fingerprint::default();
    let (mut block, mut left) = (vec![0; BLOCK.min(length as usize)], length);
    loop {
        let block = &mut block[..left.min(BLOCK as u64) as usize];
        file.read_exact(block)?;
        sum = sum.and(&block);
        left -= block.len() as u64;
        if block.len() < BLOCK {
            return Ok(sum); // the last is never full: an empty one follows
        }
    }
}
