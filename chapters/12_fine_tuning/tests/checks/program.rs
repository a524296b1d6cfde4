//! From a file of examples to a file of answers.

use crate::support::{encoder_folder, few, file, told};
use clap::Parser;
use fine_tuning::experiment::{
    CompareArgs, PredictArgs, Task, TrainArgs, Tuned, compare, predict, train,
};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use workbench::error::Result;

#[derive(Parser)]
struct Train {
    #[command(flatten)]
    arguments: TrainArgs,
}

#[derive(Parser)]
struct Predict {
    #[command(flatten)]
    arguments: PredictArgs,
}

fn run_train(encoder: &Path, out: &Path, more: &[&str]) -> Result<()> {
    let [encoder, out] = [encoder, out].map(|path| path.to_str().unwrap());
    let arguments = [&["train", "--encoder", encoder, "--out", out], more].concat();
    train(&Train::try_parse_from(arguments).unwrap().arguments)
}

fn run_predict(checkpoint: &Path, file: &Path, output: &Path) -> Result<()> {
    let [checkpoint, file, output] = [checkpoint, file, output].map(|path| path.to_str().unwrap());
    let arguments = ["predict", "--checkpoint", checkpoint, "--file", file, "--output", output];
    predict(&Predict::try_parse_from(arguments).unwrap().arguments)
}

/// A file of generated examples.
fn written(task: Task, count: usize) -> (TempDir, std::path::PathBuf, Vec<String>) {
    let data = few(task, count);
    let header = match task {
        Task::Sense | Task::Topic => "text\tlabel",
        Task::Entailment | Task::Continuation => "first\tsecond\tlabel",
        Task::Tags => "words\ttags",
    };
    let labels: Vec<String> = data
        .training
        .iter()
        .map(|one| one.answers.iter().map(|i| &*data.labels[*i]).collect::<Vec<_>>().join(" "))
        .collect();
    let lines: String = data
        .training
        .iter()
        .zip(&labels)
        .map(|(one, label)| match task {
            Task::Tags => format!("{}\t{label}\n", one.texts.join(" ")),
            _ => format!("{}\t{label}\n", one.texts.join("\t")),
        })
        .collect();
    let (folder, path) = file(format!("{header}\n{lines}"));
    (folder, path, labels)
}

/// What is learnt by heart is told, in order, as the training said, after it was written and read; a second time with the same
/// bytes.
#[test]
fn what_was_learnt_is_told() {
    let encoder = encoder_folder();
    for task in [Task::Sense, Task::Entailment, Task::Tags] {
        let (folder, path, labels) = written(task, 12);
        let (data, out) = (path.to_str().unwrap(), folder.path().join("out"));
        let epochs = if task == Task::Entailment { "2" } else { "60" }; // facts are long: not by heart
        let more = ["--data", data, "--validation", data, "--test", data, "--epochs", epochs];
        run_train(
            encoder.path(),
            &out,
            &[&more[..], &["--learning-rate", "1e-2", "--batch", "4"]].concat(),
        )
        .unwrap();
        let output = folder.path().join("answers.tsv");
        run_predict(&out.join("model"), &path, &output).unwrap();
        let answers = fs::read_to_string(&output).unwrap();
        let told: Vec<&str> =
            answers.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
        let split =
            |lines: &[&str]| lines.join(" ").split(' ').map(str::to_owned).collect::<Vec<_>>();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let (told, labels) = (split(&told), split(&labels));
        assert_eq!(told.len(), labels.len());
        let right = told.iter().zip(&labels).filter(|(told, label)| told == label).count();
        let right = right as f64 / labels.len() as f64;
        assert!(right == 1.0 || task == Task::Entailment, "{task:?}: {right}");
        let probabilities =
            answers.lines().skip(1).flat_map(|line| line.split('\t').nth(1).unwrap().split(' '));
        for probability in probabilities {
            assert!((0.2..=1.0).contains(&probability.parse::<f64>().unwrap()), "{probability}");
        }
        // Without labels, and once more.
        let bare: String = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| format!("{}\n", line.rsplit_once('\t').unwrap().0))
            .collect();
        fs::write(&path, bare).unwrap();
        run_predict(&out.join("model"), &path, &output).unwrap();
        assert_eq!(fs::read_to_string(&output).unwrap(), answers);
        let results: serde_json::Value =
            serde_json::from_slice(&fs::read(out.join("results.json")).unwrap()).unwrap();
        assert_eq!(results["test"]["model"]["estimate"], right, "{task:?}");
    }
}

