//! An answer that stands in a cell of a notebook.

use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{panic, thread};

use super::judge::{Outcome, judged_attempt};
use super::{Exercise, tasks};

/// How long a check may take: a cell cannot be ended, only its kernel.
const LIMIT: Duration = Duration::from_secs(20);

/// Judges the function of this name in the notebook, as `cargo test` judges the chapter's exercise of this number: the
/// same check, the same hints.
///
/// In a chapter's notebook, after `use scoring_functions::exercises::{self, judge};`:
/// ```text
/// fn masked_softmax(scores: &Matrix, lengths: &[usize]) -> Matrix { todo!() }
/// judge!("3.2", masked_softmax);
/// ```
#[macro_export]
macro_rules! judge {
    ($number:literal, $name:ident) => {
        println!(
            "{}",
            $crate::exercises::verdict(
                exercises::CHAPTER,
                ($number, stringify!($name)),
                exercises::$name::EXERCISE,
                $name
            )
        )
    };
}

/// What [`judge!`](crate::judge) prints: the exercise, and whether this answer solves it.
///
/// # Panics
/// Panics if the chapter in this folder has no exercise of this number that asks for this function.
pub fn verdict<F: Copy + Send + 'static>(
    chapter: &'static str,
    (number, name): (&str, &str),
    exercise: Exercise<F>,
    answer: F,
) -> String {
    let folder = Path::new(chapter);
    let asked = format!("pub fn {name}(");
    let task = tasks(folder)
        .into_iter()
        .find(|task| task.title.split(' ').next() == Some(number) && task.source.contains(&asked));
    let task = task.unwrap_or_else(|| panic!("exercise {number} does not ask for `{name}`"));
    let (sender, receiver) = channel();
    let (answer, wrong) = (exercise.bound(answer), exercise.mistakes());
    thread::spawn(move || sender.send(judged_attempt(folder, answer).in_words(folder, wrong)));
    match receiver.recv_timeout(LIMIT) {
        Ok(Outcome::Accepted) => format!("{}: solved", task.title),
        Ok(Outcome::Open(_)) => format!("{}: open, {}", task.title, task.effort()),
        Ok(Outcome::Rejected(why)) => format!("{}: not yet\n{why}", task.title),
        Err(_) => {
            drop(panic::take_hook()); // the check's, which it cannot take back
            let (title, seconds) = (task.title, LIMIT.as_secs());
            format!(
                "{title}: no answer after {seconds} seconds. An endless loop? Restart the kernel to end it"
            )
        }
    }
}
