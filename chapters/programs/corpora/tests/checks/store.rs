//! The corpus as numbers: what is written is read, and what is none is refused.

use corpora::texts::Document;
use corpora::{Store, WordPiece};
use std::fs;
use std::path::Path;
use workbench::error::{Error, Result};

fn documents(texts: &[&[&str]]) -> Vec<Document> {
    let documents = texts.iter().map(|text| text.iter().map(|sentence| sentence.to_string()));
    documents.map(|sentences| Document { sentences: sentences.collect() }).collect()
}

fn example() -> Vec<Document> {
    documents(&[
        &["It rains.", "\u{200b}", "We stay in, and it rains."],
        &[],
        &["\t"],
        &["Cats stay."],
    ])
}

fn learn(documents: &[Document], size: usize) -> WordPiece {
    let sentences = documents.iter().flat_map(|document| document.sentences.clone());
    WordPiece::learn(sentences.collect::<Vec<_>>().into_iter(), size).unwrap()
}

fn write(path: &Path, documents: &[Document], pieces: &WordPiece) -> Result<u64> {
    let mut bytes = 0;
    Store::write(path, documents.iter().cloned().map(Ok), pieces, |more| bytes += more)?;
    Ok(bytes)
}

/// Everything a store says.
fn contents(store: &Store) -> Vec<Vec<Vec<u32>>> {
    (0..store.documents())
        .map(|d| store.sentences(d).map(|sentence| store.read(sentence)).collect())
        .collect()
}

/// A training does not go on with other texts, however alike.
#[test]
fn texts_that_differ_anywhere_have_another_fingerprint() {
    let texts: [&[&[&str]]; 4] = [
        &[&["It rains.", "We stay in."], &["Cats stay."]],
        &[&["It rains.", "We stay in."], &["Cats rain."]], // a word of the last sentence
        &[&["It rains."], &["We stay in.", "Cats stay."]], // the same words, other documents
        &[&["It rains. We stay in."], &["Cats stay."]],    // … and other sentences
    ];
    let pieces = learn(&documents(texts[0]), 40);
    let of = |text: &[&[&str]]| Store::in_memory(documents(text), &pieces).fingerprint().to_owned();
    let all = std::collections::BTreeSet::from(texts.map(of));
    assert_eq!(all.len(), texts.len());
    let other = Store::in_memory(documents(texts[0]), &learn(&example(), 40));
    assert_ne!(other.fingerprint(), of(texts[0]));
}

#[test]
fn what_is_written_is_read() {
    let (documents, folder) = (example(), tempfile::tempdir().unwrap());
    let (pieces, path) = (learn(&documents, 40), folder.path().join("texts"));
    let bytes = write(&path, &documents, &pieces).unwrap();
    assert_eq!(
        bytes,
        documents.iter().flat_map(|d| &d.sentences).map(|s| s.len() as u64).sum::<u64>()
    );
    let (disk, memory) = (Store::open(&path).unwrap(), Store::in_memory(documents, &pieces));
    assert_eq!(disk.fingerprint(), memory.fingerprint());
    let cut = |text: &str| pieces.cut(text).into_iter().map(|i| i as u32).collect::<Vec<_>>();
    let first = vec![cut("It rains."), cut("We stay in, and it rains.")];
    for store in [&disk, &memory] {
        assert_eq!(contents(store), [first.clone(), vec![cut("Cats stay.")]]); // the empty are left out
        assert_eq!((store.documents(), store.sentences(1)), (2, 2..3));
        assert_eq!(store.length(0), cut("It rains.").len());
    }
}

/// Beyond 2¹⁶ pieces a number takes four bytes.
#[test]
fn large_vocabularies_take_wider_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("texts");
    for (count, bytes) in [(65_536, 2), (65_537, 4)] {
        let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map(String::from).into_iter();
        let pieces = special.chain((5..count).map(|i| format!("w{i}"))).collect();
        let pieces = WordPiece::new(pieces, Default::default()).unwrap();
        let last = format!("w5 w{}", count - 1);
        write(&path, &documents(&[&[&last]]), &pieces).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(store.read(0), [5, count - 1]);
        assert_eq!(fs::metadata(&path).unwrap().len(), 64 + 2 * bytes + 8 + 4 + 16);
    }
}

#[test]
fn errors_leave_what_was_there() {
    let (documents, folder) = (example(), tempfile::tempdir().unwrap());
    let (pieces, path) = (learn(&documents, 40), folder.path().join("texts"));
    let told = write(&path, &[], &pieces).unwrap_err().to_string();
    assert!(told.ends_with("would be empty: the texts have no sentence"), "{told}");
    write(&path, &documents, &pieces).unwrap();
    let before = fs::read(&path).unwrap();
    let failing =
        documents.into_iter().map(Ok).chain([Err(Error::argument("the text is no text"))]);
    let told = Store::write(&path, failing, &pieces, |_| ()).unwrap_err().to_string();
    assert_eq!(told, "the text is no text");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1); // nothing half-written
}

/// Groups of several mebibytes, blocks that end within a sentence, several threads.
#[test]
fn the_order_is_kept_on_any_number_of_threads() {
    let sentence =
        |d: usize, s: usize| format!("Cat {d} rains {s} {}", "cats ".repeat((d * 7 + s) % 40));
    let documents: Vec<Document> = (0..12_000)
        .map(|d| Document { sentences: (0..d % 9).map(|s| sentence(d, s)).collect() })
        .collect();
    let (pieces, folder) = (learn(&documents[..100], 60), tempfile::tempdir().unwrap());
    let path = |threads: usize| folder.path().join(threads.to_string());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(&path(threads), &documents, &pieces)).unwrap();
    }
    assert_eq!(fs::read(path(1)).unwrap(), fs::read(path(3)).unwrap());
    let store = Store::open(&path(3)).unwrap();
    assert!(fs::metadata(path(3)).unwrap().len() > 2 << 20);
    let memory = Store::in_memory(documents.clone(), &pieces);
    assert_eq!(contents(&store), contents(&memory));
}

/// What is no store, or not all of one.
#[test]
fn what_is_no_store_is_told() {
    let (documents, folder) = (example(), tempfile::tempdir().unwrap());
    let path = folder.path().join("texts");
    write(&path, &documents, &learn(&documents, 40)).unwrap();
    let whole = fs::read(&path).unwrap();
    let huge = [&whole[..48], &u64::MAX.to_le_bytes(), &whole[56..]].concat(); // sentences
    let cut = "is damaged: it is not as long as it says";
    for (bytes, reason) in [
        (&b""[..], "cannot be read: failed to fill whole buffer"),
        (&[b'x'; 200], "is no store of texts, or one of another version"),
        (&whole[..whole.len() - 1], cut),
        (&huge, cut),
    ] {
        fs::write(&path, bytes).unwrap();
        let told = Store::open(&path).unwrap_err().to_string();
        assert_eq!(told, format!("{}: {reason}", path.display()));
    }
}
