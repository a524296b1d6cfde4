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
        Ok(Outcome::Rejected(why)) => {
            let cell = std::env::var("EVCXR_TMPDIR").unwrap_or_default();
            let code = std::fs::read_to_string(Path::new(&cell).join(CELL)).unwrap_or_default();
            format!("{}: not yet\n{}", task.title, with_own_line(&why, &code))
        }
        Err(_) => {
            drop(panic::take_hook()); // the check's, which it cannot take back
            let (title, seconds) = (task.title, LIMIT.as_secs());
            format!(
                "{title}: no answer after {seconds} seconds. An endless loop? Restart the kernel to end it"
            )
        }
    }
}

/// The file that the kernel makes of a cell.
const CELL: &str = "src/lib.rs";

/// The cell's line in place of its number in the file of this code, which nobody has seen.
fn with_own_line(why: &str, code: &str) -> String {
    let at = format!(" at {CELL}:");
    let own = || {
        let (before, rest) = why.split_once(&at)?;
        let (place, after) = rest.split_once(":\n")?;
        let line = place.split(':').next()?.parse::<usize>().ok()?;
        Some(format!("{before} at {}:\n{after}", code.lines().nth(line.checked_sub(1)?)?.trim()))
    };
    own().unwrap_or_else(|| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::{verdict, with_own_line};
    use crate::exercises::{Exercise, wrong};

    type Mean = fn(f32, f32) -> f32;

    const MEAN: Exercise<Mean> = Exercise {
        check: |mean| assert_eq!(mean(1.0, 3.0), 2.0),
        wrong: &[wrong("a sum: divide by two", |a, b| a + b)],
    };

    #[test]
    fn an_answer_in_a_cell_is_judged_with_the_hints_of_its_exercise() {
        let judged = |name: &str, answer| verdict(TOY, ("7.1", name), MEAN, answer);
        assert_eq!(judged("mean", |a, b| (a + b) / 2.0), "7.1 mean of each column: solved");
        let open = judged("mean", |_, _| todo!());
        assert_eq!(open, "7.1 mean of each column: open, ●○○ 1 minute");
        let sum = judged("mean", |a, b| a + b);
        assert!(sum.contains("not yet") && sum.contains("a sum: divide by two"), "{sum}");
        assert!(!judged("mean", |a, _| a).contains("a sum"));
        assert!(std::panic::catch_unwind(|| judged("softmax", |a, _| a)).is_err());
    }

    const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/07_toy");

    #[test]
    fn a_panic_in_a_cell_shows_its_line() {
        let why = "your code panicked at src/lib.rs:2:9:\n    too long";
        let shown = with_own_line(why, "fn f() {\n    v[3];\n}");
        assert_eq!(shown, "your code panicked at v[3];:\n    too long");
        assert_eq!(with_own_line(why, ""), why);
        assert_eq!(with_own_line("off by one", "a"), "off by one");
    }
}
