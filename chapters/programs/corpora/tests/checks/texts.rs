//! Plain text: layouts, sentences, what is refused, and how much is held.

use corpora::texts::{Document, Layout, MAX_DOCUMENT, MAX_SENTENCE, Texts, split_sentences};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn read(path: &Path) -> Result<Vec<Document>, String> {
    let texts = Texts::open(path).map_err(|error| error.to_string())?;
    let documents: workbench::error::Result<_> = texts.documents().collect();
    documents.map_err(|error| error.to_string())
}

/// The documents of a file of such bytes; in an error, `FILE` stands for its name.
fn of(bytes: impl AsRef<[u8]>) -> Result<Vec<Vec<String>>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, bytes).unwrap();
    let documents = read(&path).map_err(|e| e.replace(&path.display().to_string(), "FILE"))?;
    Ok(documents.into_iter().map(|document| document.sentences).collect())
}

#[test]
fn what_separates_documents_is_seen_from_the_file() {
    for (text, documents) in [
        ("A dog. Cats do.\nE.\n", vec![vec!["A dog.", "Cats do."], vec!["E."]]), // a line each
        ("\n\nA dog.\nC.\n\n", vec![vec!["A dog.", "C."]]), // blank lines, but not between: one text
        (
            "One.\nTwo.\nThree.\nFour.\nFive.",
            vec![vec!["One.", "Two."], vec!["Three.", "Four."], vec!["Five."]],
        ),
        (
            "It was a\nlong day. We\nwent home and\nslept.\n\nA dog.\n",
            vec![vec!["It was a long day.", "We went home and slept."], vec!["A dog."]],
        ),
        ("A dog.\nC.\n \n\nD.", vec![vec!["A dog.", "C."], vec!["D."]]),
        ("\u{feff}A dog.\r\nC.\r\n\r\nD.\r\n", vec![vec!["A dog.", "C."], vec!["D."]]),
        (
            " \n = A B = \n \n One . Two . \n \n = = C = = \n \n Three . \n \n = D = \n \n Four . \n",
            vec![vec!["One .", "Two .", "Three ."], vec!["Four ."]],
        ),
        ("= A =\nOne.\n== B ==\nTwo.\n= C =\n= D =\nX.", vec![vec!["One.", "Two."], vec!["X."]]),
        (
            "One.\n\na = b\n\n= =\n\n==A==\n",
            vec![vec!["One."], vec!["a = b"], vec!["= ="], vec!["==A=="]],
        ),
        ("== B ==\n\nTwo.", vec![vec!["== B =="], vec!["Two."]]), // no heading of level one
    ] {
        assert_eq!(of(text).unwrap(), documents, "{text:?}");
    }
}

/// The same lines by the three layouts.
#[test]
fn a_layout_can_be_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "= A =\nOne.\nTwo.\n\nThree.\n").unwrap();
    let counts = |layout| {
        let texts = Texts::open(&path).unwrap().laid_out(layout);
        let documents: Vec<Document> = texts.documents().map(Result::unwrap).collect();
        (documents.len(), texts.layouts())
    };
    let told = |count, name: &str| (count, name.to_owned());
    assert_eq!(counts(None), told(1, "wikitext (headings begin documents)"));
    assert_eq!(counts(Some(Layout::Lines)), told(4, "lines (every line is a document)"));
    let paragraphs = told(2, "paragraphs (empty lines separate documents)");
    assert_eq!(counts(Some(Layout::Paragraphs)), paragraphs);
    assert_eq!(
        of("One.\rTwo.\r").unwrap_err(),
        "FILE: lines end in carriage returns alone: they must end in LF or CRLF"
    );
}

#[test]
fn sentences_end_where_they_end() {
    for (text, sentences) in [
        ("It rains. We stay.", vec!["It rains.", "We stay."]),
        ("Is it? Yes! Well… No", vec!["Is it?", "Yes!", "Well…", "No"]),
        ("So... what?! Nothing.", vec!["So... what?!", "Nothing."]),
        ("He said \"No.\" Then he left.", vec!["He said \"No.\"", "Then he left."]),
        ("(He left.) “Why?” she asked.", vec!["(He left.)", "“Why?” she asked."]),
        (
            "It rains. «Viens\u{202f}!\u{a0}» dit-elle.",
            vec!["It rains.", "«Viens\u{202f}!\u{a0}» dit-elle."],
        ),
        (
            "Quoi\u{202f}? Non. 10\u{202f}000 euros.",
            vec!["Quoi\u{202f}?", "Non.", "10\u{202f}000 euros."],
        ),
        ("Mr. and Mrs. Day met Dr. Fox.", vec!["Mr. and Mrs. Day met Dr. Fox."]),
        (
            "J. R. R. Tolkien wrote. So did I. We read.",
            vec!["J. R. R. Tolkien wrote.", "So did I.", "We read."],
        ),
        ("The U.S. Army, e.g. Bill. End.", vec!["The U.S. Army, e.g. Bill.", "End."]),
        (
            "See no. 5 on p. 12. No. Never say no. 5 is odd.",
            vec!["See no. 5 on p. 12.", "No.", "Never say no. 5 is odd."],
        ),
        ("It cost 3.50. 2 came.", vec!["It cost 3.50.", "2 came."]),
        ("The end. of it", vec!["The end. of it"]),
        ("Tokens are apart . The next one . ", vec!["Tokens are apart .", "The next one ."]),
        ("今天下雨。我们在家！好", vec!["今天下雨。", "我们在家！", "好"]),
        ("वह आया। वह गया॥ बस", vec!["वह आया।", "वह गया॥", "बस"]),
        ("هل جاء؟ نعم. یہ ہے۔ اور", vec!["هل جاء؟", "نعم.", "یہ ہے۔", "اور"]),
        (" \t ", vec![]),
        ("no。Mr. Day！）Dr. No", vec!["no。", "Mr. Day！）", "Dr. No"]), // no blank stands after a wide mark
        ("Well . . . A", vec!["Well . . .", "A"]),
    ] {
        assert_eq!(split_sentences(text, true), sentences, "{text:?}");
    }
    assert_eq!(
        split_sentences("it rains. mr. day stays , p.m. , in. so", false),
        ["it rains.", "mr. day stays , p.m. , in.", "so"]
    );
}

