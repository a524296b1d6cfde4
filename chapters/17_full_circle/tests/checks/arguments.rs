//! The program on chapter 1's points and on files as people have them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_full_circle");
    Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

#[track_caller]
fn refused(output: &Output, line: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("error: {line}\n"));
    assert_eq!(output.status.code(), Some(2), "{line}");
}

#[test]
fn eight_fits_of_own_points() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..30).map(|i| format!("2024-01-{:02},{}\n", i + 1, 10 + i * i % 7)).collect();
    fs::write(folder.path().join("points.csv"), format!("day,degrees\n{rows}")).unwrap();
    let output = run(
        folder.path(),
        &["--data", "points.csv", "--x", "day", "--y", "degrees", "--out", "here"],
    );
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    for name in full_circle::Kind::ALL.map(full_circle::Kind::name) {
        assert!(said.contains(name), "{name}: {said}");
    }
    let figure = fs::read_to_string(folder.path().join("here/estimators.svg")).unwrap();
    assert!(figure.starts_with("<svg"));
    let results = fs::read_to_string(folder.path().join("here/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!(
        (results["rows"].as_u64(), results["fits"].as_array().unwrap().len()),
        (Some(30), 8)
    );
}

#[test]
fn what_is_no_curve_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("x,y\n1,2\n2,3\n", "points.csv: at least three rows of data are needed"),
        ("x,y\n7,1\n7,2\n7,4\n", "points.csv: column `x` holds 7 only: a curve needs different x"),
        ("x,y\n1,2\n2,warm\n3,4\n", "points.csv:3: column `y` holds `warm`, which is not a number"),
        ("x,z\n1,2\n2,3\n", "points.csv:1: there is no column `y`; the columns are `x`, `z`"),
    ];
    for (text, line) in cases {
        fs::write(folder.path().join("points.csv"), text).unwrap();
        let output = run(folder.path(), &["--data", "points.csv"]);
        refused(&output, line);
        assert!(!folder.path().join("out").exists(), "{line}");
    }
    refused(
        &run(folder.path(), &["--data", "none.csv"]),
        "none.csv: cannot be read: no such file or directory",
    );
}
