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
    /// Attempts that are right, and those that are not.
    solved: AtomicUsize,
    wrong: Mutex<Vec<u32>>,
    /// What is still to be done, in order.
    open: Mutex<Vec<(u32, String)>>,
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
        Suite { folder, chapter, time_limit: Duration::from_secs(20), exercises: Vec::new() }
    }

    /// Adds the next exercise, with the learner's answer and the right one.
    pub fn exercise<F: Copy + Send + 'static>(
        self,
        exercise: Exercise<F>,
        attempt: F,
        solution: F,
    ) -> Self {
        self.capstone(exercise, &[], attempt, solution)
    }

    /// Adds an exercise in which nothing is left to write: its answer is the answers of others, those
    /// with the numbers `needs`, as a struct of functions. Until these are solved it is ignored and
    /// says which are missing. Its check shows with [`show`](super::show) what they can do together.
    pub fn capstone<F: Copy + Send + 'static>(
        mut self,
        exercise: Exercise<F>,
        needs: &'static [u32],
        attempt: F,
        solution: F,
    ) -> Self {
        let bound = |answer: F| -> Check { Box::new(move || (exercise.check)(answer)) };
        let answers = Answers {
            attempt: bound(attempt),
            solution: bound(solution),
            wrong: exercise.wrong.iter().map(|wrong| bound(wrong.answer)).collect(),
        };
        self.exercises.push((Entry::new(self.chapter, &exercise, needs), answers));
        self
    }

    /// How long one check may take before it counts as endless; twenty seconds unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Looks whether the catalogue is complete; runs every check on the solution, on the wrong
    /// answers and on the attempt. Ends with "2 of 5 solved, 1 wrong, 2 open – next: …", counting the
    /// attempts that ran. With `--show-output` prints what a learner who gives one of the wrong
    /// answers would read.
    pub fn run(self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        // In the chapter's order, unless `--test-threads` says otherwise.
        arguments.test_threads = arguments.test_threads.or(Some(1));
        let (all, tally) = (self.exercises.len(), Arc::new(Tally::default()));
        let chapter = self.chapter;
        let asked = number(arguments.filter.as_deref().unwrap_or_default()).map(str::to_owned);
        let told = arguments.format != Some(FormatSetting::Json) && !arguments.list;
        let mut trials = self.trials(&tally, told);
        if let Some(asked) = asked {
            trials.retain(|trial| last_part(trial.name()).starts_with(&format!("{asked}_")));
        }
        let conclusion = libtest_mimic::run(&arguments, trials);
        if told {
            if arguments.show_output {
                let mut rejections = lock(&tally.rejections);
                rejections.sort();
                rejections.iter().for_each(|(name, text)| println!("---- {name} ----\n{text}\n"));
            }
            let ran = conclusion.num_passed + conclusion.num_failed + conclusion.num_ignored;
            match &arguments.filter {
                Some(filter) if ran == 0 => println!(
                    "no exercise is called “{filter}”: filter by number, {chapter}.1, or by words of the title\n"
                ),
                _ => tally.tell(all),
            }
        }
        conclusion.exit_code()
    }

    /// The catalogue, solutions, wrong answers, attempts.
    fn trials(self, tally: &Arc<Tally>, told: bool) -> Vec<Trial> {
        let complaints = complaints(&self.folder, self.exercises.iter().map(|(entry, _)| entry));
        let catalogue = Trial::test("catalogue", move || {
            if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
        });
        let (mut solutions, mut mistakes) = (vec![catalogue], Vec::new());
        let mut attempts = Vec::new();
        let (number, limit) = (self.chapter, self.time_limit);
        let judge = Judge { chapter: self.folder, limit, shows: false };
        for (entry, answers) in self.exercises {
            solutions.push(solution(&entry, judge.clone(), answers.solution));
            let shown = Judge { shows: told && !entry.needs.is_empty(), ..judge.clone() };
            attempts.push(attempt(&entry, number, shown, answers.attempt, Arc::clone(tally)));
            mistakes.push(rejected(entry, judge.clone(), answers.wrong, Arc::clone(tally)));
        }
        solutions.into_iter().chain(mistakes).chain(attempts).collect()
    }
}

