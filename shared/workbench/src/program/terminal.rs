//! How a program speaks: its lines, its exit code.

use super::threads;
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
    match threads::begin()
        .and_then(|()| body())
        .and_then(|()| unsaid().map_or(Ok(()), |reason| Err(Error::Argument(reason))))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted(what)) => {
            let _ = writeln!(std::io::stderr(), "{}", one_line(&what));
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {}", one_line(&error.to_string()));
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

/// A message as one line of bearable length, whatever the names in it are.
fn one_line(message: &str) -> String {
    const LONGEST: usize = 1000;
    let mut line: String =
        message.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if message.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_names_are_in_it_a_message_is_one_line() {
        assert_eq!(one_line("a\r\nb\u{85}c\u{1b}[31m ü"), "a  b c [31m ü");
        let long = one_line(&"word ".repeat(400_000));
        assert_eq!((long.chars().count(), long.chars().last()), (1001, Some('…')));
    }
}
