//! The one font the book needs: New Computer Modern Math.
//!
//! A plain Debian has no font with an OpenType MATH table, and without one a browser cannot stretch
//! a brace or draw a large sum. The course does not commit the fonts of others, so this one comes
//! from a locked dependency (`typst-assets`) and is written, ignored by git, to where mdBook looks
//! for fonts. It is wrapped as WOFF: every byte of the font, in two thirds of the space.
//!
//! Its licence, the GUST Font License, lies beside it.

use flate2::{Compression, write::ZlibEncoder};
use std::io::{self, Write};
use std::path::Path;

/// The name under which `fonts/fonts.css` asks for it.
pub const FILE: &str = "NewCMMath-Book.woff";

/// Writes the font into `folder`, unless this very font is there.
///
/// mdBook collects a book's fonts after its preprocessors have run: the first build has it. While
/// it serves, it does not watch what git ignores, so writing here does not start another build.
pub fn provide(folder: &Path) -> io::Result<()> {
    let file = folder.join(FILE);
    let font = new_computer_modern_math();
    let there = std::fs::read(&file).ok().and_then(|woff| number(&woff, 16));
    if there == Some(font.len()) {
        return Ok(());
    }
    // Renamed into place: another build may be reading it.
    let unfinished = folder.join(format!("{FILE}.{}", std::process::id()));
    std::fs::create_dir_all(folder)?;
    std::fs::write(&unfinished, wrapped())?;
    std::fs::rename(&unfinished, &file)
}

/// The font as it lies in a book.
pub fn wrapped() -> Vec<u8> {
    woff(new_computer_modern_math())
}

/// The "Book" weight: a little stronger than the regular one, as screens want it.
fn new_computer_modern_math() -> &'static [u8] {
    // A font names itself in UTF-16, big-endian.
    let name: Vec<u8> = "NewCMMath-Book".encode_utf16().flat_map(u16::to_be_bytes).collect();
    typst_assets::fonts()
        .find(|font| font.windows(name.len()).any(|bytes| bytes == name))
        .expect("typst-assets carries New Computer Modern Math")
}

/// Wraps an OpenType font as WOFF 1.0 (<https://www.w3.org/TR/WOFF/>): a header, a directory of
/// tables, and the tables, each compressed where that makes it shorter.
fn woff(font: &[u8]) -> Vec<u8> {
    const HEADER: usize = 44;
    const ENTRY: usize = 20;
    let tables = u16::from_be_bytes([font[4], font[5]]) as usize;
    let mut directory = Vec::new();
    let mut data = Vec::new();
    for table in font[12..].chunks_exact(16).take(tables) {
        // tag, checksum, offset, length
        let (offset, length) = (number(table, 8).unwrap(), number(table, 12).unwrap());
        let original = &font[offset..offset + length];
        let packed = deflated(original);
        let stored = if packed.len() < length { &packed } else { original };
        let position = HEADER + tables * ENTRY + data.len();
        directory.extend_from_slice(&table[..4]);
        directory.extend_from_slice(&be(position));
        directory.extend_from_slice(&be(stored.len()));
        directory.extend_from_slice(&be(length));
        directory.extend_from_slice(&table[4..8]);
        data.extend_from_slice(stored);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let mut woff = b"wOFF".to_vec();
    woff.extend_from_slice(&font[..4]); // flavour
    woff.extend_from_slice(&be(HEADER + directory.len() + data.len()));
    woff.extend_from_slice(&font[4..6]); // number of tables
    woff.extend_from_slice(&[0; 2]); // reserved
    woff.extend_from_slice(&be(font.len()));
    woff.resize(HEADER, 0); // no version, no metadata, no private data
    woff.extend(directory);
    woff.extend(data);
    woff
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

/// Four bytes, the most significant first.
fn be(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("a font is shorter than four gigabytes").to_be_bytes()
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes(four.try_into().expect("four bytes")) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn the_font_can_set_mathematics() {
        let font = new_computer_modern_math();
        assert_eq!(&font[..4], b"OTTO");
        assert!(font[12..].chunks_exact(16).take(20).any(|table| &table[..4] == b"MATH"));
    }

    #[test]
    fn wrapping_keeps_every_table() {
        let font = new_computer_modern_math();
        let woff = woff(font);
        assert_eq!(number(&woff, 8), Some(woff.len()));
        assert!(woff.len() < 1_000_000, "{} bytes", woff.len());
        let tables = u16::from_be_bytes([woff[12], woff[13]]) as usize;
        for i in 0..tables {
            let (theirs, ours) = (&font[12 + 16 * i..], &woff[44 + 20 * i..]);
            let original = &font[number(theirs, 8).unwrap()..][..number(theirs, 12).unwrap()];
            let stored = &woff[number(ours, 4).unwrap()..][..number(ours, 8).unwrap()];
            let mut restored = Vec::new();
            if stored.len() < original.len() {
                ZlibDecoder::new(stored).read_to_end(&mut restored).unwrap();
            } else {
                restored.extend(stored);
            }
            assert_eq!(theirs[..4], ours[..4]);
            assert!(restored == original, "table {i} changed");
        }
    }

    #[test]
    fn an_outdated_font_is_replaced_and_the_right_one_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        std::fs::write(&file, "not a font").unwrap();
        provide(folder.path()).unwrap();
        let written = std::fs::metadata(&file).unwrap();
        provide(folder.path()).unwrap();
        assert_eq!(
            written.modified().unwrap(),
            std::fs::metadata(&file).unwrap().modified().unwrap()
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
