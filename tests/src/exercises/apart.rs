//! One attempt in a process of its own: a stack overflow, `std::process::exit` and an abort end the process, not
//! the thread. The program starts itself again, with the same arguments and two variables: which exercise, and
//! into which file the outcome goes. What an attempt prints goes where it always does.

use std::env::{self, current_exe};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, id};
use std::{fs, io};

use super::catalogue::Entry;
use super::judge::Outcome;

const EXERCISE: &str = "EXERCISE";
const OUTCOME: &str = "EXERCISE_OUTCOME";

/// What the process that started this one wants of it.
pub(super) struct Errand {
    /// The exercise's name.
    pub exercise: String,
    outcome: PathBuf,
}

impl Errand {
    /// `None` in the process that the learner has started.
    pub fn of_this_process() -> Option<Errand> {
        let (exercise, outcome) = (env::var(EXERCISE).ok()?, env::var_os(OUTCOME)?);
        Some(Errand { exercise, outcome: outcome.into() })
    }

    pub fn done(self, outcome: &Outcome) -> io::Result<()> {
        fs::write(self.outcome, serde_json::to_vec(outcome)?)
    }
}

/// The outcome of the attempt at this exercise, by another process.
pub(super) fn judged_apart(entry: &Entry) -> Outcome {
    match current_exe() {
        Ok(program) => judged_by(&program, env::args_os().skip(1), &entry.name),
        Err(error) => cannot_start(&error),
    }
}

/// The outcome of the attempt at the exercise with this name, `3.2_masked_softmax`, by a process of this test program.
pub fn judged_by(
    program: &Path,
    arguments: impl IntoIterator<Item = OsString>,
    exercise: &str,
) -> Outcome {
    let file = env::temp_dir().join(format!("exercise-{}-{exercise}", id()));
    let status =
        Command::new(program).args(arguments).env(EXERCISE, exercise).env(OUTCOME, &file).status();
    let outcome = fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let _ = fs::remove_file(&file); // not there when the attempt ended its process
    match (outcome, status) {
        (Some(outcome), _) => outcome,
        (None, Ok(status)) => Outcome::Rejected(ended(status)),
        (None, Err(error)) => cannot_start(&error),
    }
}

fn cannot_start(error: &io::Error) -> Outcome {
    Outcome::Rejected(format!("the test program cannot be started: {error}"))
}

fn ended(status: ExitStatus) -> String {
    let why = match status.code() {
        Some(_) => "an answer returns, it does not exit",
        None => "does it call itself without end, or ask for more memory than there is?",
    };
    format!("your code ended the whole program ({status}): {why}")
}
