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
    files_may_be_limited();
    let ran = threads::begin().and_then(|fewer| {
        fewer.into_iter().for_each(say_aside);
        body()?;
        match UNSAID.get() {
            Some(reason) => {
                Err(Error::argument(format!("standard output cannot be written to: {reason}")))
            }
            None => Ok(()),
        }
    });
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted(what)) => {
            say_aside(one_line(&what));
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            say_aside(format!("error: {}", one_line(&error.to_string())));
            ExitCode::from(2)
        }
    }
}

/// A file that grows beyond `ulimit -f` is to be an error of writing, not the end of the program.
fn files_may_be_limited() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        // SAFETY: ignores; no code of ours runs in a signal.
        let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
    }
}

/// So many of a thing: `1 line`, `2 lines`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Ends the program with an error where none can be handed on, in the midst of mathematics.
pub fn end(error: Error) -> ! {
    say_aside(format!("error: {}", one_line(&error.to_string())));
    std::process::exit(2);
}

/// Why standard output took no more, if it did not: said at the end, for the work is worth more than
/// its words.
static UNSAID: OnceLock<String> = OnceLock::new();

/// Prints a line. Unlike `println!` it does not panic when the reader of a pipe has left; any other
/// failure makes [`run`] end with an error. Words of others cannot steer the terminal: of control
/// characters, only the ends of lines and tabs are left.
pub fn say(line: impl Display) {
    match writeln!(std::io::stdout(), "{}", harmless(&line.to_string())) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            UNSAID.get_or_init(|| plain(&error));
        }
        _ => {}
    }
}

/// Prints a line for whoever is listening, beside the answer of the program: on standard error.
pub fn say_aside(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(&line.to_string()));
}

/// A text without what a terminal would obey: an escape sequence becomes the letters in it.
fn harmless(text: &str) -> String {
    text.replace(|c| is_steering(c) && !matches!(c, '\n' | '\t'), " ")
}

/// Control characters, and those that turn round what stands after them.
fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text out of a file, for a terminal: control characters, by which it could move the cursor or change
/// what stands above, are written as JSON writes them.
///
/// ```
/// use workbench::program::printable;
/// assert_eq!(printable("café \u{1b}[2J"), r"café \u001b[2J");
/// ```
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if is_steering(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() })
        .collect()
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
    fn what_is_said_cannot_steer_a_terminal() {
        assert_eq!(harmless("a\tb\r\n\u{1b}[31m\u{9b}2J\u{7} é"), "a\tb \n [31m 2J  é");
    }

    #[test]
    fn whatever_names_are_in_it_a_message_is_one_line() {
        assert_eq!(one_line("a\r\nb\u{85}c\u{1b}[31m ü"), "a  b c [31m ü");
        let long = one_line(&"word ".repeat(400_000));
        assert_eq!((long.chars().count(), long.chars().last()), (1001, Some('…')));
    }
}
