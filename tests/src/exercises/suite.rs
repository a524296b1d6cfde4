//! All exercises of a chapter, and one run over attempts, solutions and wrong answers.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, FormatSetting, Trial};

use super::Exercise;
use super::catalogue::{Entry, complaints, slug};
use super::judge::{Check, Judge, Outcome};
use super::panics::lock;

/// All exercises of a chapter.
pub struct Suite {
    folder: PathBuf,
    chapter: u32,
    time_limit: Duration,
    exercises: Vec<(Entry, Answers)>,
}

/// The checks of one exercise, each bound to an answer.
struct Answers {
    attempt: Check,
    solution: Check,
    /// In the order of the entry's wrong answers.
    wrong: Vec<Check>,
}

/// What one run has seen.
#[derive(Default)]
struct Tally {
    /// Attempts that were looked at, and those among them that are right.
    attempts: AtomicUsize,
    solved: AtomicUsize,
    /// The names of wrong answers, with what a learner would read.
    rejections: Mutex<Vec<(String, String)>>,
}

impl Suite {
    /// The suite of the chapter in this folder, `env!("CARGO_MANIFEST_DIR")`: the number is the
    /// folder's, `03_scoring_functions`.
    ///
    /// # Panics
    /// When the folder's name does not begin with a number and `_`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let number =
            folder.file_name().and_then(|name| name.to_str()?.split_once('_')?.0.parse().ok());
        let chapter = number.unwrap_or_else(|| {
            panic!("{}: a chapter's folder is named like 03_scoring_functions", folder.display())
        });
        Suite { folder, chapter, time_limit: Duration::from_secs(60), exercises: Vec::new() }
    }

    /// Adds the next exercise, with the learner's answer and the right one.
    pub fn exercise<F: Copy + Send + 'static>(
        mut self,
        exercise: Exercise<F>,
        attempt: F,
        solution: F,
    ) -> Self {
        let bound = |answer: F| -> Check { Box::new(move || (exercise.check)(answer)) };
        let answers = Answers {
            attempt: bound(attempt),
            solution: bound(solution),
            wrong: exercise.wrong.iter().map(|wrong| bound(wrong.answer)).collect(),
        };
        self.exercises.push((Entry::new(self.chapter, &exercise), answers));
        self
    }

    /// How long one check may take before it counts as endless; a minute unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Runs every check on the attempt, then on the solution, then on the wrong answers, and looks
    /// whether the catalogue is complete. Ends with "2 of 5 solved", counting the attempts that ran.
    /// With `--show-output` prints what a learner who gives one of the wrong answers would read.
    pub fn run(self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        // In the chapter's order, unless `--test-threads` says otherwise.
        arguments.test_threads = arguments.test_threads.or(Some(1));
        let (all, tally) = (self.exercises.len(), Arc::new(Tally::default()));
        let conclusion = libtest_mimic::run(&arguments, self.trials(&tally));
        if arguments.format != Some(FormatSetting::Json) {
            if arguments.show_output {
                let mut rejections = lock(&tally.rejections);
                rejections.sort();
                rejections.iter().for_each(|(name, text)| println!("---- {name} ----\n{text}\n"));
            }
            let count = |number: &AtomicUsize| number.load(Ordering::SeqCst);
            let (ran, solved) = (count(&tally.attempts), count(&tally.solved));
            match all - ran {
                _ if ran == 0 => {}
                0 => println!("{solved} of {ran} solved\n"),
                others => println!("{solved} of {ran} solved ({others} not run)\n"),
            }
        }
        conclusion.exit_code()
    }

    /// Attempts, solutions, the catalogue, wrong answers.
    fn trials(self, tally: &Arc<Tally>) -> Vec<Trial> {
        let complaints = complaints(&self.folder, self.exercises.iter().map(|(entry, _)| entry));
        let (mut attempts, mut solutions) = (Vec::new(), Vec::new());
        let mut mistakes = vec![Trial::test("catalogue", move || {
            if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
        })];
        let judge = Judge { chapter: self.folder, limit: self.time_limit };
        for (entry, answers) in self.exercises {
            attempts.push(attempt(&entry, judge.clone(), answers.attempt, Arc::clone(tally)));
            solutions.push(solution(&entry, judge.clone(), answers.solution));
            for (number, check) in answers.wrong.into_iter().enumerate() {
                mistakes.push(mistake(&entry, number, judge.clone(), check, Arc::clone(tally)));
            }
        }
        attempts.into_iter().chain(solutions).chain(mistakes).collect()
    }
}

/// The learner's answer: ignored while it is open.
fn attempt(entry: &Entry, judge: Judge, check: Check, tally: Arc<Tally>) -> Trial {
    let todo = format!("TODO {}", entry.heading);
    Trial::ignorable_test(&entry.name, move || {
        tally.attempts.fetch_add(1, Ordering::SeqCst);
        match judge.run(check) {
            Outcome::Accepted => {
                tally.solved.fetch_add(1, Ordering::SeqCst);
                Ok(Completion::Completed)
            }
            Outcome::Open(_) => Ok(Completion::ignored_with(todo)),
            Outcome::Rejected(message) | Outcome::Endless(message) => Err(message.into()),
        }
    })
}

/// The right answer: it must be there, and accepted.
fn solution(entry: &Entry, judge: Judge, check: Check) -> Trial {
    Trial::test(format!("solutions::{}", entry.name), move || match judge.run(check) {
        Outcome::Accepted => Ok(()),
        Outcome::Open(message) => Err(format!("the solution is missing: {message}").into()),
        Outcome::Rejected(message) | Outcome::Endless(message) => Err(message.into()),
    })
}

/// A wrong answer: it must be rejected, with its hint.
fn mistake(entry: &Entry, number: usize, judge: Judge, check: Check, tally: Arc<Tally>) -> Trial {
    let (answer, hint) = entry.wrong[number];
    let (heading, trial) =
        (entry.heading.clone(), format!("mistakes::{}::{}", entry.name, slug(answer)));
    Trial::test(trial.clone(), move || {
        let complaint = match judge.run(check) {
            Outcome::Rejected(message) if message.contains(hint) => {
                lock(&tally.rejections).push((trial, message));
                return Ok(());
            }
            Outcome::Rejected(message) => {
                format!("rejected, but without the hint “{hint}”:\n{message}")
            }
            Outcome::Accepted => {
                format!("accepted: for the check “{answer}” is a solution of {heading}")
            }
            Outcome::Open(message) => format!("neither right nor wrong: {message}"),
            Outcome::Endless(message) => message,
        };
        Err(complaint.into())
    })
}
