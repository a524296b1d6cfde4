//! Files that somebody cut, damaged or forged: refused in one line, whatever they hold.

use super::foreign::{Small, load_foreign, save_foreign, table};
use std::fs;
use workbench::parameters::ParameterFile;

/// What is said of a file with these bytes; every way to read it says the same.
fn refusal(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    fs::write(&path, bytes).unwrap();
    let said = load_foreign(&path, &mut Small::new(0), &table()).unwrap_err().to_string();
    let opened = ParameterFile::open(&path).map(drop);
    assert_eq!(opened.unwrap_err().to_string(), said);
    assert!(said.lines().count() == 1 && !said.contains(char::is_control), "{said:?}");
    assert!(said.chars().count() < 500, "{said}");
    said.replace(&path.display().to_string(), "FILE")
}

/// A file with this header and so many bytes of data.
fn forged(header: &str, data: usize) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &vec![0; data]].concat()
}

fn tensor(name: &str, shape: &str, begin: u64, end: u64) -> String {
    format!(r#""{name}":{{"dtype":"F32","shape":{shape},"data_offsets":[{begin},{end}]}}"#)
}

const NO_FILE: &str = "FILE: this is no safetensors file";
const TRUNCATED: &str = "FILE: the file is truncated, or something stands after its end";

#[test]
fn a_header_that_announces_absurd_sizes_is_refused() {
    let said = |shape: &str, begin, end| {
        refusal(&forged(&format!("{{{}}}", tensor("x", shape, begin, end)), 8))
    };
    let overflow = "overflow computing buffer size from shape and/or element type";
    assert_eq!(said(&format!("[{},2]", u64::MAX), 0, 8), format!("{NO_FILE}: {overflow}"));
    assert_eq!(said("[1000000000000]", 0, 4_000_000_000_000), TRUNCATED);
    assert_eq!(said("[2]", 4, 12), format!("{NO_FILE}: invalid offset for tensor `x`"));
    assert!(said("[-1]", 0, 8).starts_with(&format!("{NO_FILE}: invalid JSON in header:")));
    for (length, expected) in
        [(u64::MAX, ": header too large"), (3, ", or no more than its beginning")]
    {
        let bytes = [&length.to_le_bytes()[..], b"{}"].concat();
        assert_eq!(refusal(&bytes), format!("{NO_FILE}{expected}"));
    }
}

#[test]
fn what_a_file_says_fits_into_a_line() {
    let dtype = tensor("x", "[1]", 0, 4).replace("F32", &format!(r"\n{}", "é".repeat(1000)));
    let said = refusal(&forged(&format!("{{{dtype}}}"), 4));
    assert!(said.starts_with(&format!("{NO_FILE}: invalid JSON in header: unknown variant")));
}

/// Whether each of these changes of a good file is refused.
fn refused(changes: impl Fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    save_foreign(&path, &mut Small::new(0), &table());
    let good = fs::read(&path).unwrap();
    let refuses = |bytes: Vec<u8>| {
        fs::remove_file(&path).unwrap(); // a new file is faster than a new content
        fs::write(&path, bytes).unwrap();
        let error = load_foreign(&path, &mut Small::new(0), &table()).err();
        error.is_some_and(|error| {
            assert!(!error.to_string().contains(char::is_control), "{error}");
            true
        })
    };
    assert!(!refuses(good.clone()));
    changes(&good).into_iter().map(refuses).collect()
}

#[test]
fn every_truncation_is_refused() {
    let cut = |good: &[u8]| (0..good.len()).map(|length| good[..length].to_vec()).collect();
    assert!(refused(cut).into_iter().all(|refused| refused));
}

#[test]
fn no_flipped_bit_makes_it_panic() {
    refused(|good| {
        let flip = |bit: usize| {
            let mut bytes = good.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        (0..8 * good.len()).map(flip).collect()
    });
}
