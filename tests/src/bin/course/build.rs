//! A chapter's test program, or what the compiler says against it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Compiles what `cargo test -p package --test exercises` runs, so that nothing is compiled twice, and shows Cargo's
/// progress: a first compilation may take minutes.
pub fn compiled(chapter: &Path) -> Result<PathBuf, String> {
    let name = chapter.file_name().unwrap_or_default().to_string_lossy();
    let package = name.split_once('_').map_or(&*name, |(_, package)| package);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["test", "--package", package, "--test", "exercises", "--no-run"]);
    cargo.arg("--message-format=json").stderr(Stdio::inherit());
    let output = cargo.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut program = None;
    for message in messages {
        let error = &message["message"];
        if error["level"] == "error" && error["spans"].as_array().is_some_and(|s| !s.is_empty()) {
            return Err(shortened(error["rendered"].as_str().unwrap_or_default()));
        }
        if message["target"]["name"] == "exercises" {
            program = message["executable"].as_str().map(PathBuf::from).or(program);
        }
    }
    program.filter(|_| output.status.success()).ok_or("cargo says above why".into())
}

/// The beginning of an error, its place without the compiler's detour through the tests.
fn shortened(error: &str) -> String {
    let error = error.replace('\\', "/").replace("tests/exercises/../../", "");
    error.lines().take(14).collect::<Vec<_>>().join("\n")
}
