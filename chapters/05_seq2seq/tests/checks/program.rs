//! The common program from outside: what it leaves, what it refuses, what a killed run loses.

use seq2seq::translating::corpus::{Corpus, CorpusArgs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use workbench::parameters::save_parameters;
use workbench::training::{Value, json};

/// A folder of its own for every test.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("a file of the test");
    }

    /// Sixty pairs of a language without surprises.
    fn pairs(&self) {
        let (things, thing) = (["cat", "dog", "owl", "fox"], ["chat", "chien", "hibou", "renard"]);
        let (deeds, deed) = (["sleeps", "runs", "sings"], ["dort", "court", "chante"]);
        let (colours, colour) =
            (["black", "white", "grey", "red", ""], ["noir", "blanc", "gris", "rouge", ""]);
        let mut text = String::new();
        for ((i, k), j) in (0..4)
            .flat_map(|i| (0..5).map(move |k| (i, k)))
            .flat_map(|ik| (0..3).map(move |j| (ik, j)))
        {
            text += &format!(
                "The {} {} {}.\tLe {} {} {}.\n",
                colours[k], things[i], deeds[j], thing[i], colour[k], deed[j]
            );
        }
        self.write("pairs.tsv", text);
    }

    /// Runs the program in the folder.
    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seq2seq"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// Trains a tiny model; further arguments may follow.
    fn train(&self, more: &str) -> Output {
        self.run(&format!("{TRAIN} {more}"))
    }

    /// What is refused with one line and exit code 2; returns the line.
    fn refused(&self, arguments: &str) -> String {
        refusal(&self.run(arguments), arguments)
    }
}

const TRAIN: &str =
    "train --data pairs.tsv --min-frequency 1 --embedding 8 --hidden 8 --batch 8 --epochs 2";

fn refusal(output: &Output, what: &str) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{what}: {errors}");
    assert!(!errors.contains("panicked"), "{what}: {errors}");
    let line = errors.strip_suffix('\n').expect("a line");
    assert_eq!(line.lines().count(), 1, "{what}: {errors}");
    line.strip_prefix("error: ").unwrap_or_else(|| panic!("{what}: {errors}")).to_owned()
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("words in UTF-8")
}

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

    let translate = |more: &[&str]| {
        let output = place.command("translate").args(more).output().unwrap();
        text(&output)
    };
    let first = translate(&["The black cat sleeps."]);
    assert!(!first.trim().is_empty());
    assert_eq!(first, translate(&["the BLACK cat sleeps ."]));
    translate(&["the purple cat sleeps.", "--unknown"]);

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
    assert!(["test", "long", "compositional"].iter().all(|part| told.contains(part)), "{told}");
    assert!(place.path("out/seq2seq/by_length.svg").exists());
}

#[test]
fn bad_files_are_told_with_their_line() {
    let place = Place::new();
    place.write("one.tsv", "yes\toui\nno non\n");
    place.write("empty_side.tsv", "yes\toui\nno\t\n");
    place.write("bytes.tsv", b"yes\toui\nno\t\xff\n");
    place.write("nothing.tsv", "");
    place.write("blank.tsv", "\n \n");
    place.write("few.tsv", "yes\toui\n");
    place.write("columns.tsv", "yes\toui\tby\nno\tby\n");
    place.write("left", "yes\nno\n");
    place.write("right", "oui\n");
    let cases = [
        ("one.tsv", "one.tsv:2: "),
        ("empty_side.tsv", "empty_side.tsv:2: "),
        ("bytes.tsv", "bytes.tsv:2: "),
        ("nothing.tsv", "nothing.tsv: "),
        ("blank.tsv", "blank.tsv: no pair can be used"),
        ("few.tsv", "few.tsv: 1 pairs of 1 different sentences are too few"),
        ("columns.tsv", "columns.tsv:2: 2 columns, but line 1 has 3"),
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
        ("--max-words 1", "pairs.tsv: no pair can be used"),
    ] {
        let more = format!("train --data pairs.tsv {more}");
        assert!(place.refused(&more).contains(expected), "{more}");
    }
    for wrong in ["train --hidden 0", "train --pairs 5", "train --resume", "translate", "dance"] {
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
    let picture = place.command("translate").args(["the cat sleeps.", "--svg", "x.svg"]).output();
    assert!(refusal(&picture.unwrap(), "--svg").contains("no alignment to draw"));
    let device = place.refused("translate cat --svg /dev/null");
    assert_eq!(device, "/dev/null: a device or a pipe is not written over");
}

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
        let (data, pairs) = (vec![place.path("other.tsv")], 0);
        let arguments = CorpusArgs { data, pairs, min_frequency: Some(frequency), max_words: 50 };
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

/// The model is there; scores and figures take seconds, and nobody who presses Ctrl-C wants them.
#[test]
fn ctrl_c_after_training_leaves_the_model_and_says_what_is_missing() {
    let place = Place::new();
    let small = "train --pairs 100 --embedding 4 --hidden 4 --epochs 1";
    let mut run = place.command(small);
    let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&place.path("out/seq2seq/model/model.safetensors"));
    let kill = format!("kill -INT {}", run.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
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
    let long = "train --data pairs.tsv --min-frequency 1 --embedding 16 --hidden 32 --batch 4 --epochs 800";
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
