//! What a reader may write wrong: files that are no text, beginnings, temperatures, models of others.

use crate::line::{arguments, told};
use language_model::program::{Source, Spelling, Words, load, save, train, write};
use language_model::{Config, Gpt};
use shared::rng;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use workbench::error::Result;
use workbench::files::holds_own_model;

fn saved(folder: &TempDir, words: Words) -> String {
    let config = Config { width: 8, feed_forward: 9, longest: 20, ..Config::today(words.count()) };
    save(folder.path(), &mut Gpt::new(&config, &mut rng(0)), words).unwrap();
    folder.path().to_str().unwrap().to_owned()
}

fn write_with(model: &str, line: &[&str]) -> String {
    let arguments = match arguments(&[line, &["--model", model, "--length", "3"]].concat()) {
        Ok(arguments) => arguments,
        Err(error) => return error.to_string().lines().next().unwrap().to_owned(),
    };
    write(&arguments).map_or_else(|error| error.to_string(), |()| "written".to_owned())
}

#[test]
fn what_cannot_be_written_is_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let model = saved(&folder, Words::World);
    let temperature = "a number from 0 to 1000 is needed";
    let top_p = "a number above 0 and at most 1 is needed";
    let cases: [(&[&str], &str); 14] = [
        (&["anna went to the"], "written"),
        (&[""], "written"), // the beginning of a text of the world
        (&["Anna went to the hall. Where is Anna?"], "written"),
        (
            &[
                "anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna anna",
            ],
            "written",
        ),
        (&["anna", "--temperature", "0"], "written"),
        (&["anna", "--top-p", "1", "--top-k", "99"], "written"),
        (&["bob went"], "'bob': the model knows no such word; it knows . ?"),
        (&["<begin>"], "'<begin>': the model knows no such word"),
        (&["anna", "--temperature=-1"], &format!("--temperature -1: {temperature}")),
        (&["anna", "--temperature", "NaN"], &format!("--temperature NaN: {temperature}")),
        (&["anna", "--temperature", "inf"], &format!("--temperature inf: {temperature}")),
        (&["anna", "--top-p", "0"], &format!("--top-p 0: {top_p}")),
        (&["anna", "--top-p", "1.5"], &format!("--top-p 1.5: {top_p}")),
        (&["anna", "--top-p", "nan"], &format!("--top-p NaN: {top_p}")),
    ];
    for (line, expected) in cases {
        let found = write_with(&model, line);
        assert!(found.starts_with(expected), "{line:?}: {found}");
    }
    let bytes = tempfile::tempdir().unwrap();
    let model = saved(&bytes, Words::Bytes);
    assert_eq!(write_with(&model, &[""]), "an empty beginning: at least a letter is needed");
    assert_eq!(write_with(&model, &["Über 漢字"]), "written"); // letters that it has never seen are bytes that it has
}

#[test]
fn models_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |folder: &TempDir| told(folder, load(folder.path()).unwrap_err());
    assert!(load(folder.path()).unwrap_err().to_string().contains("this trains one"));
    saved(&folder, Words::World);
    load(folder.path()).unwrap();
    assert!(holds_own_model(folder.path(), &["captioning"]).is_err());
    let other = workbench::parameters::save_parameters;
    let mut linear = shared::Linear::new(2, 2, &mut rng(0));
    other(&folder.path().join("model.safetensors"), &mut linear, &"captioning").unwrap();
    assert_eq!(
        refused(&folder),
        "model.safetensors: a model of another chapter, or of sizes that this one has not"
    );
}

fn opened(folder: &TempDir, bytes: &[u8]) -> Result<Source> {
    let path = folder.path().join("text.txt");
    fs::write(&path, bytes).unwrap();
    Source::open(Some(&path), 4)
}

