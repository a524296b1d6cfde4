//! An attempt runs in a process of its own, `program --attempt 3.2_masked_softmax FILE`: a stack overflow,
//! `std::process::exit` and an abort end that process, and an endless loop is ended with it. What the attempt prints
//! goes where it always does; the outcome goes into the file.

use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio, exit, id};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

use super::judge::Outcome;

const ATTEMPT: &str = "--attempt";

/// The outcome of the attempt at the exercise with this name, `3.2_masked_softmax`, by a process of this test program.
pub fn attempted(program: &Path, exercise: &str, is_quiet: bool) -> Outcome {
    let file = env::temp_dir().join(format!("exercise-{}-{exercise}", id()));
    let mut command = Command::new(program);
    command.args([ATTEMPT, exercise]).arg(&file);
    if is_quiet {
        command.stdout(Stdio::null());
    }
    let status = command.status();
    let outcome = fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let _ = fs::remove_file(&file); // not there when the attempt ended its process
    match (outcome, status) {
        (Some(outcome), _) => outcome,
        (None, Ok(status)) => Outcome::Rejected(ended(status)),
        (None, Err(error)) => {
            Outcome::Rejected(format!("the test program cannot be started: {error}"))
        }
    }
}

fn ended(status: ExitStatus) -> String {
    let why = match status.code() {
        Some(_) => "an answer returns, it does not exit",
        None => "does it call itself without end, or ask for more memory than there is?",
    };
    format!("your code ended the whole program ({status}): {why}")
}

/// Exercise and file, in a process that was started for one attempt.
pub(super) fn asked() -> Option<(String, String)> {
    let mut arguments = env::args().skip(1);
    (arguments.next()? == ATTEMPT).then_some(())?;
    Some((arguments.next()?, arguments.next()?))
}

/// Reports the outcome of this work. After `limit` an endless loop is reported, and the process ends.
pub(super) fn reported<R>(
    file: String,
    limit: Duration,
    work: impl FnOnce() -> R,
    in_words: impl FnOnce(R) -> Outcome,
) -> ExitCode {
    let report = |file: &str, outcome: &Outcome| {
        let text = serde_json::to_vec(outcome).expect("an outcome is JSON");
        fs::write(file, text).unwrap_or_else(|error| panic!("{file}: {error}"));
    };
    let has_ended = Arc::new(AtomicBool::new(false));
    let (watched, late) = (Arc::clone(&has_ended), file.clone());
    thread::spawn(move || {
        thread::sleep(limit);
        if !watched.swap(true, Ordering::SeqCst) {
            let seconds = limit.as_secs();
            let text = format!("no answer after {seconds} seconds: is there an endless loop?");
            report(&late, &Outcome::Rejected(text));
            exit(1);
        }
    });
    let found = work();
    if has_ended.swap(true, Ordering::SeqCst) {
        thread::park(); // the other thread reports
    }
    report(&file, &in_words(found));
    ExitCode::SUCCESS
}
