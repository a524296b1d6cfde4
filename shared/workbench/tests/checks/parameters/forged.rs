//! Files that somebody cut, damaged or forged: told in one line, whatever they hold.

use super::foreign::{Small, table};
use std::fs;
use workbench::parameters::{ParameterFile, load_foreign, save_foreign};

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
const TRUNCATED: &str = "FILE: the file is truncated, or something stands behind its end";

#[test]
fn a_header_that_announces_absurd_sizes_is_refused() {
    let said = |shape: &str, begin, end| {
        refusal(&forged(&format!("{{{}}}", tensor("x", shape, begin, end)), 8))
    };
    let overflow = "overflow computing buffer size from shape and/or element type";
    let huge = u64::MAX;
    assert_eq!(said(&format!("[{huge},2]"), 0, 8), format!("{NO_FILE}: {overflow}"));
    assert_eq!(said(&format!("[{}]", huge / 2), 0, 8), format!("{NO_FILE}: {overflow}"));
    assert_eq!(said(&format!("[{}]", huge / 64), 0, huge / 16), TRUNCATED);
    assert_eq!(said("[1000000000000]", 0, 4_000_000_000_000), TRUNCATED);
    let invalid = format!("{NO_FILE}: invalid shape, data type, or offset for tensor");
    assert_eq!(said("[1000000000000]", 0, 8), invalid);
    assert_eq!(said("[1]", 0, 8), invalid);
    assert_eq!(said("[1]", 4, 8), format!("{NO_FILE}: invalid offset for tensor `x`"));
    assert_eq!(said("[1]", 8, 4), format!("{NO_FILE}: invalid offset for tensor `x`"));
    assert_eq!(said("[2]", 4, 12), TRUNCATED);
    assert!(said("[-1]", 0, 8).starts_with(&format!("{NO_FILE}: invalid JSON in header:")));
    assert!(said("[1e9]", 0, 8).starts_with(&format!("{NO_FILE}: invalid JSON in header:")));

    let beginning = "FILE: this is no safetensors file, or no more than its beginning";
    for (length, expected) in [
        (u64::MAX, format!("{NO_FILE}: header too large")),
        (u64::MAX - 8, format!("{NO_FILE}: header too large")),
        (1 << 40, format!("{NO_FILE}: header too large")),
        (100_000_000, beginning.to_owned()),
        (3, beginning.to_owned()),
    ] {
        assert_eq!(refusal(&[&length.to_le_bytes()[..], b"{}"].concat()), expected);
    }
}

/// Lengths whose sum is 2⁶⁴ − 8 − the header's length: added up without care, they end where the
/// file does.
#[test]
fn lengths_whose_sum_overflows_are_refused() {
    let header = |last: u64| {
        let step = 1 << 60; // bytes; fifteen of them, and a last one
        let mut tensors: Vec<String> = (0..15)
            .map(|i| tensor(&format!("t{i}"), &format!("[{}]", step / 4), i * step, (i + 1) * step))
            .collect();
        let begin = 15 * step;
        let end = begin.wrapping_add(last);
        tensors.push(tensor("t15", &format!("[{}]", last / 4), begin, end));
        let text = format!("{{{}}}", tensors.join(","));
        format!("{text:<width$}", width = text.len().next_multiple_of(8))
    };
    let length = header((1 << 60) - 2000).len() as u64;
    let header = header((1 << 60) - 8 - length);
    assert_eq!(header.len() as u64, length);
    assert_eq!(refusal(&forged(&header, 0)), TRUNCATED);
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    let two = format!("{{{},{}}}", tensor("x", "[1]", 0, 4), tensor("x", "[1]", 0, 4));
    assert_eq!(refusal(&forged(&two, 4)), "FILE: tensor `x` is there twice");
    let next = format!("{{{},{}}}", tensor("x", "[1]", 0, 4), tensor("x", "[1]", 4, 8));
    assert_eq!(refusal(&forged(&next, 8)), "FILE: tensor `x` is there twice");
    let escaped = format!("{{{},{}}}", tensor("x", "[1]", 0, 4), tensor(r"\u0078", "[1]", 0, 4));
    assert_eq!(refusal(&forged(&escaped, 4)), "FILE: tensor `x` is there twice");
}

#[test]
fn what_a_file_says_fits_into_a_line() {
    let named = |name: &str| refusal(&forged(&format!("{{{}}}", tensor(name, "[1]", 0, 4)), 4));
    assert_eq!(named(r"a\nb"), "FILE: tensor `a b` has a name that does not fit a line");
    assert_eq!(named(r"\u001b[2J"), "FILE: tensor ` [2J` has a name that does not fit a line");
    let long = format!("FILE: tensor `{}…` has a name that does not fit a line", "é".repeat(40));
    assert_eq!(named(&"é".repeat(1_000_000)), long);
    let dtype = tensor("x", "[1]", 0, 4).replace("F32", &format!(r"\n{}", "é".repeat(1000)));
    let said = refusal(&forged(&format!("{{{dtype}}}"), 4));
    assert!(said.starts_with(&format!("{NO_FILE}: invalid JSON in header: unknown variant")));
}

/// Whether each of these changes of a good file is refused.
fn refused(changes: impl Fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    save_foreign(&path, &mut Small::new(0), &table()).unwrap();
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
