//! Pieces: against golden values of transformers, against the library on whole texts, through files.

use corpora::WordPiece;
use corpora::word_piece::{Settings, Special};
use proptest::prelude::*;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/word_piece")
}

fn uncased() -> WordPiece {
    WordPiece::read(&golden()).unwrap()
}

fn cased() -> WordPiece {
    let pieces = uncased();
    let pieces = (0..pieces.len()).map(|i| pieces.piece(i).to_owned()).collect();
    WordPiece::new(pieces, Settings { lowercase: false, ..Settings::default() }).unwrap()
}

/// Accents, Chinese, emoji, long words, control characters, special pieces in the text.
#[test]
fn pieces_are_those_of_transformers() {
    let cases = fs::read_to_string(golden().join("cases.json")).unwrap();
    let cases: serde_json::Value = serde_json::from_str(&cases).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() > 60);
    for (name, pieces) in [("uncased", uncased()), ("cased", cased())] {
        for case in cases {
            let text = case["text"].as_str().unwrap();
            assert_eq!(serde_json::to_value(pieces.cut(text)).unwrap(), case[name], "{text:?}");
            let again = pieces.cut(text); // out of what is remembered
            assert_eq!(serde_json::to_value(again).unwrap(), case[name], "{text:?}");
        }
    }
}

#[test]
fn pieces_are_joined_to_words() {
    let pieces = uncased();
    let cut = pieces.cut("The running \u{200b} [MASK] don't");
    let shown: Vec<&str> = cut.iter().map(|number| pieces.piece(*number)).collect();
    assert_eq!(shown, ["the", "run", "##ning", "[MASK]", "do", "##n", "'", "t"]);
    assert_eq!(pieces.join(&cut), "the running [MASK] don ' t");
    assert_eq!(pieces.join(&cut[2..]), "##ning [MASK] don ' t"); // nothing to continue
    assert_eq!(pieces.special(), Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 });
    assert_eq!((pieces.number("##ning"), pieces.number("walk")), (Some(cut[2]), None));
}

#[test]
fn files_are_read_back() {
    for pieces in [uncased(), cased(), learn("It rains. We stay in, and it rains on.", 40)] {
        let folder = tempfile::tempdir().unwrap();
        pieces.write(folder.path()).unwrap();
        assert_eq!(WordPiece::read(folder.path()).unwrap(), pieces);
        fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
        assert_eq!(WordPiece::read(folder.path()).unwrap(), pieces); // vocab.txt says the same
    }
    assert_ne!(uncased(), cased());
    assert_ne!(uncased().fingerprint(), cased().fingerprint());
    assert_eq!(uncased().fingerprint(), uncased().fingerprint());
}

/// The golden vocabulary, written and then read with a change in one of its files.
fn changed(name: &str, change: impl Fn(&str) -> String) -> Result<WordPiece, String> {
    let folder = tempfile::tempdir().unwrap();
    uncased().write(folder.path()).unwrap();
    if name == "vocab.txt" {
        fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    }
    let path = folder.path().join(name);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(&text)).unwrap();
    let prefix = format!("{}/", folder.path().display());
    WordPiece::read(folder.path()).map_err(|error| error.to_string().replace(&prefix, ""))
}

#[test]
fn what_is_wrong_with_a_vocabulary_is_told() {
    let (pieces, tokenizer, config) = ("vocab.txt", "tokenizer.json", "tokenizer_config.json");
    for (name, old, new, expected) in [
        (pieces, "[MASK]\n", "", "vocab.txt: the special piece [MASK] is missing"),
        (pieces, "b\n", "a\n", "vocab.txt:7: the piece `a` stands in line 6 already"),
        (pieces, "b\n", "\n", "vocab.txt:7: a piece is needed, the line is empty"),
        (
            tokenizer,
            "\"b\": 6",
            "\"b\": 5",
            "tokenizer.json: `b` has the number 5; 203 pieces have those below 203, each one",
        ),
        (
            tokenizer,
            "\"BertNormalizer\"",
            "\"Lowercase\"",
            "tokenizer.json: the normalizer is not BertNormalizer as in BERT",
        ),
        (
            tokenizer,
            "\"type\": \"BertProcessing\",\n    \"sep\": [\n      \"[SEP]\",\n      3",
            "\"type\": \"BertProcessing\",\n    \"sep\": [\n      \"[PAD]\",\n      0",
            "tokenizer.json: the post_processor does not put a text between [CLS] and [SEP] as in BERT",
        ),
        (
            config,
            "\"BertTokenizer\"",
            "\"BertJapaneseTokenizer\"",
            "tokenizer_config.json: `tokenizer_class` is \"BertJapaneseTokenizer\", \"BertTokenizer\" \
             is needed",
        ),
        (
            config,
            "\"[MASK]\"",
            "\"<mask>\"",
            "tokenizer_config.json: `mask_token` is \"<mask>\", not \"[MASK]\" as in BERT",
        ),
        (config, "true", "1", "tokenizer_config.json: `do_lower_case` is not true or false"),
    ] {
        let read = changed(name, |text| {
            assert!(text.contains(old), "{old}");
            text.replacen(old, new, 1)
        });
        assert_eq!(read.unwrap_err(), expected);
    }
    let cut_off = changed(tokenizer, |text| text[..200].to_owned()).unwrap_err();
    assert!(cut_off.starts_with("tokenizer.json: is no tokenizer: EOF"), "{cut_off}");
    let folder = tempfile::tempdir().unwrap();
    let told = WordPiece::read(folder.path()).unwrap_err().to_string();
    assert!(told.ends_with("has neither tokenizer.json nor vocab.txt"), "{told}");
}

