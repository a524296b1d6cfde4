//! All exercises of a chapter, and one run over attempts, solutions and wrong answers.

use std::fs::read_to_string;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, FormatSetting, Trial};

use super::Exercise;
use super::apart::{Errand, judged_apart};
use super::catalogue::{Entry, complaints, slug};
use super::judge::{Check, Judge, Outcome, Rejection};
use super::panics::lock;
use super::progress::{State, Tally};

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
    pub fn run(mut self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        // In order, unless `--test-threads` says otherwise.
        arguments.test_threads = arguments.test_threads.or(Some(1));
        let printed = arguments.format != Some(FormatSetting::Json) && !arguments.list;
        if let Some(errand) = Errand::of_this_process() {
            return self.attempted(errand, printed);
        }
        let mut complaints =
            complaints(&self.folder, self.exercises.iter().map(|(entry, _)| entry));
        self.order_as_the_page();
        let next = |entry: &Entry| (entry.number, format!("{} {}", entry.title, entry.effort));
        let exercises: Vec<_> = self.exercises.iter().map(|(entry, _)| next(entry)).collect();
        let (folder, chapter, tally) = (self.folder.clone(), self.chapter, Arc::default());

        let filter = arguments.filter.clone().unwrap_or_default();
        let in_detail = in_detail(&arguments);
        if !in_detail {
            if !filter.is_empty() {
                complaints.clear(); // the chapter's, not an exercise's
            }
            self.exercises.retain(|(entry, _)| is_meant(&entry.name, &filter));
            arguments.filter = None; // the line of the course's own check stands for all its parts
        }
        let mut trials = self.trials(complaints, in_detail, &tally);
        if let Some(number) = number(&filter).filter(|_| in_detail) {
            trials.retain(|trial| is_meant(last_part(trial.name()), number));
        }
        let conclusion = libtest_mimic::run(&arguments, trials);
        if printed {
            if arguments.show_output {
                let mut rejections = lock(&tally.rejections);
                rejections.sort();
                rejections.iter().for_each(|(name, text)| println!("---- {name} ----\n{text}\n"));
            }
            let ran = conclusion.num_passed + conclusion.num_failed + conclusion.num_ignored;
            if ran == 0 && !filter.is_empty() {
                println!(
                    "no exercise is called “{filter}”: filter by number, {chapter}.1, or by words of the title\n"
                );
            } else {
                tally.print(&folder, &exercises);
            }
        }
        conclusion.exit_code()
    }

    /// One attempt alone, for the process that has sent this one; a wrong one is compared with the typical mistakes.
    fn attempted(self, errand: Errand, printed: bool) -> ExitCode {
        let asked = |(entry, _): &(Entry, Answers)| entry.name == errand.exercise;
        let (entry, answers) = self.exercises.into_iter().find(asked).expect("one of this suite");
        let shows = printed && !entry.needs.is_empty();
        let judge = Judge { chapter: self.folder, limit: self.time_limit, shows };
        let outcome = judge.run(answers.attempt).in_words(|rejection| {
            let quiet = Judge { shows: false, ..judge };
            let hints = entry.wrong.iter().map(|(_, hint)| *hint);
            let mut typical = hints.zip(answers.wrong).filter(|(hint, _)| !hint.is_empty());
            let same = typical.find_map(|(hint, check)| match quiet.run(check) {
                Outcome::Rejected(other) if rejection.is_like(&other) => Some(hint),
                _ => None,
            });
            rejection.explained(same)
        });
        match errand.done(&outcome) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => panic!("the outcome cannot be written: {error}"),
        }
    }

    /// In the order in which the chapter's page poses them, a capstone last.
    fn order_as_the_page(&mut self) {
        let page = read_to_string(self.folder.join("README.md")).unwrap_or_default();
        let place = |title: &str| page.find(&format!("**{title}**")).unwrap_or(page.len());
        self.exercises.sort_by_key(|(entry, _)| (!entry.needs.is_empty(), place(&entry.title)));
    }

    /// The course's own check – catalogue, solutions, wrong answers – as one trial or in detail; and the attempts.
    fn trials(self, complaints: Vec<String>, in_detail: bool, tally: &Arc<Tally>) -> Vec<Trial> {
        let catalogue =
            move || if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) };
        let mut own: Vec<OwnCheck> = vec![("catalogue".into(), Box::new(catalogue))];
        let (mut mistakes, mut attempts, mut wrong) = (Vec::new(), Vec::new(), 0);
        let judge = Judge { chapter: self.folder, limit: self.time_limit, shows: false };
        for (entry, answers) in self.exercises {
            wrong += answers.wrong.len();
            own.push(solution(&entry, judge.clone(), answers.solution));
            attempts.push(attempt(entry.clone(), self.chapter, Arc::clone(tally)));
            mistakes.push(rejected(entry, judge.clone(), answers.wrong, Arc::clone(tally)));
        }
        own.extend(mistakes);
        let own = match (in_detail, attempts.len()) {
            (true, _) => own.into_iter().map(in_a_line).collect(),
            (false, 0) => Vec::new(),
            (false, solutions) => vec![in_a_line(together(own, solutions, wrong))],
        };
        own.into_iter().chain(attempts).collect()
    }
}

