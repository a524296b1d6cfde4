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

thread_local! {
    /// Whether the check of this thread is told to show what it finds.
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
pub(super) enum Outcome {
    Accepted,
    Rejected(String),
    /// The answer reached `todo!()` or `unimplemented!()`.
    Open(String),
    Endless(String),
}

/// Runs the checks of one chapter.
#[derive(Clone)]
pub(super) struct Judge {
    /// The chapter's folder: what panics in there is told with its place.
    pub chapter: PathBuf,
    pub limit: Duration,
    /// Whether [`show`] prints.
    pub shows: bool,
}

impl Judge {
    pub fn run(self, check: Check) -> Outcome {
        let watch = Watch::begin(&self.chapter);
        let (sender, receiver) = mpsc::channel();
        let shows = self.shows;
        let thread = move || {
            SHOWS.set(shows);
            let result = panic::catch_unwind(AssertUnwindSafe(check));
            // Nobody listens any more when the time was up.
            let _ = sender.send(result.map_err(|payload| Panic::behind(&*payload)));
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
            Err(panic) if is_open(&panic.message) => Outcome::Open(panic.message),
            Err(panic) => Outcome::Rejected(panic.explained()),
        }
    }
}
