//! From a file of examples to a file of answers.

use crate::line::{arguments, told};
use crate::support::{encoder_folder, few, file};
use fine_tuning::program::{Task, Tuned, predict, train};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use workbench::error::Result;

fn run_train(encoder: &Path, out: &Path, more: &[&str]) -> Result<()> {
    let [encoder, out] = [encoder, out].map(|path| path.to_str().unwrap());
    train(&arguments(&[&["--encoder", encoder, "--out", out], more].concat()).unwrap())
}

fn run_predict(checkpoint: &Path, file: &Path, output: &Path) -> Result<()> {
    let [checkpoint, file, output] = [checkpoint, file, output].map(|path| path.to_str().unwrap());
    predict(&arguments(&["--checkpoint", checkpoint, "--file", file, "--output", output]).unwrap())
}

/// A model that has hardly learnt a task.
fn trained(task: &str) -> TempDir {
    let (encoder, out) = (encoder_folder(), tempfile::tempdir().unwrap());
    run_train(encoder.path(), out.path(), &["--task", task, "--examples", "8", "--epochs", "1"])
        .unwrap();
    out
}

/// A copy, in the folder `model`: what this process wrote itself, it may write again.
fn copied(model: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("model")).unwrap();
    for file in fs::read_dir(model).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(file.path(), copy.path().join("model").join(file.file_name())).unwrap();
    }
    copy
}

/// A file of generated examples, and their labels.
fn written(task: Task, count: usize) -> (TempDir, PathBuf, Vec<String>) {
    let data = few(task, count);
    let (header, between) = match task {
        Task::Topic => ("text\tlabel\n", "\t"),
        Task::Continuation => ("first\tsecond\tlabel\n", "\t"),
        Task::Tags => ("words\ttags\n", " "),
    };
    let (mut lines, mut labels) = (header.to_owned(), Vec::new());
    for one in &data.training {
        // A model so small tells one topic from the others.
        let names = one.answers.iter().map(|answer| match &*data.labels[*answer] {
            "food" | "games" | "weather" => "others",
            label => label,
        });
        let label = names.collect::<Vec<_>>().join(" ");
        lines += &format!("{}\t{label}\n", one.texts.join(between));
        labels.push(label);
    }
    let (folder, path) = file(lines);
    (folder, path, labels)
}

/// Labels learnt by heart are predicted, in order, as the training said, after they were written and read; a second
/// time, without labels, with the same bytes.
#[test]
fn what_was_learnt_is_told() {
    let encoder = encoder_folder();
    for task in Task::ALL {
        let (folder, path, labels) = written(task, 24);
        let (data, out) = (path.to_str().unwrap(), folder.path().join("out"));
        let more = ["--data", data, "--validation", data, "--test", data, "--epochs", "60"];
        let steps = ["--learning-rate", "1e-2", "--batch", "4"];
        run_train(encoder.path(), &out, &[&more[..], &steps].concat()).unwrap();
        let output = folder.path().join("answers.tsv");
        run_predict(&out.join("model"), &path, &output).unwrap();
        let answers = fs::read_to_string(&output).unwrap();
        let columns = |line: &str| line.split_once('\t').map(|(a, b)| [a, b].map(str::to_owned));
        let columns: Vec<[String; 2]> = answers.lines().skip(1).filter_map(columns).collect();
        assert!(columns.iter().map(|[predicted, _]| predicted).eq(&labels), "{task:?}: {answers}");
        for probability in columns.iter().flat_map(|[_, probabilities]| probabilities.split(' ')) {
            assert!((0.2..=1.0).contains(&probability.parse::<f64>().unwrap()), "{probability}");
        }
        let results = fs::read(out.join("results.json")).unwrap();
        let results: serde_json::Value = serde_json::from_slice(&results).unwrap();
        assert_eq!(results["test"]["model"]["estimate"], 1.0, "{task:?}");

        let bare = |line: &str| format!("{}\n", line.rsplit_once('\t').unwrap().0);
        let bare: String = fs::read_to_string(&path).unwrap().lines().map(bare).collect();
        fs::write(&path, bare).unwrap();
        run_predict(&out.join("model"), &path, &output).unwrap();
        assert_eq!(fs::read_to_string(&output).unwrap(), answers);
    }
}

