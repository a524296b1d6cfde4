//! Exercises that call back: `cargo run -p tests --bin course`, then solve in your editor.
//!
//! Looks three times a second whether a file of exercises was saved, runs what changed in it, and says what comes
//! next. A dozen files need no library that watches them, and polling works on every file system. Commands are
//! lines, so the terminal is never in a mode from which it must be brought back.

mod build;
mod session;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use session::Session;

const USAGE: &str =
    "usage: course [--edit-cmd \"code -g {file}:{line}\"] [3.2 | status [--json] | next | check 3.2]

It watches the exercises, and runs what changed when a file is saved; `git restore -p FILE` brings a gap back.
`status --json` lists every exercise with its state, for whoever collects them.
`check` ends with 0 when the exercise is solved, with 1 when it is not, and with 2 when there is none.";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    course(&arguments).unwrap_or_else(|complaint| {
        eprintln!("{complaint}");
        ExitCode::from(2)
    })
}

fn course(arguments: &[&str]) -> Result<ExitCode, String> {
    let (editor, arguments) = match arguments {
        ["--edit-cmd", editor, rest @ ..] => (Some(editor.to_string()), rest),
        all => (None, all),
    };
    let mut session = Session::new(editor).ok_or("start it in the course's folder")?;
    match *arguments {
        ["--help" | "-h"] => println!("{USAGE}"),
        [] => session.watch(),
        ["status" | "next"] => session.status(),
        // Whoever reads it may have read enough.
        ["status", "--json"] => drop(writeln!(io::stdout(), "{:#}", session.states())),
        ["check", wanted] if session.find(wanted) => {
            return Ok(ExitCode::from(u8::from(!session.run_current())));
        }
        ["check", wanted] => return Err(format!("no exercise is called “{wanted}”")),
        [wanted] if session.find(wanted) => session.watch(),
        _ => return Err(USAGE.into()),
    }
    Ok(ExitCode::SUCCESS)
}