/// `3.1` of the filters `3.1` and `mistakes::3.1`: one exercise. Sought within the names, as filters are, it would
/// be found in those of 3.10 and 13.1 as well.
fn number(filter: &str) -> Option<&str> {
    let number = last_part(filter);
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (chapter, exercise) = number.split_once('.')?;
    (all_digits(chapter) && all_digits(exercise)).then_some(number)
}

/// `3.2_masked_softmax` of `mistakes::3.2_masked_softmax`.
fn last_part(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, last)| last)
}

impl Tally {
    /// Those of these exercises that this run has found open or wrong.
    fn unsolved(&self, needs: &[u32]) -> Vec<u32> {
        let open: Vec<u32> = lock(&self.open).iter().map(|(number, _)| *number).collect();
        let wrong = lock(&self.wrong).clone();
        let unsolved = |number: &u32| open.contains(number) || wrong.contains(number);
        needs.iter().copied().filter(unsolved).collect()
    }

    /// The last line: how far one has come, and what is next.
    fn tell(&self, all: usize) {
        let (solved, wrong) = (self.solved.load(Ordering::SeqCst), lock(&self.wrong).len());
        let mut open = lock(&self.open);
        open.sort();
        let ran = solved + wrong + open.len();
        if ran == 0 {
            return;
        }
        let wrong = if wrong > 0 { format!(", {wrong} wrong") } else { String::new() };
        let others = if ran < all { format!(" ({} not run)", all - ran) } else { String::new() };
        let next = open
            .first()
            .map_or(String::new(), |(_, next)| format!(", {} open – next: {next}", open.len()));
        println!("{solved} of {ran} solved{wrong}{next}{others}\n");
    }
}

/// The learner's answer: ignored while it is open.
fn attempt(entry: &Entry, chapter: u32, judge: Judge, check: Check, tally: Arc<Tally>) -> Trial {
    let (number, needs, heading) = (entry.number, entry.needs, entry.heading.clone());
    let todo = format!("TODO {}", entry.effort);
    let next = format!("{} {}", entry.title, entry.effort);
    let opens_after = move |missing: &[u32]| {
        let names: Vec<String> = missing.iter().map(|n| format!("{chapter}.{n}")).collect();
        format!("opens after {}", names.join(", "))
    };
    Trial::ignorable_test(&entry.name, move || {
        let missing = tally.unsolved(needs);
        if !missing.is_empty() {
            lock(&tally.open).push((number, next));
            return Ok(Completion::ignored_with(opens_after(&missing)));
        }
        match judge.run(check) {
            Outcome::Accepted => {
                tally.solved.fetch_add(1, Ordering::SeqCst);
                Ok(Completion::Completed)
            }
            Outcome::Open(_) => {
                lock(&tally.open).push((number, next));
                let todo = if needs.is_empty() { todo } else { opens_after(needs) }; // one of them
                Ok(Completion::ignored_with(todo))
            }
            Outcome::Rejected(message) | Outcome::Endless(message) => {
                lock(&tally.wrong).push(number);
                Err(format!("{heading}\n{message}").into())
            }
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

/// The wrong answers: each must be rejected, with its hint.
fn rejected(entry: Entry, judge: Judge, checks: Vec<Check>, tally: Arc<Tally>) -> Trial {
    let name = format!("mistakes::{}", entry.name);
    Trial::test(name.clone(), move || {
        let mut complaints = Vec::new();
        for ((answer, hint), check) in entry.wrong.iter().zip(checks) {
            let complaint = match judge.clone().run(check) {
                Outcome::Rejected(message) if message.contains(hint) => {
                    let trial = format!("{name}::{}", slug(answer));
                    lock(&tally.rejections).push((trial, message));
                    continue;
                }
                Outcome::Rejected(message) => {
                    format!("rejected, but without the hint “{hint}”:\n{message}")
                }
                Outcome::Accepted => format!("accepted: for the check it solves {}", entry.heading),
                Outcome::Open(message) => format!("neither right nor wrong: {message}"),
                Outcome::Endless(message) => message,
            };
            complaints.push(format!("the wrong answer “{answer}”: {complaint}"));
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n\n").into()) }
    })
}