#[test]
fn a_run_that_goes_on_tells_the_same() {
    let (encoder, folder) = (encoder_folder(), tempfile::tempdir().unwrap());
    let state = folder.path().join("state");
    let [straight, resumed] = ["a", "b"].map(|name| folder.path().join(name));
    let few = ["--task", "sense", "--examples", "16"];
    let go = |out: &Path, more: &[&str]| run_train(encoder.path(), out, &[&few, more].concat());
    let state = state.to_str().unwrap();
    // A line falls to 0 at the end of the run: the schedule is that of all three epochs.
    go(&straight, &["--epochs", "3", "--checkpoint", state]).unwrap();
    let refused = go(&resumed, &["--epochs", "3", "--checkpoint", state]).unwrap_err().to_string();
    assert!(refused.contains("add --resume"), "{refused}");
    let other = go(&resumed, &["--epochs", "3", "--checkpoint", state, "--resume", "--frozen"]);
    let other = other.unwrap_err().to_string();
    assert!(other.contains("frozen"), "{other}");
    let other =
        go(&resumed, &["--epochs", "3", "--checkpoint", state, "--resume", "--from-scratch"]);
    let other = other.unwrap_err().to_string();
    assert!(other.contains("fingerprint of the start"), "{other}");
    go(&resumed, &["--epochs", "3", "--checkpoint", state, "--resume"]).unwrap();
    let [a, b] = [&straight, &resumed]
        .map(|out| fs::read(out.join("model").join("model.safetensors")).unwrap());
    assert!(a == b);
}

#[test]
fn what_cannot_be_read_leaves_nothing_behind() {
    let encoder = encoder_folder();
    let (folder, path, _) = written(Task::Sense, 12);
    let out = folder.path().join("out");
    let nowhere = folder.path().join("nowhere");
    let data = ["--data", path.to_str().unwrap()];
    let error = run_train(&nowhere, &out, &data).unwrap_err();
    assert_eq!(
        told(&nowhere, error),
        "FILE: no such folder; this makes one: cargo run --release -p bert"
    );
    let error = run_train(folder.path(), &out, &data).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "config.json: is not there: no model, or one that was not written to its end"
        ),
        "{error}"
    );
    let refuse = |file: &str, from: &str, to: &str, part: &str| {
        let copy = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(encoder.path()).unwrap().map(|entry| entry.unwrap()) {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        let place = copy.path().join(file);
        let text = fs::read_to_string(&place).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&place, text.replace(from, to)).unwrap();
        let error = run_train(copy.path(), &out, &data).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
    };
    refuse("config.json", "\"hidden_size\": 16", "\"hidden_size\": 48", "is needed");
    refuse("config.json", "\"model_type\": \"bert\"", "\"model_type\": \"gpt2\"", "model_type");
    assert!(!out.join("model").join("config.json").exists());

    let output = folder.path().join("answers.tsv");
    let error = run_predict(encoder.path(), &path, &output).unwrap_err().to_string();
    assert!(error.contains("no classifier"), "{error}");
    let error = run_predict(encoder.path(), &path, &path).unwrap_err().to_string();
    assert!(error.contains("written over"), "{error}");
    assert!(!output.exists() && path.exists());
}

#[test]
fn a_model_of_texts_is_not_asked_about_words() {
    let (encoder, out) = (encoder_folder(), tempfile::tempdir().unwrap());
    run_train(encoder.path(), out.path(), &["--task", "sense", "--examples", "8", "--epochs", "1"])
        .unwrap();
    let model = out.path().join("model");
    assert_eq!(Tuned::read(&model).unwrap().labels, ["fits", "odd"]);
    let (_folder, words) = file("words\na b\n");
    let error = run_predict(&model, &words, &out.path().join("answers")).unwrap_err();
    let needed = "`text`, or `first` and `second`: this model classifies texts";
    assert_eq!(told(&words, error), format!("FILE: has `words` to be read; needed is {needed}"));
    let (_folder, unknown) = file("text\tlabel\na b\tfits\nb\tstrange\n");
    let error = run_predict(&model, &unknown, &out.path().join("answers")).unwrap_err();
    assert_eq!(
        told(&unknown, error),
        "FILE:3: `strange` is none of the labels learnt: `fits`, `odd`"
    );
    assert!(!out.path().join("answers").exists());
}

