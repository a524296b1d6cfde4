//! What a training leaves behind when it is killed, interrupted, damaged or forged.

use crate::place::{Place, refusal, text};
use crate::subwords::arguments;
use seq2seq::translating::corpus::{Corpus, CorpusArgs};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use workbench::parameters::save_parameters;
use workbench::training::json;

/// A file that is cut or damaged, another chapter's, and one whose sizes nobody could build.
#[test]
fn damaged_and_foreign_models_are_refused() {
    let place = Place::new();
    place.pairs();
    text(&place.train("--checkpoint good"));
    let path = place.path("good/model.safetensors");
    let good = fs::read(&path).unwrap();
    let refused = |expected: &str| {
        let line = place.refused("translate --checkpoint good cat");
        assert!(line.contains("model.safetensors: ") && line.contains(expected), "{line}");
    };
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    refused("truncated");
    let mut flipped = good;
    *flipped.last_mut().unwrap() ^= 1;
    fs::write(&path, flipped).unwrap();
    refused("damaged");
    let words = json!(["<unk>", "<bos>", "<eos>", "cat"]);
    let told = |model: &str, hidden: u64| {
        let sizes = json!({"embedding": 8, "hidden": hidden, "layers": 1, "dropout": 0.1});
        let config = json!({"sizes": sizes, "choices": {}});
        let told = json!({"model": model, "config": config, "source": words, "target": words});
        let mut parameters = vec![shared::Linear::new(8, 8, &mut shared::rng(0))];
        save_parameters(&path, &mut parameters, &told).unwrap();
    };
    told("seq3seq", 8);
    refused("a model of `seq3seq`");
    told("seq2seq", 0);
    refused("every size must be at least 1");
    for hidden in [8, 1_000_000_000, u32::MAX.into()] {
        told("seq2seq", hidden);
        refused("describes a model of other sizes than its 72 numbers have");
    }
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
    text(&place.train("--checkpoint kept --out kept --resume"));
    let occupied = refusal(&place.train("--checkpoint kept"), "a checkpoint is there");
    assert!(occupied.contains("kept: ") && occupied.contains("--resume"), "{occupied}");
    let other = refusal(&place.train("--checkpoint kept --resume --seed 1"), "another training");
    assert!(other.contains("checkpoint.json: ") && other.contains("seed"), "{other}");
}

/// A training is long: what would keep its model from being saved is said before it.
#[test]
fn a_place_where_no_model_can_be_saved_is_told_before_training() {
    let place = Place::new();
    place.pairs();
    fs::create_dir_all(place.path("out/seq2seq/model/model.safetensors")).unwrap();
    let line = refusal(&place.train(""), "a folder in the model's place");
    assert!(line.ends_with("model.safetensors: a folder is not written over"), "{line}");
}

/// The model is there; scores and figures take seconds, and nobody who presses Ctrl-C wants them. (A
/// small model is scored too fast to be interrupted on some machines: then a larger one is tried.)
#[test]
fn ctrl_c_after_training_leaves_the_model_and_says_what_is_missing() {
    let mut interrupted = [16, 128, 512].into_iter().map(|hidden| {
        let place = Place::new();
        let small = format!("train --pairs 100 --embedding 4 --hidden {hidden} --epochs 1");
        let mut run = place.command(&small);
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&place.path("out/seq2seq/model/model.safetensors"));
        let kill = format!("kill -TERM {}", run.id()); // a shell may have had INT ignored
        Command::new("sh").args(["-c", &kill]).status().unwrap();
        (place, run.wait_with_output().unwrap())
    });
    let (place, output) = interrupted.find(|(_, output)| output.status.code() != Some(0)).unwrap();
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
