//! The content of a store in blocks, which are summed up as they pass.

use std::io::{self, Write};
use workbench::Fingerprint;

/// The bytes of a block.
const BLOCK: usize = 1 << 20;

/// Writes blocks.
pub(super) struct Blocks<W> {
    to: W,
    block: Vec<u8>,
    sum: Fingerprint,
}

impl<W: Write> Blocks<W> {
    pub fn new(to: W) -> Blocks<W> {
        Blocks { to, block: Vec::with_capacity(BLOCK), sum: Fingerprint::default() }
    }

    pub fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.block.len() + bytes.len() >= BLOCK {
            let (now, later) = bytes.split_at(BLOCK - self.block.len());
            self.block.extend_from_slice(now);
            self.flush()?;
            bytes = later;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum = self.sum.and(&self.block);
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes what is left: the last block is never full, and may be empty.
    pub fn finish(mut self) -> io::Result<Fingerprint> {
        self.flush()?;
        Ok(self.sum)
    }
}