/// What others may add, named by either file of JSON; and what older versions leave in a folder.
#[test]
fn added_tokens_are_found() {
    let text = "the [SUBJ] runs, e1New  Yorke1 [X]";
    let folder = tempfile::tempdir().unwrap();
    uncased().write(folder.path()).unwrap();
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let with = |names: &[(&str, &str)], more: serde_json::Value| {
        let tokens = names.iter().map(|(number, name)| {
            let mut token = json!({"content": name, "special": true, "normalized": false,
                "single_word": false, "lstrip": false, "rstrip": false});
            token.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            (number.to_string(), token)
        });
        let tokens: serde_json::Map<_, _> = tokens.collect();
        let config = json!({"added_tokens_decoder": tokens}).to_string();
        fs::write(folder.path().join("tokenizer_config.json"), config).unwrap();
        let prefix = format!("{}/", folder.path().display());
        WordPiece::read(folder.path()).map_err(|error| error.to_string().replace(&prefix, ""))
    };
    let names = [("203", "[SUBJ]"), ("204", "New  York"), ("205", "[X]"), ("206", "e1")];
    let pieces = with(&names, json!({})).unwrap();
    assert_eq!(list(&pieces)[203..], ["[SUBJ]", "New  York", "[X]", "e1"]);
    let cut = pieces.cut(text);
    assert_eq!(pieces.join(&cut), "the [SUBJ] runs , e1 New  York e1 [X]");
    assert_eq!((pieces.number("e1"), pieces.len()), (Some(206), 207));
    assert_ne!(pieces.fingerprint(), uncased().fingerprint());

    let again = tempfile::tempdir().unwrap(); // written and read back, by each of two files
    pieces.write(again.path()).unwrap();
    for _ in 0..2 {
        let read = WordPiece::read(again.path()).unwrap();
        assert!(read == pieces && read.cut(text) == cut);
        let _ = fs::remove_file(again.path().join("tokenizer.json")); // vocab.txt comes next
    }
    let whole = json!({"normalized": true, "single_word": true, "special": false});
    let pieces = with(&[("203", "RUNS")], whole).unwrap();
    assert_eq!(pieces.cut("Runs overruns").first(), Some(&203));
    let gap = "tokenizer_config.json: `[SUBJ]` is added with the number 300, where 203 is due";
    assert_eq!(with(&[("300", "[SUBJ]")], json!({})).unwrap_err(), gap);
    fs::remove_file(folder.path().join("tokenizer_config.json")).unwrap();
    fs::write(folder.path().join("added_tokens.json"), "{}").unwrap();
    let told = WordPiece::read(folder.path()).unwrap_err().to_string();
    assert!(told.ends_with("are read from tokenizer.json, which is missing"), "{told}");
}

/// A link that leads nowhere is no file that is not there, and a page that names a file is not it.
#[cfg(unix)]
#[test]
fn what_stands_in_a_files_place_is_told() {
    let said = |name: &str, change: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        uncased().write(folder.path()).unwrap();
        let path = folder.path().join(name);
        let _ = fs::remove_file(&path);
        change(&path);
        let told = WordPiece::read(folder.path()).unwrap_err().to_string();
        told.replace(&format!("{}/", folder.path().display()), "")
    };
    for name in ["tokenizer.json", "tokenizer_config.json"] {
        let dangling = said(name, &|path| std::os::unix::fs::symlink("nowhere", path).unwrap());
        assert_eq!(dangling, format!("{name}: is a link that leads nowhere"));
    }
    let page = said("tokenizer.json", &|path| fs::write(path, "\n<!DOCTYPE html><html>").unwrap());
    let told = "tokenizer.json: is a page of HTML, not the file itself: download that again";
    assert_eq!(page, told);
    let pointer = said("tokenizer.json", &|path| {
        fs::write(path, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n").unwrap();
    });
    assert!(pointer.contains("is a pointer of Git LFS"), "{pointer}");
}

