//! A chapter's test program, or what the compiler says against it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// So many lines of an error are shown: the message, the place, the line itself, a note or two.
const LINES: usize = 14;

/// Compiles what `cargo test -p package --test exercises` runs, so that nothing is compiled twice. A first compilation
/// may take minutes, and shows Cargo's progress.
pub fn compiled(root: &Path, package: &str, is_first: bool) -> Result<PathBuf, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["test", "--package", package, "--test", "exercises", "--no-run"]);
    cargo.arg("--message-format=json").current_dir(root);
    if is_first {
        cargo.stderr(Stdio::inherit());
    } else {
        cargo.arg("--quiet");
    }
    let output = cargo.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let (program, errors) = told(messages);
    if let Some(first) = errors.first() {
        let others = match errors.len() - 1 {
            0 => String::new(),
            others => format!("\n(and {others} more)"),
        };
        return Err(format!("{}{others}", shortened(first)));
    }
    let unknown = || String::from_utf8_lossy(&output.stderr).trim().to_string();
    program.filter(|_| output.status.success()).ok_or_else(unknown)
}

/// The program among Cargo's messages, and the errors with a place.
fn told(messages: impl Iterator<Item = Value>) -> (Option<PathBuf>, Vec<String>) {
    let (mut program, mut errors) = (None, Vec::new());
    for message in messages {
        if let Some(path) = message["executable"].as_str()
            && message["target"]["name"] == "exercises"
        {
            program = Some(path.into());
        }
        let diagnosis = &message["message"];
        let has_place = diagnosis["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        if diagnosis["level"] == "error" && has_place {
            errors.extend(diagnosis["rendered"].as_str().map(String::from));
        }
    }
    (program, errors)
}

/// The beginning of an error, its place without the compiler's detour through the tests.
fn shortened(error: &str) -> String {
    let error = error.replace('\\', "/").replace("tests/exercises/../../", "");
    let mut lines: Vec<&str> = error.trim_end().lines().collect();
    if lines.len() > LINES {
        lines.truncate(LINES - 1);
        lines.push("…");
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let text = r#"{"executable":"/t/toy","target":{"name":"toy"}}
{"executable":"/t/deps/exercises-1","target":{"name":"exercises"}}
{"message":{"level":"warning","spans":[1],"rendered":"unused"}}
{"message":{"level":"error","spans":[1],"rendered":"error: a"}}
{"message":{"level":"error","spans":[],"rendered":"error: aborting"}}"#;
        let (program, errors) = told(text.lines().map(|line| serde_json::from_str(line).unwrap()));
        assert_eq!(program, Some("/t/deps/exercises-1".into()));
        assert_eq!(errors, ["error: a"]);
    }

    #[test]
    fn an_error_names_the_file_that_one_edits() {
        let place = "chapters/07_toy/tests/exercises/../../exercises/mod.rs:8:5";
        let text = shortened(&format!("error\n --> {place}\n{}", "note\n".repeat(20)));
        assert!(text.starts_with("error\n --> chapters/07_toy/exercises/mod.rs:8:5\nnote\n"));
        assert_eq!(text.lines().count(), LINES);
        assert_eq!(shortened("one line\n"), "one line");
    }
}