/// A name, and what must succeed.
type OwnCheck = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

fn in_a_line((name, check): OwnCheck) -> Trial {
    Trial::test(name, move || check().map_err(Failed::from))
}

/// All of them as one.
fn together(checks: Vec<OwnCheck>, solutions: usize, wrong: usize) -> OwnCheck {
    let name = format!("the course checks itself (solutions: {solutions}, wrong answers: {wrong})");
    let all = move || {
        let failed =
            |(name, check): OwnCheck| Some(format!("---- {name} ----\n{}", check().err()?));
        let failures: Vec<String> = checks.into_iter().filter_map(failed).collect();
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n\n")) }
    };
    (name, Box::new(all))
}

/// Whether the parts of the course's own check are asked for: by a filter that names them, by an option that is
/// about names, or to be read.
fn in_detail(arguments: &Arguments) -> bool {
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let names_them =
        ["catalogue", "solutions", "mistakes"].iter().any(|part| filter.starts_with(part));
    let by_name = arguments.exact || !arguments.skip.is_empty() || arguments.list;
    let machine = arguments.format == Some(FormatSetting::Json);
    names_them || by_name || machine || arguments.show_output
}

/// Whether the filter means the exercise with this name: by a number, or by a part of the name.
fn is_meant(name: &str, filter: &str) -> bool {
    match number(filter) {
        Some(number) => name.starts_with(&format!("{number}_")),
        None => name.contains(filter),
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

/// The learner's answer: ignored while it is open.
fn attempt(entry: Entry, chapter: u32, tally: Arc<Tally>) -> Trial {
    let opens_after = move |missing: &[u32]| {
        let names: Vec<String> = missing.iter().map(|n| format!("{chapter}.{n}")).collect();
        format!("opens after {}", names.join(", "))
    };
    Trial::ignorable_test(entry.name.clone(), move || {
        let missing = tally.unsolved(entry.needs);
        if !missing.is_empty() {
            tally.record(entry.number, State::Open);
            return Ok(Completion::ignored_with(opens_after(&missing)));
        }
        match judged_apart(&entry) {
            Outcome::Accepted => {
                tally.record(entry.number, State::Solved);
                Ok(Completion::Completed)
            }
            Outcome::Open(_) => {
                tally.record(entry.number, State::Open);
                let todo = format!("TODO {}", entry.effort);
                let one_of_them = opens_after(entry.needs);
                Ok(Completion::ignored_with(if entry.needs.is_empty() {
                    todo
                } else {
                    one_of_them
                }))
            }
            Outcome::Rejected(message) | Outcome::Endless(message) => {
                tally.record(entry.number, State::Wrong);
                Err(format!("{}\n{message}", entry.heading).into())
            }
        }
    })
}

/// The right answer: it must be there, and accepted.
fn solution(entry: &Entry, judge: Judge, check: Check) -> OwnCheck {
    let solved = move || match judge.run(check) {
        Outcome::Accepted => Ok(()),
        Outcome::Open(message) => Err(format!("the solution is missing: {message}")),
        Outcome::Rejected(rejection) => Err(rejection.explained(None)),
        Outcome::Endless(message) => Err(message),
    };
    (format!("solutions::{}", entry.name), Box::new(solved))
}

/// The wrong answers: each must be rejected, and recognised.
fn rejected(entry: Entry, judge: Judge, checks: Vec<Check>, tally: Arc<Tally>) -> OwnCheck {
    let name = format!("mistakes::{}", entry.name);
    let trial = name.clone();
    let all_rejected = move || {
        let outcomes: Vec<_> = checks.into_iter().map(|check| judge.run(check)).collect();
        let mut complaints = Vec::new();
        for (&(answer, hint), outcome) in entry.wrong.iter().zip(&outcomes) {
            let complaint = match outcome {
                Outcome::Rejected(rejection) => {
                    let (other, hint_of_other) = diagnosed(rejection, &entry, &outcomes);
                    let message = rejection.explained(hint_of_other);
                    if message.contains(hint) {
                        lock(&tally.rejections)
                            .push((format!("{trial}::{}", slug(answer)), message));
                        continue;
                    }
                    format!(
                        "these inputs cannot distinguish it from “{other}”, whose hint it gets:\n{message}"
                    )
                }
                Outcome::Accepted => format!("accepted: for the check it solves {}", entry.heading),
                Outcome::Open(message) => format!("neither right nor wrong: {message}"),
                Outcome::Endless(message) => message.clone(),
            };
            complaints.push(format!("the wrong answer “{answer}”: {complaint}"));
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n\n")) }
    };
    (name, Box::new(all_rejected))
}

/// The first of the catalogue's wrong answers that makes this mistake and has a hint, as a learner would get it.
fn diagnosed<'e>(
    rejection: &Rejection,
    entry: &'e Entry,
    outcomes: &[Outcome<Rejection>],
) -> (&'e str, Option<&'e str>) {
    let mut typical = entry.wrong.iter().zip(outcomes).filter(|((_, hint), _)| !hint.is_empty());
    let same = typical.find(
        |(_, outcome)| matches!(outcome, Outcome::Rejected(other) if rejection.is_like(other)),
    );
    same.map_or(("", None), |(&(name, hint), _)| (name, Some(hint)))
}
