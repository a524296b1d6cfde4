//! Checkpoints that somebody cut, damaged or forged: a model or one line, and no more memory than the
//! files justify.

use crate::support::{memory_of, stirred};
use bert::Config;
use bert::interchange::{Folder, write_pretraining};
use rand::RngExt;
use rayon::prelude::*;
use serde_json::{Value, json};
use shared::{Rng, rng};
use std::fs;
use std::ops::Range;
use std::path::Path;
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

/// `config.json` of these bytes.
fn parsed(config: &[u8]) -> impl FnOnce() -> Result<Folder> {
    || Folder::parse("folder".as_ref(), config)
}

/// Reads a checkpoint, as an encoder or with its heads, and says whether that went well. Holds what is
/// said to one line, and the memory that it took to what a file of this length justifies.
fn reads(config: impl FnOnce() -> Result<Folder>, tensors: &[u8], heads: bool) -> bool {
    let read = || -> Result<()> {
        let folder = config()?;
        let file = ForeignFile::parse(Path::new("folder/model.safetensors"), tensors)?;
        folder.read(file, heads).map(drop)
    };
    let (result, memory) = memory_of(read);
    assert!(memory < 32 * tensors.len() + (1 << 16), "{memory} bytes for {}", tensors.len());
    let Err(error) = result else { return true };
    let said = error.to_string();
    assert!(said.starts_with("folder/") && !said.contains(char::is_control), "{said:?}");
    false
}

/// The header of a safetensors file, and its data.
fn split(file: &[u8]) -> (&[u8], &[u8]) {
    let length = u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    file[8..].split_at(length)
}

fn with_header(header: &[u8], data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header, data].concat()
}

/// Where a header's numbers stand.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let is_digit = |i: &usize| text[*i].is_ascii_digit();
    let begins = (0..text.len()).filter(|i| is_digit(i) && (*i == 0 || !is_digit(&(i - 1))));
    let end = |begin| (begin..text.len()).find(|i| !is_digit(i)).unwrap_or(text.len());
    begins.map(|begin| begin..end(begin)).collect()
}

