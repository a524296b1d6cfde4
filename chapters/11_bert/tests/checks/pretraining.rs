//! Pre-training from outside: from a text to a model, and what is refused.

use crate::place::Place;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Sizes that train in a moment.
const SMALL: &str = "--width 8 --feed-forward 8 --heads 2 --blocks 1 --longest 16";

/// Both steps of the chapter's own training, for a text as well.
const BOTH: [&str; 4] = ["--keys-as-queries", "4", "--nsp-first", "0.15"];

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Documents of two to ten sentences, most of them longer than a sequence, and a sentence that is.
fn documents() -> String {
    let tell = |i: usize| format!("The cat {} sees the dog {}. It runs home.", i % 7, i % 5);
    let documents = (0..60).map(|i| (i..=i + i % 5).map(tell).collect::<Vec<_>>().join(" "));
    let all = documents.collect::<Vec<_>>().join("\n\n");
    all + "\n\nThe " + &"cat sees the ".repeat(20) + "dog.\n"
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn with_text() -> Place {
    let place = Place::new();
    place.write("text.txt", documents());
    place
}

/// Each in one line that names the file, and nothing is left in the folder.
#[test]
fn texts_to_learn_nothing_from_are_refused() {
    let place = Place::new();
    let text = |text: &str| {
        place.write("text.txt", text);
        let reason = place.refused(&words("--corpus text.txt --vocabulary 60"));
        assert_eq!(files(&place.path("")), [place.path("text.txt")]);
        reason
    };
    assert_eq!(text(""), "text.txt: is empty");
    assert!(text("a cat sat. it ran.").starts_with("text.txt: has 1 document: at least 3"));
    // Held-out documents of letters that were never seen: no word of them can be masked and predicted.
    let seen: String = (0..19).map(|i| format!("cat {} sat. it fell.\n\n", i % 7)).collect();
    place.write("text.txt", format!("ω ω ω\n\n{seen}"));
    let unknown = place.refused(&words(&format!("--corpus text.txt --vocabulary 60 {SMALL}")));
    assert!(unknown.contains("no word that can be cut into known pieces"), "{unknown}");
}

/// Wrong arguments are refused before anything is written, also with `--count`.
#[test]
fn arguments_that_fit_nothing_are_refused() {
    let place = with_text();
    let refused = |line: &str, part: &str| {
        let reason = place.refused(&words(line));
        assert!(reason.contains(part), "{line}: {reason}");
    };
    refused("--width 10 --heads 4", "4 heads do not divide a width of 10");
    refused("--count --shards 3 --accumulate 2", "a power of two");
    for value in ["NaN", "0.5"] {
        let told = format!("--keys-as-queries {value}: it must be 0, or from 1 to 100");
        refused(&format!("--keys-as-queries={value} --count"), &told);
    }
    for value in ["NaN", "1"] {
        let told = format!("--nsp-first {value}: it must be at least 0 and below 1");
        refused(&format!("--nsp-first={value}"), &told);
    }
    assert!(!place.path("out").exists());
    refused("--corpus nowhere.txt", "nowhere.txt: ");
}

/// The files that are read, and the model that is asked, are never written over.
#[test]
fn nothing_that_is_read_is_written_over() {
    let (place, _) = Place::with_model();
    for name in ["results.json", "ladder.svg", "corpus.numbers"] {
        place.write(name, documents());
        let reason = place.refused(&[&["--corpus", name, "--out", "."], &BOTH[..]].concat());
        assert!(reason.contains(name) && reason.contains("written over"), "{reason}");
        assert_eq!(place.read(name), documents());
        std::fs::remove_file(place.path(name)).unwrap(); // or the next call would name it
    }
    let reason = place.refused(&words("view --checkpoint model a --output model/config.json"));
    let told = "is not known to be this program's and not written over: choose another place";
    assert_eq!(reason, format!("model/config.json: {told}"));
}

/// Training on a text leaves a model that can be asked, and all its files.
#[test]
fn a_text_becomes_a_model() {
    let place = with_text();
    let train = |out: &str| {
        let line = format!(
            "--corpus text.txt --vocabulary 60 --epochs 2 --batch 8 --seed 3 {SMALL} --out {out} \
             --checkpoint {out}/state"
        );
        place.printed(&[&words(&line), &BOTH[..]].concat())
    };
    let told = train("run");
    assert!(told.contains("unigram: knows how frequent each is"), "{told}");
    for name in ["ladder.svg", "model/vocab.txt"] {
        assert!(place.path("run").join(name).exists(), "{name}");
    }
    let ask = ["fill", "the cat sees the [MASK]", "--checkpoint", "run/model"];
    assert_eq!(place.printed(&ask).lines().count(), 5);

    // Once more: the same model to the last bit.
    train("again");
    let bytes = |out: &str| fs::read(place.path(out).join("model/model.safetensors")).unwrap();
    assert!(bytes("run") == bytes("again"), "another run, another model");
}

/// Defaults are the chapter's for generated documents; on a text, and with Base's other settings, the paper's.
#[test]
fn the_start_and_the_order_are_those_of_the_small_world() {
    for (arguments, times, first) in [
        ("--documents 100", 4.0, 0.15_f32),
        ("--corpus text.txt", 0.0, 0.0),
        ("--config base --documents 100", 0.0, 0.0),
    ] {
        let place = with_text();
        place.printed(&words(&format!("{arguments} --vocabulary 60 --epochs 1 --out . {SMALL}")));
        let found = &place.json("results.json")["beginning"];
        assert_eq!(found, &json!({"keys_as_queries": times, "nsp_first": first}), "{arguments}");
    }
}