#[test]
fn a_run_goes_on_from_the_same_start_alone() {
    let (encoder, folder) = (encoder_folder(), tempfile::tempdir().unwrap());
    let state = folder.path().join("state");
    let go = |out: &str, more: &[&str]| {
        let line = ["--task", "continuation", "--examples", "16", "--epochs", "3", "--checkpoint"];
        let line = [&line[..], &[state.to_str().unwrap()], more].concat();
        run_train(encoder.path(), &folder.path().join(out), &line).map_err(|e| e.to_string())
    };
    go("a", &[]).unwrap();
    for (more, part) in [("--frozen", "frozen"), ("--from-scratch", "fingerprint of the start")] {
        let refused = go("b", &["--resume", more]).unwrap_err();
        assert!(refused.contains(part), "{refused}");
    }
    go("b", &["--resume"]).unwrap();
    let [a, b] = ["a", "b"]
        .map(|out| fs::read(folder.path().join(out).join("model/model.safetensors")).unwrap());
    assert!(a == b);
}

#[test]
fn what_cannot_be_read_leaves_nothing_behind() {
    let encoder = encoder_folder();
    let (folder, path, _) = written(Task::Topic, 24);
    let out = folder.path().join("out");
    let data = ["--data", path.to_str().unwrap()];
    let nowhere = folder.path().join("nowhere");
    let error = run_train(&nowhere, &out, &data).unwrap_err();
    let reason = "nowhere: no such folder; this makes one: cargo run --release -p bert";
    assert_eq!(told(&folder, error), reason);
    let error = run_train(folder.path(), &out, &data).unwrap_err();
    let reason = "config.json: is not there: no model, or one that was not written to its end";
    assert_eq!(told(&folder, error), reason);
    assert!(!out.exists());

    let output = folder.path().join("answers.tsv");
    let error = run_predict(encoder.path(), &path, &output).unwrap_err().to_string();
    assert!(error.contains("no classifier"), "{error}");
    assert!(!output.exists());
}

#[test]
fn a_model_of_texts_is_not_asked_about_words() {
    let out = trained("continuation");
    let (model, answers) = (out.path().join("model"), out.path().join("answers"));
    assert_eq!(Tuned::read(&model).unwrap().labels, ["next", "another"]);
    let (folder, path) = file("words\na b\n");
    let needed = "`text`, or `first` and `second`: this model classifies texts";
    assert_eq!(
        told(&folder, run_predict(&model, &path, &answers).unwrap_err()),
        format!("FILE: has `words` to be read; needed is {needed}")
    );
    assert!(!answers.exists());
    // No valid label is needed.
    let (_folder, path) = file("text,label\na b,strange\n\"b, a\",\n");
    run_predict(&model, &path, &answers).unwrap();
    assert_eq!(fs::read_to_string(answers).unwrap().lines().count(), 3);
}

/// The files that are read, and the model that is asked, are never written over; nor is the encoder, by the model that
/// is trained on it.
#[test]
fn nothing_that_is_read_is_written_over() {
    let (encoder, (folder, path, _)) = (encoder_folder(), written(Task::Topic, 24));
    let reason = "results.json: is not known to be this program's and not written over: choose another place";
    let data = folder.path().join("results.json");
    fs::rename(path, &data).unwrap();
    let error = run_train(encoder.path(), folder.path(), &["--data", data.to_str().unwrap()]);
    assert_eq!(told(&folder, error.unwrap_err()), reason);

    let few = ["--task", "continuation", "--examples", "8", "--epochs", "1"];
    let copy = copied(encoder.path());
    let weights = fs::read(copy.path().join("model/model.safetensors")).unwrap();
    let error = run_train(&copy.path().join("model"), copy.path(), &few).unwrap_err().to_string();
    assert!(error.contains("holds a model of another program"), "{error}");
    assert_eq!(fs::read(copy.path().join("model/model.safetensors")).unwrap(), weights);

    let copy = copied(&trained("continuation").path().join("model"));
    let (model, (_folder, lines)) = (copy.path().join("model"), file("text\na b\n"));
    for place in [&model.join("config.json"), &model.join("model.safetensors"), &lines] {
        let refused = run_predict(&model, &lines, place).unwrap_err().to_string();
        assert!(refused.contains("choose another place"), "{refused}");
    }
}
