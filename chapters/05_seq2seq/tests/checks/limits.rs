//! The common program on texts, arguments and machines that it was not made for.

use crate::place::{Place, TRAIN, refusal, text};
use std::fs;
use std::process::Command;

#[cfg(target_os = "linux")]
#[test]
fn a_training_that_memory_cannot_hold_is_not_begun() {
    let place = Place::new();
    place.pairs();
    let sentences = |pairs: usize, words: usize| -> String {
        let sentence = |i: usize| {
            let words = (0..words).map(|j| format!("w{} ", (97 * i + j) % 5000));
            words.collect::<String>()
        };
        (0..pairs).map(|i| format!("{}\t{}\n", sentence(i), sentence(i + 1))).collect()
    };
    place.write("many.tsv", sentences(900, 40));
    place.write("long.tsv", sentences(64, 900));
    let limited = |arguments: &str| {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -v 700000; exec \"$0\" {arguments}");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_seq2seq")]).current_dir(place.path("."));
        shell.output().unwrap()
    };
    text(&limited(TRAIN));
    let many = "train --data many.tsv --min-frequency 1 --embedding 8 --hidden";
    for (arguments, needs) in [
        (&format!("{many} 2048 --layers 4")[..], "training this model"),
        (&format!("{many} 8 --batch 4096"), "training this model"),
        (&format!("{many} 8 --test long.tsv"), "judging by these sentences"),
    ] {
        let line = refusal(&limited(arguments), arguments);
        let begin = format!("{needs} would take about ");
        assert!(line.starts_with(&begin) && line.ends_with(" are free"), "{arguments}: {line}");
    }
}

/// Devices, pipes and endless files are not begun, wherever a file is wanted.
#[cfg(unix)]
#[test]
fn what_may_never_end_is_refused() {
    let place = Place::new();
    place.pairs();
    let pipe = |name: &str| {
        assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
    };
    let refused = |arguments: &str| {
        let line = place.refused(arguments);
        assert!(line.contains("this is a device or a pipe, a file is needed"), "{line}");
    };
    pipe("pipe");
    fs::create_dir(place.path("kept")).unwrap();
    pipe("kept/model.safetensors");
    pipe("kept/checkpoint.json");
    refused("train --data /dev/zero");
    refused("train --data pairs.tsv pipe");
    refused("translate --checkpoint kept cat");
    place.refused(&format!("{TRAIN} --checkpoint kept --resume"));
}

/// Sentences of the reader's own texts are shown, also where the words of the course's are known.
#[test]
fn the_examples_are_of_the_texts_that_were_learnt() {
    let place = Place::new();
    place.pairs();
    let own = parallel::examples();
    let mut pairs = fs::read_to_string(place.path("pairs.tsv")).unwrap();
    for (number, pair) in own.iter().enumerate() {
        pairs += &format!("{} {number}\t{}\n", pair.source.join(" "), pair.target.join(" "));
    }
    place.write("pairs.tsv", &pairs);
    let told = text(&place.train(""));
    let results = fs::read(place.path("out/seq2seq/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_slice(&results).unwrap();
    let sources = pairs.lines().map(|line| line.split('\t').next().unwrap());
    let sources: Vec<String> = sources.map(|text| corpora::tokenize(text).join(" ")).collect();
    let shown = results["examples"].as_array().unwrap();
    assert!(told.contains("The first sentences of the test:") && !shown.is_empty(), "{told}");
    for example in shown {
        let words = corpora::tokenize(example["source"].as_str().unwrap()).join(" ");
        assert!(own.iter().all(|pair| pair.source.join(" ") != words), "{words}");
        assert!(sources.contains(&words), "{words}");
    }
}
