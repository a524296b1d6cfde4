//! What a training leaves behind when it is killed, interrupted, damaged or forged.

use crate::place::{Place, refusal, text};
use crate::subwords::arguments;
use seq2seq::translating::corpus::{Corpus, CorpusArgs};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use workbench::parameters::save_parameters;
use workbench::training::{Value, json};

#[test]
fn damaged_and_foreign_models_are_refused() {
    let place = Place::new();
    place.pairs();
    text(&place.train("--checkpoint good"));
    let good = fs::read(place.path("good/model.safetensors")).unwrap();
    let refused_with = |model: &[u8], expected: &str| {
        place.write("good/model.safetensors", model);
        let line = place.refused("translate --checkpoint good cat");
        assert!(line.contains("model.safetensors: ") && line.contains(expected), "{line}");
    };
    refused_with(&good[..good.len() / 2], "truncated");
    refused_with(&good[..4], "no safetensors file");
    refused_with(b"", "no safetensors file");
    for place in [good.len() / 2, good.len() - 1] {
        let mut flipped = good.clone();
        flipped[place] ^= 1;
        refused_with(&flipped, "damaged");
    }
    place.write("good/model.safetensors", &good);
    text(&place.run("translate --checkpoint good cat"));
}

/// Whoever writes such a file knows how to make its fingerprint fit.
#[test]
fn forged_models_are_refused_before_they_are_built() {
    let place = Place::new();
    let path = place.path("model.safetensors");
    let words = json!(["<unk>", "<bos>", "<eos>", "cat"]);
    let refused = |sizes: Value, source: &Value, model: &str, expected: &str| {
        let sizes = json!({"sizes": sizes, "choices": {}});
        let told = json!({"model": model, "config": sizes, "source": source, "target": words});
        let mut parameters = vec![shared::Linear::new(8, 8, &mut shared::rng(0))];
        save_parameters(&path, &mut parameters, &told).unwrap();
        let line = place.refused("translate --checkpoint . cat");
        assert!(line.contains("model.safetensors: ") && line.contains(expected), "{line}");
    };
    let sizes = |hidden: u64, layers: u64| json!({"embedding": 8, "hidden": hidden, "layers": layers, "dropout": 0.1});
    let others = "describes a model of other sizes than its 72 numbers have";
    for (hidden, layers) in [
        (8, 1),
        (15_000, 1),
        (1_000_000_000, 1),
        (u32::MAX.into(), 1),
        (u32::MAX.into(), u32::MAX.into()),
        (1, u32::MAX.into()),
    ] {
        refused(sizes(hidden, layers), &words, "seq2seq", others);
    }
    for hidden in [4_611_686_018_427_387_904, u64::MAX] {
        refused(sizes(hidden, 1), &words, "seq2seq", "describes a model of another kind");
    }
    refused(sizes(0, 1), &words, "seq2seq", "every size must be at least 1");
    refused(sizes(8, 1), &words, "seq3seq", "a model of `seq3seq`");
    let twice = json!(["<unk>", "<bos>", "<eos>", "cat", "cat"]);
    refused(sizes(8, 1), &twice, "seq2seq", "`cat`, stands there twice");
}

/// One changed word anywhere is another corpus, also in a part that is not learnt from, and where
/// the word is too rare to have a number.
#[test]
fn every_word_of_every_part_counts_as_data() {
    let place = Place::new();
    place.pairs();
    let lines = fs::read_to_string(place.path("pairs.tsv")).unwrap();
    let fingerprint = |text: &str, frequency| {
        place.write("other.tsv", text);
        let arguments = arguments(&place, &["other.tsv"], None);
        let arguments =
            CorpusArgs { min_frequency: Some(frequency), allow_unknown: true, ..arguments };
        Corpus::open(&arguments, 0).unwrap().fingerprint()
    };
    for frequency in [1, 1000] {
        let own = fingerprint(&lines, frequency);
        assert_eq!(fingerprint(&lines, frequency), own);
        for number in 0..60 {
            let changed: Vec<String> = lines
                .lines()
                .enumerate()
                .map(|(i, line)| if i == number { line.replace("The", "A") } else { line.into() })
                .collect();
            assert_ne!(fingerprint(&changed.join("\n"), frequency), own, "line {number}");
        }
        assert_ne!(fingerprint(&lines.replace("chat", "matou"), frequency), own);
    }
}

