//! All exercises of a chapter, and one run over attempts, solutions and wrong answers.

use std::env::current_exe;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, FormatSetting, Trial};

use super::attempt::{asked, attempted, reported};
use super::judge::{Check, Outcome, Rejection, judged, judged_attempt};
use super::panics::lock;
use super::progress::{State, Tally};
use super::task::{Task, tasks, written};
use super::{Exercise, Kind};

/// All exercises of a chapter.
pub struct Suite {
    folder: PathBuf,
    time_limit: Duration,
    exercises: Vec<Answers>,
}

/// The checks of one exercise, each bound to an answer.
struct Answers {
    /// The numbers of the exercises whose answers a capstone is made of; none of the others.
    needs: &'static [u32],
    attempt: Check,
    solution: Check,
    wrong: Vec<Mistake>,
}

pub(super) struct Mistake {
    text: &'static str,
    kind: Kind,
    check: Check,
}

impl<F: Copy + Send + 'static> Exercise<F> {
    pub(super) fn bound(&self, answer: F) -> Check {
        let check = self.check;
        Box::new(move || check(answer))
    }

    pub(super) fn mistakes(&self) -> Vec<Mistake> {
        let wrong = self.wrong.iter();
        wrong.map(|w| Mistake { text: w.text, kind: w.kind, check: self.bound(w.answer) }).collect()
    }
}

/// A name, and what must succeed.
type OwnCheck = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

impl Suite {
    /// The suite of the chapter in this folder, `env!("CARGO_MANIFEST_DIR")`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let (folder, time_limit) = (folder.into(), Duration::from_secs(20));
        Suite { folder, time_limit, exercises: Vec::new() }
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
        let (attempt, solution) = (exercise.bound(attempt), exercise.bound(solution));
        self.exercises.push(Answers { needs, attempt, solution, wrong: exercise.mistakes() });
        self
    }

    /// How long an attempt's check may take before it counts as endless; twenty seconds unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Looks whether the catalogue is complete; runs every check on the solution, on the wrong
    /// answers and on the attempt. Ends with "2 of 5 solved, 1 wrong, 2 open – next: …", counting the
    /// attempts that ran. With `--show-output` prints what a learner who gives one of the wrong
    /// answers would read.
    pub fn run(self) -> ExitCode {
        let tasks = tasks(&self.folder);
        let folder = self.folder;
        let count = self.exercises.len();
        let by_number = (1..).zip(self.exercises);
        let posed = by_number.filter_map(|(number, answers)| {
            Some((tasks.iter().position(|task| task.number == number)?, answers))
        });
        let mut posed: Vec<(usize, Answers)> = posed.collect();
        if posed.len() != count || tasks.len() != count {
            let found: Vec<&str> = tasks.iter().map(|task| &task.title[..]).collect();
            eprintln!(
                "{count} exercises are checked, and exercises/mod.rs has these headings: {}",
                found.join(", ")
            );
            return ExitCode::FAILURE;
        }
        posed.sort_by_key(|(place, _)| *place);
        let mut posed = posed.into_iter().map(|(place, answers)| (tasks[place].clone(), answers));
        if let Some((exercise, file)) = asked() {
            let asked = posed.find(|(task, _)| task.name() == exercise);
            let (_, answers) = asked.expect("one of this suite");
            return of_attempt(&folder, self.time_limit, answers, file);
        }
        run(folder, posed.collect())
    }
}

/// One attempt alone, for the process that has started this one.
fn of_attempt(folder: &Path, limit: Duration, answers: Answers, file: String) -> ExitCode {
    let judged = || judged_attempt(folder, answers.attempt);
    reported(file, limit, judged, |outcome| outcome.in_words(folder, answers.wrong))
}

impl Outcome<Rejection> {
    /// As a learner reads it: a wrong answer is compared with the typical mistakes.
    pub(super) fn in_words(self, folder: &Path, wrong: Vec<Mistake>) -> Outcome {
        match self {
            Outcome::Accepted => Outcome::Accepted,
            Outcome::Open(message) => Outcome::Open(message),
            Outcome::Rejected(rejection) => {
                let mut typical = wrong.into_iter().filter(|wrong| wrong.kind != Kind::Unhinted);
                let same = typical.find_map(|wrong| match judged(folder, wrong.check) {
                    Outcome::Rejected(other) if rejection.is_like(&other) => Some(wrong.text),
                    _ => None,
                });
                Outcome::Rejected(rejection.explained(same))
            }
        }
    }
}

