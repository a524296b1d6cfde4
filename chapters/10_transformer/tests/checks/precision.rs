//! Trainings in other precisions, by the program.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The program, about to train on 200 short sentences in a folder.
fn training(folder: &Path, arguments: &str) -> Command {
    let small = "train --data pairs.tsv --min-frequency 1 --width 64 --feed-forward 64 \
                 --encoder-blocks 1 --decoder-blocks 1";
    let mut program = Command::new(env!("CARGO_BIN_EXE_transformer"));
    program.current_dir(folder).args(small.split_whitespace()).args(arguments.split(' '));
    program
}

/// Exit code and what was said on standard error.
fn run(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = training(folder, arguments).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with these sentences, where the processor has bf16.
fn folder() -> Option<tempfile::TempDir> {
    if !shared::Precision::Bf16.is_supported() {
        eprintln!("not tested: this processor has no AVX-512 BF16");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let pairs = (0..200).map(|i| format!("the cat {i} sees {0}\tle chat {i} voit {0}\n", i % 7));
    std::fs::write(folder.path().join("pairs.tsv"), pairs.collect::<String>()).unwrap();
    Some(folder)
}

/// The switch reaches the products, a training is nearly the same one, nearer in three products, and no
/// run goes on in another precision.
#[test]
fn a_training_in_another_precision_is_nearly_the_same() {
    let Some(folder) = folder() else { return };
    let losses = |precision: &str| {
        let (code, said) = run(
            folder.path(),
            &format!(
                "--epochs 2 --precision {precision} --out {precision} --checkpoint {precision}/run"
            ),
        );
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(said.contains(&format!("--precision {precision}: ")), precision != "f32");
        let path = folder.path().join(precision).join("results.json");
        let results: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(results["precision"], precision);
        results["epochs"][1]["loss"].as_f64().unwrap()
    };
    let all = losses("f32");
    let [half, split] = ["bf16", "bf16x3"].map(|precision| (losses(precision) - all).abs() / all);
    assert!(half != 0.0 && half < 0.01, "bf16: {half}");
    assert!(split != 0.0 && split < half / 10.0, "bf16x3: {split}, bf16: {half}");
    for (there, here) in [("bf16", "f32"), ("bf16x3", "f32"), ("bf16x3", "bf16"), ("f32", "bf16x3")]
    {
        let arguments =
            format!("--epochs 3 --precision {here} --checkpoint {there}/run --resume --out other");
        let (code, said) = run(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{said}");
        let reason = format!(r#"precision is "{there}" there and "{here}" here"#);
        assert!(said.contains(&reason), "{said}");
        assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{said}");
    }
}

/// The result is the same to the last bit, on one thread and on two.
#[test]
fn a_run_in_three_products_that_is_stopped_and_killed_goes_on() {
    let Some(folder) = folder() else { return };
    let arguments = |name: &str, more: &str| {
        format!("--epochs 40 --precision bf16x3 --out {name} --checkpoint {name}/run{more}")
    };
    let model =
        |name: &str| std::fs::read(folder.path().join(name).join("run/model.safetensors")).unwrap();
    let mut straight = training(folder.path(), &arguments("straight", ""));
    assert!(straight.env("RAYON_NUM_THREADS", "1").output().unwrap().status.success());

    let start = |more: &str| {
        let mut command = training(folder.path(), &arguments("stopped", more));
        command.env("RAYON_NUM_THREADS", "2").stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let until = |child: &mut Child, epoch: &str| {
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.starts_with(epoch)), "{epoch} was not told");
        lines // whoever drops them ends the program
    };
    let mut child = start("");
    let lines = until(&mut child, "epoch  3/40");
    let stop = format!("kill -TERM {}", child.id()); // counts as Ctrl-C, which a shell's `&` has ignored
    assert!(Command::new("sh").args(["-c", &stop]).status().unwrap().success());
    drop(lines.last());
    assert_eq!(child.wait().unwrap().code(), Some(130));

    let mut child = start(" --resume");
    let lines = until(&mut child, "epoch  6/40");
    child.kill().unwrap();
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), None);

    let (code, said) = run(folder.path(), &arguments("stopped", " --resume"));
    assert_eq!(code, Some(0), "{said}");
    assert!(model("stopped") == model("straight"), "the parameters differ");
}