#[test]
fn checkpoints_are_neither_missed_nor_overwritten() {
    let place = Place::new();
    place.pairs();
    let begun = text(&place.train("--checkpoint kept --out kept --resume"));
    assert!(begun.contains("no checkpoint in kept yet: begins"), "{begun}");
    let before = fs::read(place.path("kept/model.safetensors")).unwrap();
    let occupied = refusal(&place.train("--checkpoint kept"), "a checkpoint is there");
    assert!(occupied.contains("kept: ") && occupied.contains("--resume"), "{occupied}");
    let other = place.run("train --data pairs.tsv --min-frequency 1 --embedding 8 --hidden 9 --batch 8 --epochs 3 --checkpoint kept --resume");
    let other = refusal(&other, "another model");
    assert!(other.contains("checkpoint.json: ") && other.contains("hidden"), "{other}");
    assert!(before == fs::read(place.path("kept/model.safetensors")).unwrap());
    let above = refusal(&place.train("--checkpoint . --resume"), "one folder too high");
    assert!(above.contains("holds no checkpoint, but ./kept does"), "{above}");

    place.write("kept/checkpoint.json", "");
    let older = text(&place.train("--checkpoint kept --resume"));
    assert!(older.contains("the checkpoint before it is used"), "{older}");
    assert!(before == fs::read(place.path("kept/model.safetensors")).unwrap());
}

/// A training is long: what would keep its model from being saved is told before it.
#[test]
fn a_place_where_no_model_can_be_saved_is_told_before_training() {
    let place = Place::new();
    place.pairs();
    fs::create_dir_all(place.path("out/seq2seq/model/model.safetensors")).unwrap();
    let line = refusal(&place.train(""), "a folder in the model's place");
    assert!(line.ends_with("model.safetensors: a folder is not written over"), "{line}");
}

#[test]
fn a_folder_that_another_program_writes_into_is_refused() {
    let place = Place::new();
    place.pairs();
    fs::create_dir_all(place.path("out/seq2seq")).unwrap();
    let other = fs::File::open(place.path("out/seq2seq")).unwrap();
    other.lock().unwrap();
    let line = refusal(&place.train(""), "a folder in use");
    assert!(line.contains("another program is writing into this folder"), "{line}");
}

/// The model is there; scores and figures take seconds, and nobody who presses Ctrl-C wants them. (A
/// small model is scored too fast to be interrupted on some machines: then a larger one is tried.)
#[test]
fn ctrl_c_after_training_leaves_the_model_and_says_what_is_missing() {
    let interrupted = |hidden: usize| {
        let place = Place::new();
        let small = format!("train --pairs 100 --embedding 4 --hidden {hidden} --epochs 1");
        let mut run = place.command(&small);
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&place.path("out/seq2seq/model/model.safetensors"));
        let kill = format!("kill -TERM {}", run.id()); // a shell may have had INT ignored
        Command::new("sh").args(["-c", &kill]).status().unwrap();
        (place, run.wait_with_output().unwrap())
    };
    let heard = |(_, output): &(Place, Output)| output.status.code() != Some(0);
    let (place, output) = [16, 128, 512].into_iter().map(interrupted).find(heard).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let last = said.trim().lines().last().unwrap_or_default();
    assert!(
        last.contains("the model is in out/seq2seq/model") && last.contains("not made"),
        "{said}"
    );
    assert!(!place.path("out/seq2seq/results.json").exists());
    text(&place.run("translate --unknown cat"));
}

/// Killed as soon as there is a checkpoint, again a little later, and then left alone: the model is
/// that of a run that nobody touched.
#[test]
fn a_killed_run_ends_where_an_untouched_one_does() {
    let place = Place::new();
    place.pairs();
    let long = "train --data pairs.tsv --min-frequency 1 --embedding 16 --hidden 32 --batch 4 --epochs 400";
    text(&place.run(&format!("{long} --checkpoint untouched --out a")));
    let mut more = "";
    for wait in [0, 300] {
        let mut run = place
            .command(&format!("{long} --checkpoint killed --out b {more}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(&place.path("killed/checkpoint.json"));
        std::thread::sleep(Duration::from_millis(wait));
        run.kill().unwrap();
        run.wait().unwrap();
        assert!(
            !place.path("killed/model.safetensors").exists(),
            "it was over before it was killed"
        );
        let unfinished = place.refused("translate --checkpoint killed cat");
        assert!(unfinished.contains("--checkpoint killed --resume"), "{unfinished}");
        more = "--resume";
    }
    text(&place.run(&format!("{long} --checkpoint killed --out b --resume")));
    let read = |folder: &str| fs::read(place.path(folder).join("model.safetensors")).unwrap();
    assert!(read("untouched") == read("killed"));
}

fn wait_for(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{} never comes", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}
