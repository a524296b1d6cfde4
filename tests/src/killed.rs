//! Programs that are killed.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Starts this test program once more, for one of its ignored tests, and kills it (SIGKILL) as soon as
/// it prints the line `says`.
///
/// # Panics
/// When the test is over before it says so.
pub fn kill_when(says: &str, test: &str, environment: &[(&str, &OsStr)]) {
    let mut child = Command::new(std::env::current_exe().expect("a test program"))
        .args(["--ignored", "--exact", "--nocapture", test])
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program starts once more");
    let lines = BufReader::new(child.stdout.as_mut().expect("what it prints")).lines();
    let said = lines.map_while(Result::ok).any(|line| line == says);
    child.kill().expect("a child of this program");
    child.wait().expect("a child of this program");
    assert!(said, "{test} was over before it said {says:?}");
}
