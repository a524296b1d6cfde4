//! The common program from outside: what it leaves, and what it refuses.

use crate::place::{Place, TRAIN, refusal, text};
use std::fs;
use std::process::Stdio;

#[test]
fn translate_works_on_what_train_left() {
    let place = Place::new();
    place.pairs();
    let told = text(&place.train(""));
    for what in [
        "pairs of sentences to learn from",
        "epoch 2/2",
        "BLEU",
        "the model is in out/seq2seq/model",
    ] {
        assert!(told.contains(what), "`{what}` is missing in:\n{told}");
    }
    for file in ["results.json", "learning.svg", "model/model.safetensors"] {
        assert!(place.path("out/seq2seq").join(file).exists(), "{file}");
    }
    let model = fs::read_dir(place.path("out/seq2seq/model")).unwrap();
    assert_eq!(model.count(), 1); // one file: no two that could come from different runs
    let results = fs::read(place.path("out/seq2seq/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_slice(&results).unwrap();
    assert!(results["measured"]["tokens_per_second"].as_f64().unwrap() > 0.0);
    assert!(results["scores"][0]["bleu"].is_f64());
    for (i, case) in ["mixed", "lc"].into_iter().enumerate() {
        let written = &results["scores"][0]["written"][i];
        let signature = written["signature"].as_str().unwrap();
        assert!(signature.starts_with(&format!("nrefs:1|case:{case}|eff:no|tok:13a|smooth:exp|")));
        assert!(told.contains(signature), "{told}");
        let [low, bleu, high] =
            [&written["interval"][0], &written["bleu"], &written["interval"][1]]
                .map(|number| number.as_f64().unwrap());
        assert!(low <= bleu && bleu <= high, "{written}");
    }

    let translate = |more: &[&str]| {
        let output = place.command("translate").args(more).output().unwrap();
        text(&output)
    };
    let first = translate(&["The black cat sleeps."]);
    assert!(!first.trim().is_empty());
    assert_eq!(first, translate(&["\tThe black cat sleeps. "]));
    translate(&["the purple cat sleeps.", "--unknown"]);
    for near in ["out/seq2seq", "out/seq2seq/model/model.safetensors"] {
        let line = place.refused(&format!("translate --checkpoint {near} cat"));
        assert!(line.ends_with("there is one in out/seq2seq/model: name that folder"), "{line}");
    }
    fs::copy(place.path("out/seq2seq/model/model.safetensors"), place.path("model.safetensors"))
        .unwrap();
    let line = place.refused("translate --checkpoint model.safetensors cat");
    assert!(line.ends_with("there is one in .: name that folder"), "{line}");

    let kept = fs::read(place.path("out/seq2seq/model/model.safetensors")).unwrap();
    let told = text(&place.train("--seed 1 --out other"));
    assert!(told.contains("the model is in other/model"), "{told}");
    assert!(told.contains("translate --checkpoint other/model"), "{told}");
    assert!(kept == fs::read(place.path("out/seq2seq/model/model.safetensors")).unwrap());
    assert!(kept != fs::read(place.path("other/model/model.safetensors")).unwrap());
}

/// What cannot be printed is no success, but the work is not lost for it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_after_the_work() {
    let place = Place::new();
    place.pairs();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(TRAIN).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let line = refusal(&output.wait_with_output().unwrap(), "a full disk");
    assert!(line.contains("standard output cannot be written to"), "{line}");
    assert!(place.path("out/seq2seq/model/model.safetensors").exists());
}

#[test]
fn the_same_seed_gives_the_same_files_on_any_number_of_threads() {
    let (one, two) = (Place::new(), Place::new());
    for (place, threads) in [(&one, "1"), (&two, "3")] {
        place.pairs();
        let mut command = place.command(TRAIN);
        text(&command.env("RAYON_NUM_THREADS", threads).output().unwrap());
    }
    for file in ["model/model.safetensors", "learning.svg"] {
        let read = |place: &Place| fs::read(place.path("out/seq2seq").join(file)).unwrap();
        assert!(read(&one) == read(&two), "{file}");
    }
}

#[test]
fn generated_pairs_will_do() {
    let place = Place::new();
    let small = "train --pairs 100 --embedding 4 --hidden 4 --epochs 1";
    let told = text(&place.run(small));
    assert!(!told.contains("tok:13a"), "nobody wrote these references:\n{told}");
    assert!(["test", "long", "compositional"].iter().all(|part| told.contains(part)), "{told}");
    assert!(place.path("out/seq2seq/by_length.svg").exists());
}

#[test]
fn bad_files_are_told_with_their_line() {
    let place = Place::new();
    place.write("one.tsv", "yes\toui\nno non\n");
    place.write("few.tsv", "yes\toui\n");
    place.write("left", "yes\nno\n");
    place.write("right", "oui\n");
    let cases = [
        ("one.tsv", "one.tsv:2: "),
        ("few.tsv", "few.tsv: 1 pairs of 1 different sentences are too few"),
        ("left right", "left:2: "),
        ("absent.tsv", "absent.tsv: "),
        (".", ".: "),
    ];
    for (files, expected) in cases {
        let line = place.refused(&format!("train --data {files}"));
        assert!(line.contains(expected), "{files}: {line}");
    }
    assert!(!place.path("out/seq2seq/model/model.safetensors").exists());
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.pairs();
    for (more, expected) in [
        ("--epochs 0", "--epochs 0"),
        ("--learning-rate -1", "--learning-rate -1"),
        ("--dropout 1", "a dropout of 1"),
        ("--learning-rate 1e-50", "--learning-rate 1e-50: too small"),
        ("--learning-rate 1e30", "--learning-rate 1e30: at most 1e6"),
        ("--max-words 1", "pairs.tsv: no pair can be used"),
    ] {
        // No file is read before, except for the last.
        let data = if more == "--max-words 1" { "pairs.tsv" } else { "absent.tsv" };
        let more = format!("train --data {data} {more}");
        assert!(place.refused(&more).contains(expected), "{more}");
    }
    let wrongs = ["train --hidden 0", "train --pairs 5", "train --seed -1", "train --resume"];
    for wrong in wrongs.into_iter().chain(["translate", "dance"]) {
        let output = place.run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn sentences_that_cannot_be_translated_are_refused() {
    let place = Place::new();
    place.pairs();
    let untrained = place.refused("translate cat");
    assert!(
        untrained.contains("no trained model here") && untrained.contains("cargo run"),
        "{untrained}"
    );
    text(&place.train(""));
    let refused = |sentence: &str| {
        refusal(&place.command("translate").arg(sentence).output().unwrap(), "a sentence")
    };
    assert!(refused("").contains("the sentence is empty"));
    assert!(refused(" \t ").contains("the sentence is empty"));
    assert!(refused(&"cat ".repeat(10_000)).contains("10000 words"));
    let unknown = refused("the purple cat sleeps.");
    assert!(unknown.contains("`purple`") && unknown.contains("--unknown"), "{unknown}");
    let picture = place.command("translate").args(["The cat sleeps.", "--svg", "x.svg"]).output();
    let picture = picture.unwrap();
    let told = String::from_utf8_lossy(&picture.stderr); // a notice may come first: it was cut off
    assert!(picture.status.code() == Some(2) && told.ends_with("no alignment to draw\n"), "{told}");
    let device = place.refused("translate cat --svg /dev/null");
    assert_eq!(device, "/dev/null: a device or a pipe is not written over");
}

/// With capital letters *The* and *the* are two words, and a model knows how it was trained.
#[test]
fn capital_letters_stay_unless_small_ones_are_asked_for() {
    let place = Place::new();
    place.pairs();
    text(&place.train(""));
    let found = text(&place.command("translate").arg("The cat sleeps.").output().unwrap());
    assert!(!found.contains('￭'), "{found}");
    let small = place.command("translate").arg("the cat sleeps.").output().unwrap();
    assert!(refusal(&small, "a small letter").contains("`the`"));
    place.write("in.txt", "The cat sleeps.\nthe cat sleeps.\n");
    let told = text(&place.run("translate --file in.txt --output out.txt"));
    assert!(told.contains("translated around: 1 (`the`)"), "{told}");

    for more in ["--lower", "--tokens course"] {
        text(&place.train(&format!("{more} --out small")));
        let mut known = place.command("translate --checkpoint small/model");
        text(&known.arg("THE cat sleeps.").output().unwrap());
    }
}

/// What cannot be read right is said, with the argument that helps.
#[test]
fn files_that_would_teach_nonsense_are_refused() {
    let place = Place::new();
    place.pairs();
    let pairs = fs::read_to_string(place.path("pairs.tsv")).unwrap();
    let lines = pairs.lines().map(|line| line.replace('\t', "\t7\t")).enumerate();
    let numbered: String = lines.map(|(i, line)| format!("{i}\t{line}\n")).collect();
    place.write("numbered.tsv", numbered);
    let line = place.refused("train --data numbered.tsv");
    assert!(
        line.contains("4 columns: say which are sentence and translation (--columns 2,4?)"),
        "{line}"
    );
    let told = text(&place.run(&format!("{TRAIN_ON} numbered.tsv --columns 2,4")));
    assert!(told.contains("pairs of sentences to learn from"), "{told}");
    for wrong in ["--columns 2", "--columns 0,1", "--columns 2,2", "--columns 2,x"] {
        let output = place.run(&format!("train --data numbered.tsv {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let line = place.refused("train --data pairs.tsv --columns 2,4");
    assert!(line.starts_with("pairs.tsv:1: columns 2 and 4 of 2"), "{line}");

    let strange = (1..=40).map(|n| format!("{}\t{}\n", "x".repeat(n), "y".repeat(n)));
    place.write("strange.tsv", strange.collect::<String>());
    let line = place.refused(&format!("{TRAIN_ON} strange.tsv"));
    assert!(line.contains("unknown words: 100.0 % to read, 100.0 % to write"), "{line}");
    text(&place.run(&format!("{TRAIN_ON} strange.tsv --allow-unknown")));

    place.write("bad.tsv", [pairs.as_bytes(), b"one\n\xff\ttwo\n"].concat());
    let line = place.refused(&format!("{TRAIN_ON} bad.tsv"));
    assert!(line.starts_with("bad.tsv:61: one column"), "{line}");
    let told = text(&place.run(&format!("{TRAIN_ON} bad.tsv --skip-bad")));
    let left = "left out: 1 bad line (not UTF-8), 1 bad line (one column)";
    assert!(told.contains(left), "{told}");
}

const TRAIN_ON: &str = "train --embedding 8 --hidden 8 --batch 8 --epochs 1 --data";
