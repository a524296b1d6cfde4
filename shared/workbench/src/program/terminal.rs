//! How a program speaks: its lines, its progress, its exit code.

use crate::error::{Error, INTERRUPTED, Result};
use crate::files::plain;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

/// Runs a program's body; an error becomes one line on standard error and exit code 2, or 130 when
/// Ctrl-C was pressed.
pub fn run(body: impl FnOnce() -> Result<()>) -> ExitCode {
    let unsaid =
        || UNSAID.get().map(|reason| format!("standard output cannot be written to: {reason}"));
    match body().and_then(|()| unsaid().map_or(Ok(()), |reason| Err(Error::Argument(reason)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted(what)) => {
            let _ = writeln!(std::io::stderr(), "{what}");
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Why standard output took no more, if it did not: told at the end, for the work is worth more than
/// its words.
static UNSAID: OnceLock<String> = OnceLock::new();

/// Prints a line. Unlike `println!` it does not panic when the reader of a pipe has left; any other
/// failure makes [`run`] end with an error.
pub fn say(line: impl Display) {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            UNSAID.get_or_init(|| plain(&error));
        }
        _ => {}
    }
}

/// A progress bar with the time left, on standard error, for work that may take more than two
/// seconds; hidden when that is no terminal. `step` names what is counted: `bar.inc(1)` after each.
pub fn progress(total: u64, step: &str) -> indicatif::ProgressBar {
    let template = format!("{{msg:24}} {{bar:32}} {{pos}}/{{len}} {step}, {{eta}} left");
    let style = indicatif::ProgressStyle::with_template(&template);
    indicatif::ProgressBar::new(total).with_style(style.expect("the template is well-formed"))
}

/// The most memory the process has held so far, in bytes, where the system tells (Linux).
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
