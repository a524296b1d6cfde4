//! The runner behind every chapter's exercises.
//!
//! A chapter has one suite of assertions, written against a table of function pointers, and runs it
//! three times:
//! - on `exercises/`, the learner's attempts: one that reaches `todo!()` is *open* and reported as
//!   ignored, any other passes or fails;
//! - on `solutions/`, strictly: an open solution is a failure;
//! - on the catalogue of mistakes: each is a table of solutions with one function replaced by a
//!   typical wrong answer, which the suite must reject, and with the right hint. A suite that
//!   accepts a mistake fails; so the suite itself is tested.
//!
//! Checks are ordinary functions that panic ([`assert!`], [`assert_close!`](crate::assert_close),
//! [`expect`](crate::expect)). Each runs in a thread of its own, so that neither a panic nor an
//! endless loop in an attempt takes the others with it.
//!
//! `tests/suite/mod.rs` of a chapter, cut to one exercise:
//! ```no_run
//! # mod attempt { pub fn mean(x: &[f32]) -> f32 { x.iter().sum::<f32>() / x.len() as f32 } }
//! # use std::process::ExitCode;
//! use tests::exercises::{Exercise, Kind, Mistake, Suite};
//! use tests::expect;
//!
//! #[derive(Clone, Copy)]
//! pub struct Table {
//!     pub mean: fn(&[f32]) -> f32,
//! }
//!
//! pub fn table() -> Table {
//!     Table { mean: attempt::mean }
//! }
//!
//! pub fn suite() -> Suite<Table> {
//!     Suite::new(env!("CARGO_MANIFEST_DIR")).exercise(Exercise {
//!         number: 1,
//!         title: "mean",
//!         kind: Kind::Implement,
//!         difficulty: 1,
//!         minutes: 5,
//!         check: mean,
//!         mistakes: &[Mistake { name: "sum", hint: "divide by the number", apply: |table| table.mean = |x| x.iter().sum() }],
//!     })
//! }
//!
//! fn mean(table: &Table) {
//!     let x = [1.0, 2.0, 6.0];
//!     expect((table.mean)(&x), 3.0, 1e-6).of("mean(x)").given("x", x).or_hint(9.0, "a sum: divide by the number of entries").check();
//! }
//! # fn main() -> ExitCode { suite().run_exercises(table()) }
//! ```

use std::backtrace::Backtrace;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, mpsc};
use std::thread::{self, ThreadId};
use std::time::Duration;
use std::{any::Any, fs};

use libtest_mimic::{Arguments, Completion, Conclusion, FormatSetting, Trial};

/// What the learner is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Write a function.
    Implement,
    /// Derive a gradient by hand and return it.
    Derive,
    /// Repair a function that is given. It begins with `todo!("find the bug, then remove this
    /// line")`, so that it counts as open until then.
    SpotTheBug,
}

/// One exercise of a chapter; `T` is the chapter's table of functions.
#[derive(Clone, Copy)]
pub struct Exercise<T: 'static> {
    /// 1, 2, 3 … within the chapter.
    pub number: u32,
    /// A few words; the test's name is made of them.
    pub title: &'static str,
    /// What is asked for.
    pub kind: Kind,
    /// 1 to 3.
    pub difficulty: usize,
    /// How long it takes a reader of the chapter.
    pub minutes: u32,
    /// Panics when the function in the table is wrong. It may call it as often as it likes.
    pub check: fn(&T),
    /// Typical wrong answers, at least one. For [`Kind::SpotTheBug`] one is named [`ORIGINAL_BUG`].
    pub mistakes: &'static [Mistake<T>],
}

/// A typical wrong answer, which the suite must reject.
#[derive(Clone, Copy)]
pub struct Mistake<T: 'static> {
    /// A few words.
    pub name: &'static str,
    /// What the failure message must contain; empty when the rejection alone is asked for.
    pub hint: &'static str,
    /// Puts the wrong function in the place of the right one.
    pub apply: fn(&mut T),
}

/// The name of the mistake that is the given function as it was given.
pub const ORIGINAL_BUG: &str = "the original bug";

/// All exercises of a chapter.
pub struct Suite<T: 'static> {
    folder: PathBuf,
    chapter: u32,
    time_limit: Duration,
    exercises: Vec<Exercise<T>>,
}

