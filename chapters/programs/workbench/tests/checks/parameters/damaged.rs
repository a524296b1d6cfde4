//! Files that were cut or damaged: refused in one line.

use super::foreign::{Small, load_foreign, save_foreign, table};
use std::fs;

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
