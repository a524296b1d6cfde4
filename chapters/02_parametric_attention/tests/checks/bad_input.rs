//! The program where numbers end: it says so in one line, and nothing is written.

use std::process::Command;

fn refused(arguments: &[&str], file: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("points.csv"), file).unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_parametric_attention"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8(program.stderr).unwrap();
    assert_eq!(program.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(!folder.path().join("out/parametric_attention/results.json").exists(), "{arguments:?}");
    told
}

#[test]
fn a_rate_that_leads_to_infinity_is_refused() {
    for (rate, reason) in [
        ("1e30", "at most 1e6 is allowed"),
        ("0", "a positive number is needed"),
        ("-1", "a positive number is needed"),
        ("NaN", "a positive number is needed"),
        ("inf", "a positive number is needed"),
    ] {
        let told = refused(&["--learning-rate", rate], "");
        assert_eq!(told, format!("error: --learning-rate {rate}: {reason}\n"));
    }
}

#[test]
fn a_width_too_large_for_a_number_is_refused() {
    let rows: String = (0..60).map(|i| format!("{i}e-308,{}\n", i % 2 * 5 + i / 30)).collect();
    let told = refused(&["--data", "points.csv"], &format!("x,y\n{rows}"));
    assert_eq!(
        told,
        "error: points.csv: no finite width comes out: measure x or y in other units\n"
    );
}