impl<T: Copy + Send + 'static> Suite<T> {
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

    /// Adds the next exercise.
    pub fn exercise(mut self, exercise: Exercise<T>) -> Self {
        self.exercises.push(exercise);
        self
    }

    /// How long one check may take before it counts as endless; a minute unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Runs the suite on the learner's attempts: open ones are ignored. Ends with "2 of 5 solved",
    /// counting the exercises that ran.
    pub fn run_exercises(self, attempts: T) -> ExitCode {
        let trial = |exercise: &Exercise<T>| {
            let (heading, run) = (self.heading(exercise), self.run(exercise, attempts));
            Trial::ignorable_test(self.name(exercise), move || match run() {
                Outcome::Accepted => Ok(Completion::Completed),
                Outcome::Open(_) => Ok(Completion::ignored_with(format!("TODO {heading}"))),
                Outcome::Rejected(message) | Outcome::Endless(message) => Err(message.into()),
            })
        };
        let (arguments, conclusion) = run_in_order(self.exercises.iter().map(trial).collect());
        let ran = conclusion.num_passed + conclusion.num_failed + conclusion.num_ignored;
        if ran > 0 && arguments.format != Some(FormatSetting::Json) {
            let filtered = match conclusion.num_filtered_out {
                0 => String::new(),
                others => format!(" ({others} not run)"),
            };
            println!("{} of {ran} solved{filtered}\n", conclusion.num_passed);
        }
        conclusion.exit_code()
    }

    /// Runs the suite on the solutions: every one must be there and right.
    pub fn run_solutions(self, solutions: T) -> ExitCode {
        let trial = |exercise: &Exercise<T>| {
            let run = self.run(exercise, solutions);
            Trial::test(self.name(exercise), move || match run() {
                Outcome::Accepted => Ok(()),
                Outcome::Open(message) => Err(format!("the solution is missing: {message}").into()),
                Outcome::Rejected(message) | Outcome::Endless(message) => Err(message.into()),
            })
        };
        run_in_order(self.exercises.iter().map(trial).collect()).1.exit_code()
    }

    /// Runs each exercise's check on its mistakes: each must be rejected, with its hint; and checks
    /// that the catalogue is complete. With `-- --show-output` prints what a learner who makes the
    /// mistake would read.
    pub fn run_mistakes(self, solutions: T) -> ExitCode {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let complaints = self.complaints();
        let mut trials = vec![Trial::test("catalogue", move || {
            if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
        })];
        for exercise in &self.exercises {
            for &Mistake { name, hint, apply } in exercise.mistakes {
                let mut table = solutions;
                apply(&mut table);
                let (run, heading, messages) =
                    (self.run(exercise, table), self.heading(exercise), Arc::clone(&messages));
                let trial = format!("{}::{}", self.name(exercise), slug(name));
                trials.push(Trial::test(trial.clone(), move || {
                    let complaint = match run() {
                        Outcome::Rejected(message) if message.contains(hint) => {
                            lock(&messages).push((trial, message));
                            return Ok(());
                        }
                        Outcome::Rejected(message) => {
                            format!("rejected, but without the hint “{hint}”:\n{message}")
                        }
                        Outcome::Accepted => {
                            format!("accepted: for the suite “{name}” is a solution of {heading}")
                        }
                        Outcome::Open(message) => format!("neither right nor wrong: {message}"),
                        Outcome::Endless(message) => message,
                    };
                    Err(complaint.into())
                }));
            }
        }
        let arguments = Arguments::from_args();
        let conclusion = libtest_mimic::run(&arguments, trials);
        if arguments.show_output {
            let mut messages = lock(&messages);
            messages.sort();
            messages.iter().for_each(|(trial, message)| println!("---- {trial} ----\n{message}\n"));
        }
        conclusion.exit_code()
    }

    /// What is missing in the catalogue itself.
    fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        let path = self.folder.join("exercises/mod.rs");
        let source = fs::read_to_string(&path).unwrap_or_else(|error| {
            complaints.push(format!("{}: {error}", path.display()));
            String::new()
        });
        if self.exercises.len() < 5 {
            complaints
                .push(format!("{} exercises: a chapter has five or more", self.exercises.len()));
        }
        for kind in [Kind::Implement, Kind::Derive, Kind::SpotTheBug] {
            if self.exercises.iter().all(|exercise| exercise.kind != kind) {
                complaints.push(format!("no exercise of the kind {kind:?}"));
            }
        }
        let mut names = BTreeSet::new();
        for (exercise, number) in self.exercises.iter().zip(1..) {
            let (heading, mistakes) = (self.heading(exercise), exercise.mistakes);
            let mut complain = |what: &str| complaints.push(format!("{heading}: {what}"));
            if exercise.number != number {
                complain(&format!("it stands in place {number}"));
            }
            if !source.contains(&heading) {
                complain("exercises/mod.rs has no comment with this very heading");
            }
            if !(1..=3).contains(&exercise.difficulty) || exercise.minutes == 0 {
                complain("difficulty is 1 to 3, minutes at least 1");
            }
            if mistakes.is_empty() {
                complain("no mistake shows that its check can fail");
            }
            if exercise.kind == Kind::SpotTheBug
                && mistakes.iter().all(|mistake| mistake.name != ORIGINAL_BUG)
            {
                complain(&format!("no mistake is named “{ORIGINAL_BUG}”"));
            }
            for mistake in mistakes {
                if !names.insert((number, slug(mistake.name))) {
                    complain(&format!("two mistakes are named “{}”", mistake.name));
                }
            }
        }
        complaints
    }

    /// `3.2_masked_softmax`: the test's name, for filters.
    fn name(&self, exercise: &Exercise<T>) -> String {
        format!("{}.{}_{}", self.chapter, exercise.number, slug(exercise.title))
    }

    /// `3.2 masked softmax – difficulty ●●○, about 15 minutes`
    fn heading(&self, exercise: &Exercise<T>) -> String {
        let dots: String =
            (1..=3).map(|level| if level <= exercise.difficulty { '●' } else { '○' }).collect();
        let &Exercise { number, title, minutes, .. } = exercise;
        let plural = if minutes == 1 { "" } else { "s" };
        format!(
            "{}.{number} {title} – difficulty {dots}, about {minutes} minute{plural}",
            self.chapter
        )
    }

    /// The check of one exercise, ready to run in a trial.
    fn run(&self, exercise: &Exercise<T>, table: T) -> impl FnOnce() -> Outcome + Send + 'static {
        let (check, limit, chapter) = (exercise.check, self.time_limit, self.folder.clone());
        move || {
            watch_panics(&chapter);
            RUNNING.fetch_add(1, Ordering::SeqCst);
            let (sender, receiver) = mpsc::channel();
            let attempt = move || {
                let result = panic::catch_unwind(AssertUnwindSafe(|| check(&table)));
                // Nobody listens any more when the time was up.
                let _ = sender.send(result.map_err(|payload| Panic::behind(&*payload)));
            };
            thread::Builder::new()
                .stack_size(8 << 20)
                .spawn(attempt)
                .expect("the system has a thread to spare");
            let result = match receiver.recv_timeout(limit) {
                Ok(result) => result,
                Err(_) => {
                    return Outcome::Endless(format!(
                        "no answer after {} seconds: is there an endless loop?",
                        limit.as_secs()
                    ));
                }
            };
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            match result {
                Ok(()) => Outcome::Accepted,
                Err(panic) if is_open(&panic.message) => Outcome::Open(panic.message),
                Err(panic) => Outcome::Rejected(panic.explained()),
            }
        }
    }
}

