//! Several processes train the model that one trains, byte for byte. (That they end together, and go on in another
//! number, the workbench tests.)

use std::fs;
use std::path::Path;
use std::process::Command;

const TINY: &str = "--epochs 1 --width 16 --heads 2 --groups 1 --blocks 1 --length 24 --shards 4";

/// The model that so many processes train.
fn trained(ranks: usize, folder: &Path, more: &str) -> Vec<u8> {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
    command.args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_language_model")]);
    command.arg("--out").arg(folder).args(TINY.split(' ')).args(more.split_whitespace());
    let output = command.env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert!(output.status.success(), "{ranks}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let lines = said.lines().filter(|line| line.starts_with("epoch 1/1 "));
    assert_eq!(lines.count(), 1, "the first process alone shows progress: {said}");
    fs::read(folder.join("model/model.safetensors")).unwrap()
}

#[test]
fn one_two_and_four_ranks_write_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let text = place.path().join("text.txt");
    fs::write(&text, "The rain in Spain stays mainly in the plain. ".repeat(40)).unwrap();
    for more in [String::new(), format!("--corpus {}", text.display())] {
        let models = [1, 2, 4].map(|ranks| {
            let folder = place.path().join(format!("{ranks} {}", more.len()).replace(' ', "_"));
            trained(ranks, &folder, &more)
        });
        assert!(models[0] == models[1], "two ranks {more}");
        assert!(models[0] == models[2], "four ranks {more}");
    }
}
