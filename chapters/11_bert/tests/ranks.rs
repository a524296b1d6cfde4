//! Several processes pre-train the model that one pre-trains, byte for byte. (That they end together, and
//! go on in another number, the workbench tests.)

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A tiny model on few documents: the last batch of an epoch has fewer pairs than there are shards.
const TINY: &str = "--documents 100 --vocabulary 60 --width 16 --feed-forward 32 --heads 2 --blocks 1 \
    --longest 48 --batch 24 --shards 4";

/// The program in so many processes; its output goes to the folder.
fn job(ranks: usize, folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
    command.args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_bert")]);
    command.arg("--out").arg(folder).args(arguments.split_whitespace());
    command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code, standard output, standard error.
fn end(mut child: Child) -> (Option<i32>, String, String) {
    let [mut output, mut errors] = [String::new(), String::new()];
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), output, errors)
}

/// What a job that succeeds prints.
fn run(ranks: usize, folder: &Path, arguments: &str) -> String {
    let (code, output, errors) = end(job(ranks, folder, arguments).spawn().unwrap());
    assert_eq!(code, Some(0), "{ranks} ranks: {errors}");
    output
}

fn model(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("model/model.safetensors")).unwrap()
}

#[test]
fn one_two_and_four_ranks_write_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let models = [1, 2, 4].map(|ranks| {
        let folder = place.path().join(ranks.to_string());
        let output =
            run(ranks, &folder, &format!("{TINY} --epochs 2 --nsp-first 0.5 --keys-as-queries 4"));
        let lines = output.lines().filter(|line| line.starts_with("epoch 1/2 ")).count();
        assert_eq!(lines, 1, "{output}");
        let results = fs::read(folder.join("results.json")).unwrap();
        let results: serde_json::Value = serde_json::from_slice(&results).unwrap();
        let steps = results["epochs"][1]["steps"].as_u64().unwrap();
        assert!(steps >= 20, "{steps} steps");
        model(&folder)
    });
    assert!(models[0] == models[1], "two ranks");
    assert!(models[0] == models[2], "four ranks");
}

#[test]
fn ranks_read_a_text_from_the_first_ones_file() {
    let place = tempfile::tempdir().unwrap();
    let text = place.path().join("text.txt");
    let words = ["the", "a", "dog", "cat", "sees", "hears"];
    let mut documents = String::new();
    for (i, k) in (0..60).flat_map(|i| (0..5).map(move |k| (i, k))) {
        let sentence: Vec<&str> = (k..k + 6).map(|j: usize| words[(i * 7 + j * j) % 6]).collect();
        documents += &(sentence.join(" ") + if k == 4 { " .\n\n" } else { " .\n" });
    }
    fs::write(&text, documents).unwrap();
    let arguments = TINY.replace("--documents 100", "--corpus") + " --epochs 1";
    let arguments = arguments.replace("--corpus", &format!("--corpus {}", text.display()));
    let models = [1, 2].map(|ranks| {
        let folder = place.path().join(ranks.to_string());
        run(ranks, &folder, &arguments);
        model(&folder)
    });
    assert!(models[0] == models[1]);
}

#[test]
fn shards_that_cannot_be_shared_are_told_once() {
    let place = tempfile::tempdir().unwrap();
    let (code, output, errors) = end(job(3, place.path(), TINY).spawn().unwrap());
    assert_eq!(code, Some(2), "{errors}");
    let told: Vec<&str> = errors.lines().filter(|line| line.starts_with("error: ")).collect();
    let expected = "error: shards of a batch: 4, processes: 3, groups in each: 1; a process needs a power \
        of two of shards, and so does a group: --shards 6 --accumulate 1 would do";
    assert_eq!(told, [expected]);
    assert_eq!(output, "");
}