#[test]
fn files_that_are_no_text_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "one line after another\n".repeat(20_000); // longer than what is looked at together
    let with = |end: &[u8]| [text.as_bytes(), end].concat();
    let cases: [(&[u8], &str); 6] = [
        (b"", "text.txt: a text of 0 bytes; at least 80 are needed"),
        (b"short", "text.txt: a text of 5 bytes; at least 80 are needed"),
        (&[0; 200], "text.txt:1: has a byte of zero: it is no text"),
        (&with(b"a\xff"), "text.txt:20001: is not text in UTF-8"),
        (&with("ü".as_bytes().split_at(1).0), "text.txt:20001: is not text in UTF-8"),
        (&with(b"\nb\0"), "text.txt:20002: has a byte of zero: it is no text"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(told(&folder, opened(&folder, bytes).unwrap_err()), expected);
    }
    assert!(Source::open(Some(Path::new("/nowhere/text")), 4).is_err());
    assert!(Source::open(Some(folder.path()), 4).is_err());
}

/// Characters of several bytes may lie across what is looked at together; a window is what stands in the file.
#[test]
fn any_text_is_read_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("x{}", "漢字 und é\n".repeat(9_000));
    let source = opened(&folder, text.as_bytes()).unwrap();
    let Source::File(corpus) = &source else { panic!("a file") };
    assert_eq!(corpus.length as usize, text.len());
    for place in [0, 65_534, 65_536, text.len() - 9] {
        let found: Vec<u8> = corpus.read(place as u64, 9).iter().map(|byte| *byte as u8).collect();
        assert_eq!(found, text.as_bytes()[place..place + 9]);
    }
    let held = source.held_out(5, 4);
    assert_eq!((held.len(), held[0].len()), (5, 5));
    let words: Vec<usize> = text.bytes().map(usize::from).collect();
    assert_eq!(held[4], words[text.len() - 5..]);
    for seed in 0..200 {
        let window = source.draw(4, &mut rng(seed));
        assert_eq!(window.len(), 5);
    }
}

/// A letter is shown when its last byte is there, and what is no letter does not stop what follows.
#[test]
fn letters_of_several_bytes_are_spelt_whole() {
    let mut spelling = Spelling::new(Words::Bytes);
    let spelt: Vec<String> = "a漢é".bytes().map(|byte| spelling.add(byte.into())).collect();
    assert_eq!(spelt, ["a", "", "", "漢", "", "é"]);
    assert_eq!(Words::Bytes.decode(&[0xe6, 0x61, 0x62, 0xc3]), "\u{fffd}ab\u{fffd}");
    let words = Words::World.encode("Where is Anna? anna is in the hall. nina").unwrap();
    assert_eq!(Words::World.decode(&words), "where is anna? anna is in the hall. nina");
}

#[test]
fn one_letter_again_and_again_is_a_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "a".repeat(1000)).unwrap();
    let out = folder.path().join("out");
    let [out, path] = [&out, &path].map(|path| path.to_str().unwrap());
    let small = ["--width", "8", "--length", "8", "--blocks", "1", "--epochs", "1"];
    let line = [&["--corpus", path, "--out", out][..], &small].concat();
    train(&arguments(&line).unwrap()).unwrap();
    let (model, words) = load(&folder.path().join("out/model")).unwrap();
    assert!(model.config.longest == 8 && matches!(words, Words::Bytes));
}

#[test]
fn sizes_that_do_not_fit_together_are_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&["--heads", "3"], "--heads 3: they do not divide a width of 128"),
        (&["--groups", "3"], "--groups 3: they do not divide 4 heads"),
        (
            &["--width", "12", "--heads", "4"],
            "--heads 4: heads of 3 rows, but a rotation turns pairs of them",
        ),
        (&["--dropout", "1"], "--dropout 1: it must be at least 0 and below 1"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (line, expected) in cases {
        let line = [line, &["--out", out.to_str().unwrap()]].concat();
        assert_eq!(train(&arguments(&line).unwrap()).unwrap_err().to_string(), expected);
    }
}
