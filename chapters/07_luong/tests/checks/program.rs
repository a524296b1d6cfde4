//! What the program says to arguments that make no sense together.

use std::process::Command;
use tempfile::tempdir;

/// One line, and nothing is trained or written.
#[test]
fn a_comparison_of_nothing_is_refused() {
    for (arguments, told) in [
        (
            "--only local_x",
            "error: --only local_x: no such row; there are bahdanau fed, global_location plain",
        ),
        (
            "--what stuck --only dots",
            "error: --only dots: no such row; there are local_p_dot, local_p_general\n",
        ),
        ("--what stuck --hidden 9", "error: an odd number of entries has no half\n"),
    ] {
        let place = tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_luong"))
            .arg("compare")
            .args(arguments.split(' '))
            .args(["--pairs", "100", "--epochs", "1", "--out"])
            .arg(place.path().join("out"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(told), "{arguments}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(!place.path().join("out/results.json").exists(), "{arguments}");
    }
}