/// The configuration counts more than the tokenizer; a vocabulary that comes alone is uncased.
#[test]
fn settings_come_from_the_configuration() {
    let read = changed("tokenizer_config.json", |text| {
        text.replace("\"do_lower_case\": true", "\"do_lower_case\": false")
    });
    assert_eq!(read.unwrap(), cased());
    assert_eq!(changed("tokenizer_config.json", |_| "{}".to_owned()).unwrap(), uncased());
    assert_eq!(uncased().settings(), Settings::default());

    // `null` counts, and with the class that is whatever `tokenizer.json` says, nothing does.
    let folder = tempfile::tempdir().unwrap();
    uncased().write(folder.path()).unwrap();
    let path = folder.path().join("tokenizer.json");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("\"strip_accents\": null", "\"strip_accents\": false");
    fs::write(&path, text).unwrap();
    let with = |config: serde_json::Value| {
        fs::write(folder.path().join("tokenizer_config.json"), config.to_string()).unwrap();
        let Settings { lowercase, strip_accents, .. } =
            WordPiece::read(folder.path()).unwrap().settings();
        (lowercase, strip_accents)
    };
    assert_eq!(with(json!({})), (true, Some(false)));
    assert_eq!(with(json!({"strip_accents": null, "do_lower_case": false})), (false, None));
    let class = "PreTrainedTokenizerFast";
    let ignored = json!({"tokenizer_class": class, "strip_accents": null, "do_lower_case": false});
    assert_eq!(with(ignored), (true, Some(false)));
}

fn learn(text: &str, size: usize) -> WordPiece {
    WordPiece::learn(text.lines().map(String::from), size).unwrap()
}

fn list(pieces: &WordPiece) -> Vec<&str> {
    (0..pieces.len()).map(|number| pieces.piece(number)).collect()
}

/// The dictionary of Sennrich et al. 2016, algorithm 1, whose merges are known: es, est, lo, low …
#[test]
fn merges_are_those_of_the_papers_example() {
    let words = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)];
    let text: Vec<String> = words.iter().map(|(word, n)| format!("{word} ").repeat(*n)).collect();
    let pieces = WordPiece::learn(text.into_iter(), 5 + 10 + 8 + 4).unwrap();
    let single =
        "[PAD] [UNK] [CLS] [SEP] [MASK] d e i l n o r s t w ##d ##e ##i ##o ##r ##s ##t ##w";
    let merged = "##es ##est lo low"; // 9, 9, 7, 7 times; of the last two, l ##o is older than ##o ##w
    assert_eq!(list(&pieces).join(" "), format!("{single} {merged}"));
}

#[test]
fn sizes_are_kept_or_refused() {
    let refused =
        |text: &str, size| WordPiece::learn([text.to_owned()].into_iter(), size).unwrap_err();
    assert_eq!(
        refused("abc abd", 11),
        "11 pieces are too few for 5 special pieces and the texts' 7 of one character"
    );
    assert_eq!(learn("abc abd", 12).len(), 12);
    assert_eq!(list(&learn("abc abd", 99))[12..], ["ab"]); // nothing else occurs twice
    for empty in ["", " \t", "\u{200b}", &"x".repeat(101)] {
        assert_eq!(refused(empty, 50), "there are no words to learn pieces from");
    }
    assert!(WordPiece::learn(std::iter::empty(), 50).is_err());
}

/// Also when rare words are forgotten and rare characters left out, as in a text of 1,200 different
/// characters.
#[test]
fn pieces_are_the_same_on_any_number_of_threads() {
    let rare: String = ('\u{1000}'..'\u{14b0}').map(|c| format!("{c} ")).collect();
    let texts = |i: u32| format!("The {i}th cat, the cats' {} catalogue №{}", i % 7, i % 100);
    let texts = || (0..3000).map(texts).chain([rare.clone()]);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| WordPiece::learn(texts(), 1500).unwrap())
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(list(&one), list(&three));
    let backwards: Vec<String> = texts().collect();
    assert_eq!(WordPiece::learn(backwards.into_iter().rev(), 1500).unwrap(), one);
    let single = list(&one).iter().filter(|piece| piece.chars().count() == 1).count();
    assert_eq!(single, 1000);
    assert!(one.number("cat").is_some() && one.cut("cats catalogue").len() == 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Words are cut one by one and remembered: that must not show.
    #[test]
    fn a_text_is_cut_as_the_library_cuts_it_whole(
        text in "([a-zA-Zé東. \u{300}\u{a0}\u{200b}\u{85}\u{b}\t\n]|[ -~\u{1}\u{7f}]{1,6}|\\[MASK\\]|\\PC){0,30}",
    ) {
        thread_local! {
            static PIECES: (WordPiece, tokenizers::Tokenizer) = {
                let folder = tempfile::tempdir().unwrap();
                uncased().write(folder.path()).unwrap();
                let library = tokenizers::Tokenizer::from_file(folder.path().join("tokenizer.json"));
                (uncased(), library.unwrap())
            };
        }
        PIECES.with(|(pieces, library)| {
            let whole = library.encode_fast(text.as_str(), false).unwrap();
            let whole: Vec<usize> = whole.get_ids().iter().map(|id| *id as usize).collect();
            prop_assert_eq!(pieces.cut(&text), whole);
            Ok(())
        })?;
    }
}
