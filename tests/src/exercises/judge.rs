//! One check on one answer, in a thread of its own.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::panics::{Panic, Watch, is_open};
use crate::close::Failure;

thread_local! {
    /// Whether the check of this thread shows what it finds.
    static SHOWS: Cell<bool> = const { Cell::new(false) };
}

/// Prints what a capstone has to show: of the learner's attempt alone, and in the check's own thread.
pub fn show(text: impl Display) {
    if SHOWS.get() {
        println!("{text}");
    }
}

/// A check bound to an answer.
pub(super) type Check = Box<dyn FnOnce() + Send>;

/// How a check ended.
#[derive(Serialize, Deserialize)]
pub enum Outcome<R = String> {
    /// The answer is right.
    Accepted,
    /// The answer is wrong, and why.
    Rejected(R),
    /// The answer reached `todo!()` or `unimplemented!()`.
    Open(String),
    /// The answer did not come in time.
    Endless(String),
}

impl<R> Outcome<R> {
    /// With the rejection put into words.
    pub(super) fn in_words(self, words: impl FnOnce(R) -> String) -> Outcome {
        match self {
            Outcome::Accepted => Outcome::Accepted,
            Outcome::Rejected(rejection) => Outcome::Rejected(words(rejection)),
            Outcome::Open(message) => Outcome::Open(message),
            Outcome::Endless(message) => Outcome::Endless(message),
        }
    }
}

/// Why a check rejected an answer.
#[derive(Clone)]
pub(super) struct Rejection {
    panic: Panic,
    /// The comparison that failed, when the check made one with [`expect`](crate::expect).
    failure: Option<Failure>,
}

impl Rejection {
    /// Whether both answers make the same mistake: the same value at the same comparison, or the same message.
    pub fn is_like(&self, other: &Rejection) -> bool {
        match (&self.failure, &other.failure) {
            (Some(one), Some(other)) => one.is_like(other),
            (None, None) => self.panic.message == other.panic.message,
            _ => false,
        }
    }

    pub fn explained(&self, hint: Option<&str>) -> String {
        self.panic.explained(hint)
    }
}

/// Runs the checks of one chapter.
#[derive(Clone)]
pub(super) struct Judge {
    /// The chapter's folder: what panics in there is shown with its line.
    pub chapter: PathBuf,
    pub limit: Duration,
    /// Whether [`show`] prints.
    pub shows: bool,
}

impl Judge {
    pub fn run(&self, check: Check) -> Outcome<Rejection> {
        let watch = Watch::begin(&self.chapter);
        let (sender, receiver) = mpsc::channel();
        let shows = self.shows;
        let thread = move || {
            SHOWS.set(shows);
            let result = panic::catch_unwind(AssertUnwindSafe(check));
            // Nobody listens any more when the time was up.
            let _ = sender.send(result.map_err(|payload| Rejection {
                panic: Panic::behind(&*payload),
                failure: Failure::of_this_thread(),
            }));
        };
        thread::Builder::new()
            .stack_size(8 << 20)
            .spawn(thread)
            .expect("the system has a thread to spare");
        let Ok(result) = receiver.recv_timeout(self.limit) else {
            let seconds = self.limit.as_secs();
            // The thread may panic yet: the watch goes on.
            return Outcome::Endless(format!(
                "no answer after {seconds} seconds: is there an endless loop?"
            ));
        };
        watch.end();
        match result {
            Ok(()) => Outcome::Accepted,
            Err(Rejection { panic, .. }) if is_open(&panic.message) => Outcome::Open(panic.message),
            Err(rejection) => Outcome::Rejected(rejection),
        }
    }
}