fn run(folder: PathBuf, mut posed: Vec<(Task, Answers)>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1); // one check at a time, in the page's order
    let is_quiet = arguments.format == Some(FormatSetting::Json) || arguments.list;
    let tasks: Vec<Task> = posed.iter().map(|(task, _)| task.clone()).collect();
    let (filter, in_detail) = (arguments.filter.clone().unwrap_or_default(), in_detail(&arguments));
    let mut complaints = complaints(&folder, &posed);
    if !in_detail {
        if !filter.is_empty() {
            complaints.clear(); // the chapter's, not an exercise's
        }
        posed.retain(|(task, _)| is_meant(&task.name(), &filter));
        arguments.filter = None; // the line of the course's own check stands for all its parts
    }
    let tally = Arc::default();
    let mut trials = trials(&folder, posed, complaints, in_detail, is_quiet, &tally);
    if let Some(number) = number(&filter).filter(|_| in_detail) {
        trials.retain(|trial| is_meant(last_part(trial.name()), number));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if is_quiet {
        return conclusion.exit_code();
    }
    if arguments.show_output {
        let mut rejections = lock(&tally.rejections);
        rejections.sort();
        rejections.iter().for_each(|text| println!("{text}"));
    }
    let ran = conclusion.num_passed + conclusion.num_failed + conclusion.num_ignored;
    if ran == 0 && !filter.is_empty() {
        let number = tasks.first().and_then(|task| task.title.split(' ').next()).unwrap_or("3.1");
        println!(
            "no exercise is called “{filter}”: filter by number, {number}, or by words of the title\n"
        );
    } else {
        tally.print(&folder, &tasks);
    }
    conclusion.exit_code()
}

/// What is missing in the chapter's catalogue.
fn complaints(folder: &Path, posed: &[(Task, Answers)]) -> Vec<String> {
    let mut complaints = Vec::new();
    if posed.len() < 5 {
        complaints.push(format!("{} exercises: a chapter has five or more", posed.len()));
    }
    for (Task { title, .. }, Answers { wrong, .. }) in posed {
        if wrong.is_empty() {
            complaints.push(format!("{title}: no wrong answer shows that its check can fail"));
        }
        if title.contains("spot the bug") && wrong.iter().all(|wrong| wrong.kind != Kind::Original)
        {
            complaints.push(format!("{title}: no wrong answer is the bug as it is given"));
        }
    }
    let tasks: Vec<Task> = posed.iter().map(|(task, _)| task.clone()).collect();
    let page = read_to_string(folder.join("README.md")).unwrap_or_default();
    if written(&page, &tasks) != page {
        complaints.push("README.md: `cargo run -p tests --example listings` writes it anew".into());
    }
    complaints
}

/// The course's own check – catalogue, solutions, wrong answers – as one trial or in detail; and the attempts.
fn trials(
    folder: &Path,
    posed: Vec<(Task, Answers)>,
    complaints: Vec<String>,
    in_detail: bool,
    is_quiet: bool,
    tally: &Arc<Tally>,
) -> Vec<Trial> {
    let catalogue = if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) };
    let mut own: Vec<OwnCheck> = vec![("catalogue".into(), Box::new(|| catalogue))];
    let (mut mistakes, mut attempts, mut wrong) = (Vec::new(), Vec::new(), 0);
    for (task, answers) in posed {
        wrong += answers.wrong.len();
        own.push(solution(&task, folder.to_path_buf(), answers.solution));
        mistakes.push(rejected(&task, folder.to_path_buf(), answers.wrong, Arc::clone(tally)));
        attempts.push(attempt(task, answers.needs, is_quiet, Arc::clone(tally)));
    }
    own.extend(mistakes);
    let own = match (in_detail, attempts.len()) {
        (true, _) => own.into_iter().map(in_a_line).collect(),
        (false, 0) => Vec::new(),
        (false, solutions) => vec![in_a_line(together(own, solutions, wrong))],
    };
    own.into_iter().chain(attempts).collect()
}

fn in_a_line((name, check): OwnCheck) -> Trial {
    Trial::test(name, move || check().map_err(Failed::from))
}