/// How a check ended.
enum Outcome {
    Accepted,
    Rejected(String),
    /// The attempt reached `todo!()` or `unimplemented!()`.
    Open(String),
    Endless(String),
}

/// Exercises appear in the chapter's order, so they run one after another unless `--test-threads`
/// says otherwise.
fn run_in_order(trials: Vec<Trial>) -> (Arguments, Conclusion) {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(1));
    let conclusion = libtest_mimic::run(&arguments, trials);
    (arguments, conclusion)
}

/// `masked_softmax`: what a filter on the command line can name without quotes.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// What the panic hook saw of a panic.
#[derive(Clone)]
struct Panic {
    thread: ThreadId,
    message: String,
    /// Where it was raised, `file:line:column`.
    location: String,
    /// When that is not in the chapter's exercises, solutions or suite: the innermost caller that
    /// is.
    caller: Option<String>,
}

/// Checks that have not ended.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// Panics raised while one was running: an attempt may use several threads, and the one that waits
/// gets the payload, not the place.
static PANICS: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Replaces “thread panicked at …” on standard error by a record, as long as a check is running.
fn watch_panics(chapter: &Path) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (chapter, default) = (chapter.to_path_buf(), panic::take_hook());
        panic::set_hook(Box::new(move |info| {
            if RUNNING.load(Ordering::SeqCst) == 0 {
                default(info);
            } else {
                let panic = Panic::seen(info, &chapter);
                lock(&PANICS).push(panic);
            }
        }));
    });
}

