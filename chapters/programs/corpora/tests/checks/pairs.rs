//! Pairs of sentences from files: what is read, and what is said of the rest.

use corpora::{Pair, Pairs, Reading, read_pairs};
use std::path::PathBuf;

/// A folder with the files `a` and `b`, gone when dropped.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &[u8])]) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        Folder(folder)
    }

    /// The result as `source = target` lines, or the message, with paths cut to names.
    fn read(&self, names: &[&str], max_words: usize) -> Result<Pairs, String> {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.0.path().join(name)).collect();
        let folder = format!("{}/", self.0.path().display());
        read_pairs(&paths, Reading::new(max_words))
            .map_err(|error| error.to_string().replace(&folder, ""))
    }
}

fn lines(pairs: &[Pair]) -> Vec<String> {
    pairs
        .iter()
        .map(|pair| format!("{} = {}", pair.source.join(" "), pair.target.join(" ")))
        .collect()
}

#[test]
fn what_tatoeba_and_spreadsheets_write_is_read() {
    let text = "\u{feff}Go.\tVa\u{202f}!\tCC-BY\r\n\r\n \t\t\r\nGO .\tva !\t\r\nGo.\tMarche.\t\r\none two three\tun\t\r\nun\tone two three\t\r\nHi.\tSalut.\tCC-BY";
    let folder = Folder::with(&[("a", text.as_bytes())]);
    let read = folder.read(&["a"], 2).unwrap();
    assert_eq!(lines(&read.pairs), ["go . = va !", "go . = marche .", "hi . = salut ."]);
    assert_eq!((read.empty_lines, read.duplicates, read.long), (2, 1, 2));
    assert_eq!(
        read.notice().unwrap(),
        "columns 1 and 2 of 3 are sentence and translation (--columns says others); left out: 2 empty lines, \
         1 pair that came before, 2 pairs of more than 2 words"
    );
    assert!(read.pairs.iter().all(|pair| pair.alignment.is_none()));
    let written = read.pairs.iter().map(|pair| pair.written.as_deref().unwrap());
    assert!(written.eq(["Va\u{202f}!", "Marche.", "Salut."]));
}

#[test]
fn wide_characters_are_read_by_their_mark() {
    let wide: Vec<u8> =
        "\u{feff}a\tb\r\nc\tß\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let read = Folder::with(&[("a", &wide)]).read(&["a"], 2).unwrap();
    assert_eq!(lines(&read.pairs), ["a = b", "c = ß"]);
}

#[test]
fn two_files_are_read_side_by_side() {
    let folder = Folder::with(&[
        ("a", "\u{feff}Go.\r\n\r\nHi.\r\nGo.\n\n\n".as_bytes()),
        ("b", "\u{feff}Va\u{a0}!\n\u{202f}\nSalut.\nVa !".as_bytes()),
    ]);
    let read = folder.read(&["a", "b"], 9).unwrap();
    assert_eq!(lines(&read.pairs), ["go . = va !", "hi . = salut ."]);
    assert_eq!((read.empty_lines, read.duplicates, read.long), (1, 1, 0));
    assert_eq!(folder.read(&["b", "a"], 9).unwrap().pairs.len(), 2);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let long = [b"a\tb\n".as_slice(), &vec![b'x'; (1 << 20) + 1], b"\ty"].concat();
    let cases: [(&[u8], &str); 16] = [
        (b"", "a: the file is empty"),
        (b"\r\n \n", "a: no pair can be used; left out: 2 empty lines"),
        (b"a b c\td\n", "a: no pair can be used; left out: 1 pair of more than 2 words"),
        (b"a\tb\n\nc\n", "a:3: one column; a sentence, a tab and its translation are needed: `c`"),
        (b"\na\tb\tby\nc\tby\n", "a:3: 2 columns, but line 2 has 3: `c by`"),
        (b"a\tb\nc\td\te\n", "a:2: 3 columns, but line 1 has 2: `c d e`"),
        (b"a\t \tx", "a:1: no words of a translation after the tab: `a   x`"),
        (b"a\t", "a:1: no words of a translation after the tab: `a `"),
        (b"a\tb\n\tc", "a:2: no words before the tab: ` c`"),
        (b"a\tb\r\n\xff\tb", "a:2: this is not valid UTF-8 text"),
        (b"a\tb\n\xe2\x80", "a:2: this is not valid UTF-8 text"),
        (b"a\tb\n\0", "a:2: a zero byte: this is not a text file in UTF-8"),
        (
            b"http://a\thttp://b\ta\tb\t1\n",
            "a:1: 5 columns: say which are sentence and translation (--columns 3,4?)",
        ),
        (
            b"1\ta\n2\tb\n",
            "a: column 1 has a number in every line: say which columns are sentence and translation (--columns 1,2?)",
        ),
        (b"a\tb\rc\td\r", "a:1: a carriage return inside the line: lines must end in LF or CRLF"),
        (&long, "a:2: the line is longer than 1048576 bytes"),
    ];
    for (bytes, message) in cases {
        assert_eq!(Folder::with(&[("a", bytes)]).read(&["a"], 2).unwrap_err(), message);
    }
}

#[test]
fn two_files_that_do_not_fit_are_told() {
    let cases: [(&[u8], &[u8], &str); 5] = [
        (b"a\nb\n", b"a\n\n", "b:2: an empty line, but the same line of a has words"),
        (b"a\n\nc", b"a\nb\nc", "a:2: an empty line, but the same line of b has words"),
        (
            b"a\nb\n\nc\n",
            b"a\nb\n",
            "a:4: no line of b belongs to this one: that file has 2 lines, this one 4",
        ),
        (b"", b"a\n", "b:1: no line of a belongs to this one: that file has 0 lines, this one 1"),
        (b"\n", b"\n", "a: no pair can be used; left out: 1 empty line"),
    ];
    for (a, b, message) in cases {
        let folder = Folder::with(&[("a", a), ("b", b)]);
        assert_eq!(folder.read(&["a", "b"], 2).unwrap_err(), message);
    }
}

#[test]
fn one_file_or_two_are_read() {
    let error = read_pairs(&["a", "b", "c"].map(PathBuf::from), Reading::new(9)).unwrap_err();
    let three = "--data takes one file of tab-separated pairs or two files, not 3";
    assert_eq!(error.to_string(), three);
}