/// Lies about one to three sizes or offsets: other numbers, or such as stand elsewhere in the header.
fn lies(header: &[u8], places: &[Range<usize>], rng: &mut Rng) -> Vec<u8> {
    let place = |rng: &mut Rng| rng.random_range(0..places.len());
    let mut chosen: Vec<usize> = (0..rng.random_range(1..4)).map(|_| place(rng)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let number = |i: usize| str::from_utf8(&header[places[i].clone()]).unwrap();
    let mut lying = header.to_vec();
    for i in chosen.into_iter().rev() {
        let old: i128 = number(i).parse().unwrap();
        let new = match rng.random_range(0..8) {
            0 => (old + 1).to_string(),
            1 => (old - 1).to_string(),
            2 => (old * 2).to_string(),
            3 => (1_u64 << rng.random_range(0..64)).to_string(),
            4 => u64::MAX.to_string(),
            5 => "1e9".to_owned(),
            _ => number(place(rng)).to_owned(),
        };
        lying.splice(places[i].clone(), new.into_bytes());
    }
    lying
}

/// A part of so many bytes.
fn part(length: usize, rng: &mut Rng) -> Range<usize> {
    let begin = rng.random_range(0..=length);
    begin..(begin + rng.random_range(0..64)).min(length)
}

fn corrupted(good: &[u8], places: &[Range<usize>], rng: &mut Rng) -> Vec<u8> {
    let (mut bytes, (text, data)) = (good.to_vec(), split(good));
    let header = 8..8 + text.len();
    match rng.random_range(0..9) {
        0 => bytes.truncate(rng.random_range(0..good.len())),
        1 => bytes.extend((0..rng.random_range(1..64)).map(|_| rng.random::<u8>())),
        2 => bytes[..8].copy_from_slice(&rng.random::<u64>().to_le_bytes()),
        3 => bytes[0] = rng.random(),
        4 => {
            for _ in 0..rng.random_range(1..5) {
                let bit = rng.random_range(0..8 * good.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        5 => bytes[rng.random_range(header)] = rng.random_range(b' '..b'~'),
        6 => {
            let (from, to) = (part(good.len(), rng), part(good.len(), rng));
            bytes.splice(to, good[from].iter().copied());
        }
        _ => bytes = with_header(&lies(text, places, rng), data),
    }
    bytes
}

/// Of so many cases, each with a seed of its own, how many were read.
fn read_of(cases: u64, read: impl Fn(u64, &mut Rng) -> bool + Sync) -> usize {
    (0..cases).into_par_iter().filter(|case| read(*case, &mut rng(*case))).count()
}

#[test]
fn a_hundred_thousand_corruptions_are_read_or_refused() {
    let (config, tensors) = tiny();
    let folder = Folder::parse("folder".as_ref(), &config).unwrap();
    let places = numbers(split(&tensors).0);
    let read = read_of(100_000, |case, rng| {
        reads(|| Ok(folder.clone()), &corrupted(&tensors, &places, rng), case % 2 == 0)
    });
    // Some flips hit a weight, and some a head that an encoder does not need.
    assert!((1_000..50_000).contains(&read), "{read}");
}

/// Values that a field may have by mistake or malice.
fn value(rng: &mut Rng) -> Value {
    let pool = [
        json!(0),
        json!(1),
        json!(-1),
        json!(2),
        json!(1e300),
        json!(0.5),
        json!(u64::MAX),
        json!(1 << 24),
        json!(4096),
        json!(null),
        json!(true),
        json!(false),
        json!(""),
        json!("gelu\n\u{1b}[2J"),
        json!("é".repeat(1000)),
        json!([[[[]]]]),
        json!({"0": "a", "1": "a"}),
        json!({"a": 0}),
    ];
    pool[rng.random_range(0..pool.len())].clone()
}

/// Fields exchanged, dropped and added, or bytes copied elsewhere.
fn mutated(good: &Value, text: &[u8], rng: &mut Rng) -> Vec<u8> {
    if rng.random_range(0..4) == 0 {
        let (from, to) = (part(text.len(), rng), part(text.len(), rng));
        let mut bytes = text.to_vec();
        bytes.splice(to, text[from].iter().copied());
        return bytes;
    }
    let mut fields = good.as_object().unwrap().clone();
    for _ in 0..rng.random_range(1..4) {
        let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
        names.extend(["id2label", "label2id", "num_labels", "pad_token_id", "is_decoder"]);
        let name = names[rng.random_range(0..names.len())].to_owned();
        match rng.random_range(0..4) {
            0 => drop(fields.remove(&name)),
            _ => drop(fields.insert(name, value(rng))),
        }
    }
    Value::Object(fields).to_string().into_bytes()
}

#[test]
fn ten_thousand_configs_are_read_or_refused() {
    let (config, tensors) = tiny();
    let good: Value = serde_json::from_slice(&config).unwrap();
    let read = read_of(10_000, |case, rng| {
        reads(parsed(&mutated(&good, &config, rng)), &tensors, case % 2 == 0)
    });
    assert!((500..5_000).contains(&read), "{read}");
}

/// Lists in lists without an end are refused for their depth, before they reach the end of the stack.
#[test]
fn depth_is_limited() {
    let (config, tensors) = tiny();
    assert!(reads(parsed(&config), &tensors, true) && reads(parsed(&config), &tensors, false));
    let lists = "[".repeat(1 << 20);
    let objects = format!("{{\"hidden_act\": {}", "{\"a\":".repeat(1 << 18));
    for deep in [lists, objects] {
        assert!(!reads(parsed(deep.as_bytes()), &tensors, true));
        assert!(!reads(parsed(&config), &with_header(deep.as_bytes(), &tensors), true));
    }
}