impl Panic {
    fn seen(info: &PanicHookInfo, chapter: &Path) -> Panic {
        let message = info.payload_as_str().unwrap_or(NO_MESSAGE).to_string();
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        let place = in_chapter(&location, chapter);
        let caller = if place.is_some() || is_open(&message) {
            None
        } else {
            innermost_caller(&Backtrace::force_capture(), chapter)
        };
        let location = place.unwrap_or_else(|| without_registry(&location));
        Panic { thread: thread::current().id(), message, location, caller }
    }

    /// The panic that ended this thread's check with that payload.
    fn behind(payload: &(dyn Any + Send)) -> Panic {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(payload.downcast_ref::<&str>().copied());
        let (thread, message) = (thread::current().id(), text.unwrap_or(NO_MESSAGE));
        let panics = lock(&PANICS);
        let mut same = panics.iter().rev().filter(|panic| panic.message == message);
        let found = same.clone().find(|panic| panic.thread == thread).or_else(|| same.next());
        found.cloned().unwrap_or_else(|| Panic {
            thread,
            message: message.to_string(),
            location: "an unknown place".into(),
            caller: None,
        })
    }

    /// The message for the learner: an assertion of the suite speaks for itself, any other panic is
    /// told with its place.
    fn explained(&self) -> String {
        let Panic { message, location, caller, .. } = self;
        let indented = message.replace('\n', "\n    ");
        match caller {
            None if is_suite(location) => format!("{message}\n(checked at {location})"),
            None => format!("your code panicked at {location}:\n    {indented}"),
            Some(caller) if is_suite(caller) => {
                format!("the check panicked at {caller}, inside {location}:\n    {indented}")
            }
            Some(caller) => {
                format!("your code panicked at {caller}, inside {location}:\n    {indented}")
            }
        }
    }
}

const NO_MESSAGE: &str = "a panic without a message";

fn is_open(message: &str) -> bool {
    message.starts_with("not yet implemented") || message.starts_with("not implemented")
}

fn is_suite(place: &str) -> bool {
    place.contains("/suite/")
}

/// The place as `chapters/03_scoring_functions/exercises/mod.rs:12:5` when it lies in the chapter's
/// exercises, solutions or suite; the compiler writes
/// `chapters/03_scoring_functions/tests/../exercises/…`, a backtrace the whole path or
/// `./tests/../exercises/…`.
fn in_chapter(place: &str, chapter: &Path) -> Option<String> {
    let mut ends = chapter.iter().rev().map(|part| part.to_string_lossy());
    let (name, parent) = (ends.next()?, ends.next()?);
    let place = place.replace("tests/../", "").replace('\\', "/");
    let inside = match place.split_once(&format!("{name}/")) {
        Some((_, inside)) => inside,
        None => place.strip_prefix("./")?,
    };
    let folders = ["exercises/", "solutions/", "tests/suite/", "suite/"];
    folders
        .iter()
        .any(|folder| inside.starts_with(folder))
        .then(|| format!("{parent}/{name}/{inside}"))
}

/// `nalgebra-0.35.0/src/…` for a file in Cargo's registry.
fn without_registry(place: &str) -> String {
    let in_registry = place.split_once("registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    in_registry.map_or(place, |(_, in_package)| in_package).to_string()
}

/// The first frame that lies in the chapter; frames print as `             at
/// ./tests/suite/mod.rs:30:5`.
fn innermost_caller(backtrace: &Backtrace, chapter: &Path) -> Option<String> {
    let text = backtrace.to_string();
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("at "))
        .find_map(|place| in_chapter(place, chapter))
}
