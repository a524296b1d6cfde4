//! Checkpoints that were cut, or that lie about sizes: a model or one line, and no more memory than the
//! files justify.

use crate::support::stirred;
use bert::Config;
use bert::interchange::{Folder, write_pretraining};
use rand::RngExt;
use rayon::prelude::*;
use shared::{Rng, rng};
use std::fs;
use std::ops::Range;
use std::path::Path;
use tests::memory::memory_of;
use workbench::error::Result;
use workbench::parameters::ForeignFile;

/// `config.json` and `model.safetensors`, nearly as small as a checkpoint with all its parts can be.
fn tiny() -> (Vec<u8>, Vec<u8>) {
    let config = Config {
        vocabulary: 3,
        width: 2,
        feed_forward: 1,
        heads: 1,
        blocks: 1,
        longest: 2,
        segments: 1,
        dropout: 0.0,
        epsilon: 1e-12,
        deviation: 0.02,
    };
    let folder = tempfile::tempdir().unwrap();
    write_pretraining(folder.path(), None, &mut stirred(&config, 0), &config).unwrap();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    (read("config.json"), read("model.safetensors"))
}

/// Counts the cases, each with a seed of its own, that were read; every second one as an encoder
/// alone. What is said of the others is one line, and memory is what files of these lengths justify.
fn read_of(cases: u64, damaged: impl Fn(&mut Rng) -> (Vec<u8>, Vec<u8>) + Sync) -> usize {
    let reads = |case: &u64| {
        let (config, tensors) = damaged(&mut rng(*case));
        let (result, memory) = memory_of(|| -> Result<()> {
            let folder = Folder::parse("folder".as_ref(), &config)?;
            let file = ForeignFile::parse(Path::new("folder/model.safetensors"), &tensors)?;
            folder.read(file, case.is_multiple_of(2)).map(drop)
        });
        assert!(memory < 32 * tensors.len() + (1 << 16), "{memory} bytes for {}", tensors.len());
        let said = result.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert!(result.is_ok() || said.starts_with("folder/"), "{said:?}");
        assert!(!said.contains(char::is_control), "{said:?}");
        result.is_ok()
    };
    (0..cases).into_par_iter().filter(reads).count()
}

/// The ranges of the numbers in a header.
fn numbers(header: &[u8]) -> Vec<Range<usize>> {
    let is_digit = |i: &usize| header[*i].is_ascii_digit();
    let begins = (0..header.len()).filter(|i| is_digit(i) && (*i == 0 || !is_digit(&(i - 1))));
    begins.map(|i| i..(i..header.len()).find(|j| !is_digit(j)).unwrap_or(header.len())).collect()
}

/// A header with another number in place of one of its sizes or offsets.
fn lie(header: &[u8], places: &[Range<usize>], rng: &mut Rng) -> Vec<u8> {
    let number = |place: usize| str::from_utf8(&header[places[place].clone()]).unwrap();
    let place = rng.random_range(0..places.len());
    let old: i128 = number(place).parse().unwrap();
    let new = match rng.random_range(0..6) {
        0 => (old + 1).to_string(),
        1 => (old - 1).to_string(),
        2 => (old * 2).to_string(),
        3 => (1_u64 << rng.random_range(0..64)).to_string(),
        4 => u64::MAX.to_string(),
        _ => number(rng.random_range(0..places.len())).to_owned(),
    };
    let mut lying = header.to_vec();
    lying.splice(places[place].clone(), new.into_bytes());
    lying
}

/// Cut, with a flipped bit, or with up to three lies.
#[test]
fn damaged_tensors_are_read_or_refused() {
    let (config, good) = tiny();
    let length = u64::from_le_bytes(*good.first_chunk().unwrap()) as usize;
    let (header, data) = good[8..].split_at(length);
    let read = read_of(20_000, |rng| {
        let mut tensors = good.clone();
        match rng.random_range(0..4) {
            0 => tensors.truncate(rng.random_range(0..good.len())),
            1 => tensors[rng.random_range(0..good.len())] ^= 1 << rng.random_range(0..8),
            _ => {
                let mut lying = header.to_vec();
                for _ in 0..rng.random_range(1..4) {
                    lying = lie(&lying, &numbers(&lying), rng);
                }
                tensors = [&(lying.len() as u64).to_le_bytes(), &lying[..], data].concat();
            }
        }
        (config.clone(), tensors)
    });
    // Some flips hit a weight, and some a head that an encoder does not need.
    assert!((200..10_000).contains(&read), "{read}");
}