/// What is read, and the model that is asked, are never written over.
#[test]
fn nothing_that_is_read_is_written_over() {
    let (encoder, (folder, path, _)) = (encoder_folder(), written(Task::Sense, 12));
    let data = folder.path().join("results.json");
    fs::rename(path, &data).unwrap();
    let text = fs::read(&data).unwrap();
    let error = run_train(encoder.path(), folder.path(), &["--data", data.to_str().unwrap()]);
    assert_eq!(
        told(&data, error.unwrap_err()),
        "FILE: is read by this program and not written over: choose another place"
    );
    assert_eq!(fs::read(&data).unwrap(), text);

    let few = ["--task", "sense", "--examples", "8", "--epochs", "1"];
    let out = folder.path().join("out");
    fs::create_dir_all(out.join("model/vocab.txt")).unwrap();
    let error = run_train(encoder.path(), &out, &few).unwrap_err();
    let place = out.join("model/vocab.txt");
    assert_eq!(told(&place, error), "FILE: a folder is not written over");
    assert_eq!(fs::read_dir(out.join("model")).unwrap().count(), 1, "told before the training");
    fs::remove_dir(place).unwrap();
    run_train(encoder.path(), &out, &few).unwrap();

    // Nor is the encoder, by the model that is trained upon it. (What this process wrote, it may write
    // again: the encoder is a copy.)
    let (model, others) = (out.join("model"), out.join("others"));
    fs::rename(&model, &others).unwrap();
    fs::create_dir(&model).unwrap();
    for file in fs::read_dir(&others).unwrap().map(|entry| entry.unwrap().path()) {
        fs::copy(&file, model.join(file.file_name().unwrap())).unwrap();
    }
    let weights = fs::read(model.join("model.safetensors")).unwrap();
    let error = run_train(&model, &out, &few).unwrap_err().to_string();
    assert!(error.contains("is read by this program and not written over"), "{error}");
    assert_eq!(fs::read(model.join("model.safetensors")).unwrap(), weights);
    let (_folder, lines) = file("text\na b\n");
    for name in ["config.json", "model.safetensors"] {
        let place = out.join("model").join(name);
        let error = run_predict(&out.join("model"), &lines, &place).unwrap_err();
        assert!(told(&place, error).ends_with("choose another place"));
    }
    Tuned::read(&out.join("model")).unwrap();
}

/// As a program leaves it that is killed while the model takes the place of an older one.
#[test]
fn a_model_without_its_seal_is_refused() {
    let encoder = encoder_folder();
    fs::remove_file(encoder.path().join("config.json")).unwrap();
    let place = encoder.path().join("config.json");
    let reason = "FILE: is not there: no model, or one that was not written to its end";
    assert_eq!(told(&place, Tuned::read(encoder.path()).err().unwrap()), reason);
    let out = encoder.path().join("out");
    let error = run_train(encoder.path(), &out, &["--examples", "8"]).unwrap_err();
    assert_eq!(told(&place, error), reason);
    assert!(!out.exists());
}

/// Names with tabs or line ends would tear a file of answers.
#[test]
fn labels_that_are_no_words_are_refused() {
    let (encoder, out) = (encoder_folder(), tempfile::tempdir().unwrap());
    run_train(encoder.path(), out.path(), &["--task", "sense", "--examples", "8", "--epochs", "1"])
        .unwrap();
    let config = out.path().join("model/config.json");
    let text = fs::read_to_string(&config).unwrap();
    for name in ["a\\tb", "a\\nb", " "] {
        fs::write(&config, text.replace("odd", name)).unwrap();
        let error = Tuned::read(&out.path().join("model")).err().unwrap().to_string();
        assert!(error.contains("which is no word"), "{error}");
    }
}

/// Tags with blanks would tear a line of answers; what is no choice of one label is refused alone.
#[test]
fn what_a_classifier_may_not_answer_is_refused() {
    let (encoder, out) = (encoder_folder(), tempfile::tempdir().unwrap());
    run_train(encoder.path(), out.path(), &["--task", "tags", "--examples", "8", "--epochs", "1"])
        .unwrap();
    let model = out.path().join("model");
    let config = model.join("config.json");
    let text = fs::read_to_string(&config).unwrap();
    let said = |from: &str, to: &str| {
        fs::write(&config, text.replace(from, to)).unwrap();
        Tuned::read(&model).err().unwrap().to_string()
    };
    let blank = said("\"animal\"", "\"an animal\"");
    assert!(blank.contains("a tag `an animal`: tags have no blanks"), "{blank}");
    let several =
        said("\"model_type\"", "\"problem_type\": \"multi_label_classification\",\"model_type\"");
    assert!(several.contains("`problem_type` is \"multi_label_classification\""), "{several}");
    run_train(&model, &out.path().join("more"), &["--task", "sense", "--examples", "8"]).unwrap();
}

#[test]
fn more_examples_than_are_generated_are_refused() {
    #[derive(Parser)]
    struct Compare {
        #[command(flatten)]
        arguments: CompareArgs,
    }
    let arguments = ["compare", "--encoder", "/nowhere", "--examples", "50,1000", "--seeds", "21"];
    let error = compare(&Compare::try_parse_from(arguments).unwrap().arguments).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--examples 1000 with --seeds 21: at most 20000 are generated in all"
    );
}