/// One capital anywhere in the file, and sentences need one.
#[test]
fn small_letters_begin_sentences_where_there_are_no_capitals() {
    assert_eq!(of("it rains. we stay.\nyes.\n").unwrap()[0], ["it rains.", "we stay."]);
    assert_eq!(of("it rains. we stay.\nYes.\n").unwrap()[0], ["it rains. we stay.", "Yes."]);
}

#[test]
fn what_is_no_text_is_refused_with_its_place() {
    for (bytes, told) in [
        (&b""[..], "FILE: is empty"),
        (b"\n \r\n", "FILE: holds no sentence"),
        (b"= A =\n", "FILE: holds no sentence"),
        (b"One.", "FILE: holds one sentence, two are needed"),
        (b"One.\nTw\0o.", "FILE:2: byte 7 of the file is zero: this looks like no text in UTF-8"),
        (b"\xff\xfeO\0", "FILE:1: byte 3 of the file is zero: this looks like no text in UTF-8"),
        (b"One.\nTwo\xe9.\n", "FILE:2: byte 8 of the file is no UTF-8"),
        (b"\xef\xbb\xbfOne.\n\xe2\x82", "FILE:2: byte 8 of the file is no UTF-8"),
    ] {
        assert_eq!(of(bytes).unwrap_err(), told);
    }
    let mut long = "é".repeat(70_000).into_bytes();
    long.push(0xc3);
    assert_eq!(of(long).unwrap_err(), "FILE:1: byte 140000 of the file is no UTF-8");
}

#[test]
fn a_folder_is_its_texts_in_the_order_of_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let told = read(folder.path()).unwrap_err();
    assert!(told.ends_with(": has no file *.txt or *.tokens below it"), "{told}");
    fs::create_dir_all(place("b/c")).unwrap();
    for (name, text) in [
        ("z.txt", "Last."),
        ("b/c/wiki.tokens", "Second."),
        ("a.TXT", "First."),
        ("b/read.md", "\0"),
    ] {
        fs::write(place(name), text).unwrap();
    }
    let documents = read(folder.path()).unwrap();
    let sentences: Vec<&str> = documents.iter().map(|d| d.sentences[0].as_str()).collect();
    assert_eq!(sentences, ["First.", "Second.", "Last."]);
    fs::write(place("b/c/wiki.tokens"), "Sec\0").unwrap();
    let texts = Texts::open(folder.path()).unwrap();
    let read: Vec<_> = texts.documents().collect();
    assert_eq!((read.len(), read[1].is_err()), (2, true)); // an error ends it
    let told = Texts::open(&place("nowhere")).unwrap_err().to_string();
    assert!(told.ends_with("nowhere: cannot be read: no such file or directory"), "{told}");
}

/// However long a line is, no sentence and no document is longer than its bound, and nothing is lost.
#[test]
fn long_lines_are_cut() {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for text in [
        "é".repeat(MAX_DOCUMENT),               // no blank at all
        "word and é ".repeat(MAX_DOCUMENT / 8), // no mark
        "It rains. ".repeat(MAX_DOCUMENT / 4),
        format!("{}End. Yes.", " ".repeat(200_000)),
    ] {
        let documents = of(&text).unwrap();
        let sentences = documents.concat();
        assert_eq!(letters(&sentences.concat()), letters(&text));
        assert!(sentences.iter().all(|s| !s.is_empty() && s.len() <= MAX_SENTENCE));
        assert!(documents.iter().all(|texts| texts.concat().len() < MAX_DOCUMENT + (128 << 10)));
        assert!(text.len() < MAX_DOCUMENT || documents.len() > 1);
    }
}

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        ". ", "! ", "?", "… ", "。", "\"", "»", " ", "\u{a0}", "é", "word", "Mr", "J", "U.S", "no",
        "5", "The", "(", "",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// A long line is read in fragments; its sentences are those of the whole line.
    #[test]
    fn fragments_do_not_show(texts in prop::collection::vec(text(), 1..20)) {
        let line = texts.concat().repeat(1 + 200_000 / (1 + texts.concat().len()));
        let line = format!("The first. {}", line.trim());
        let sentences = split_sentences(&line, true);
        prop_assume!(sentences.len() > 1 && sentences.iter().all(|s| s.len() < MAX_SENTENCE));
        prop_assert_eq!(of(&line).unwrap().concat(), sentences);
    }
}