/// All of them as one.
fn together(checks: Vec<OwnCheck>, solutions: usize, wrong: usize) -> OwnCheck {
    let name = format!("the course checks itself (solutions: {solutions}, wrong answers: {wrong})");
    let all = move || {
        let mut failures = Vec::new();
        for (name, check) in checks {
            failures.extend(check().err().map(|why| format!("---- {name} ----\n{why}")));
        }
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
fn attempt(task: Task, needs: &'static [u32], is_quiet: bool, tally: Arc<Tally>) -> Trial {
    let chapter = task.title.split('.').next().unwrap_or_default().to_string();
    let opens_after = move |missing: &[u32]| {
        let names: Vec<String> = missing.iter().map(|n| format!("{chapter}.{n}")).collect();
        Ok(Completion::ignored_with(format!("opens after {}", names.join(", "))))
    };
    Trial::ignorable_test(task.name(), move || {
        let missing = tally.unsolved(needs);
        if !missing.is_empty() {
            tally.record(task.number, State::Open);
            return opens_after(&missing);
        }
        match attempted(&current_exe()?, &task.name(), is_quiet) {
            Outcome::Accepted => {
                tally.record(task.number, State::Solved);
                Ok(Completion::Completed)
            }
            Outcome::Open(_) => {
                tally.record(task.number, State::Open);
                if !needs.is_empty() {
                    return opens_after(needs);
                }
                Ok(Completion::ignored_with(format!("TODO {}", task.effort())))
            }
            Outcome::Rejected(message) => {
                tally.record(task.number, State::Wrong);
                Err(format!("{} {}\n{message}", task.title, task.effort()).into())
            }
        }
    })
}

/// The right answer: it must be there, and accepted.
fn solution(task: &Task, folder: PathBuf, check: Check) -> OwnCheck {
    let solved = move || match judged(&folder, check) {
        Outcome::Accepted => Ok(()),
        Outcome::Open(message) => Err(format!("the solution is missing: {message}")),
        Outcome::Rejected(rejection) => Err(rejection.explained(None)),
    };
    (format!("solutions::{}", task.name()), Box::new(solved))
}

/// The wrong answers: each must be rejected, and recognised.
fn rejected(task: &Task, folder: PathBuf, wrong: Vec<Mistake>, tally: Arc<Tally>) -> OwnCheck {
    let (name, title) = (format!("mistakes::{}", task.name()), task.title.clone());
    let trial = name.clone();
    let all_rejected = move || {
        let outcomes = wrong.into_iter().map(|w| (w.text, w.kind, judged(&folder, w.check)));
        let outcomes: Vec<_> = outcomes.collect();
        let mut complaints = Vec::new();
        for (answer, kind, outcome) in &outcomes {
            let complaint = match outcome {
                Outcome::Rejected(rejection) => {
                    let hint = diagnosed(rejection, &outcomes);
                    let message = rejection.explained(hint);
                    if *kind == Kind::Unhinted || message.contains(answer) {
                        lock(&tally.rejections).push(format!("---- {trial} ----\n{message}\n"));
                        continue;
                    }
                    format!("these inputs cannot distinguish it from another:\n{message}")
                }
                Outcome::Accepted => format!("accepted: for the check it solves {title}"),
                Outcome::Open(message) => format!("neither right nor wrong: {message}"),
            };
            complaints.push(format!("the wrong answer “{answer}”: {complaint}"));
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n\n")) }
    };
    (name, Box::new(all_rejected))
}

/// The hint of the first of the wrong answers that makes this mistake, as a learner would get it.
fn diagnosed<'e>(
    rejection: &Rejection,
    outcomes: &[(&'e str, Kind, Outcome<Rejection>)],
) -> Option<&'e str> {
    let mut typical = outcomes.iter().filter(|(_, kind, _)| *kind != Kind::Unhinted);
    let same = typical.find(
        |(.., outcome)| matches!(outcome, Outcome::Rejected(other) if rejection.is_like(other)),
    );
    same.map(|(hint, ..)| *hint)
}

#[cfg(test)]
mod tests {
    use super::{is_meant, last_part};

    #[test]
    fn a_number_is_one_exercise() {
        assert!(is_meant("3.1_scores", "3.1") && is_meant("3.1_scores", "mistakes::3.1"));
        assert!(!is_meant("3.10_look", "3.1") && !is_meant("13.1_hit", "3.1"));
        assert!(is_meant("3.1_scores", "3.1_") && is_meant("3.1_scores", "score"));
        assert_eq!(last_part("mistakes::3.1_scores"), "3.1_scores");
    }
}
