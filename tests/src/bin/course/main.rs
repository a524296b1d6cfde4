//! Exercises that call back: `cargo run -p tests --bin course`, then solve in your editor.
//!
//! Looks three times a second whether a file of exercises was saved, runs what changed in it, and says what comes
//! next. A dozen files need no library that watches them, and polling works on every file system. Commands are
//! lines, so the terminal is never in a mode from which it must be brought back.

mod build;
mod outline;
mod session;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, iter};

use session::Session;

const USAGE: &str =
    "usage: course [--edit-cmd \"code -g {file}:{line}\"] [3.2 | status | next | check 3.2]

Without a command it watches the exercises, and runs what changed whenever a file is saved; it begins with the first
that is open, or with the one that is named. `git restore -p FILE` brings a gap back. `check` ends with 0 when the
exercise is solved, with 1 when it is not, and with 2 when there is none of that name. The editor is $VISUAL or
$EDITOR unless --edit-cmd names another; it is waited for, unless its command ends with `&`.";

fn main() -> ExitCode {
    course(env::args().skip(1).collect()).unwrap_or_else(|complaint| {
        eprintln!("{complaint}");
        ExitCode::from(2)
    })
}

fn course(mut arguments: Vec<String>) -> Result<ExitCode, String> {
    let mut editor = editor_of_the_shell();
    if let Some(at) = arguments.iter().position(|argument| argument == "--edit-cmd") {
        let end = arguments.len().min(at + 2);
        editor = Some(arguments.drain(at..end).nth(1).ok_or(USAGE)?);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--help" | "-h"] = arguments[..] {
        println!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    }
    let root = root().ok_or("no folder `chapters` here: start it inside the course")?;
    let mut session = Session::new(root, editor).ok_or("no exercises below `chapters`")?;
    match arguments[..] {
        [] => session.watch(),
        ["status"] => session.status(),
        ["next"] => session.tell_current(),
        ["check", wanted] => {
            let at = session.find(wanted).ok_or_else(|| {
                format!("no exercise is called “{wanted}”: name it by number, 3.2, or by words of its title")
            })?;
            return Ok(if session.run(&[at]) { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        [wanted] => {
            session.current = session.find(wanted).ok_or(USAGE)?;
            session.watch();
        }
        _ => return Err(USAGE.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// The course's folder: this one, or the next above that has `chapters`.
fn root() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let mut folders = iter::successors(Some(here.as_path()), |folder| folder.parent());
    folders.find(|folder| folder.join("chapters").is_dir()).map(PathBuf::from)
}

/// With the line as vi, nano and Emacs are told it.
fn editor_of_the_shell() -> Option<String> {
    let editor = env::var("VISUAL").or_else(|_| env::var("EDITOR")).ok()?;
    Some(format!("{editor} +{{line}} {{file}}"))
}
