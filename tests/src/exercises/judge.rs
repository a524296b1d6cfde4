//! One check on one answer.

use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::panics::{Panic, caught, is_open};
use crate::close::Failure;

/// Whether the check that is running shows what it finds.
static SHOWS: AtomicBool = AtomicBool::new(false);

/// Prints what a capstone has to show, of the learner's attempt alone.
pub fn show(text: impl Display) {
    if SHOWS.load(Ordering::Relaxed) {
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
}

/// Why a check rejected an answer.
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

/// Runs a check of the chapter in this folder, what panics in there is shown with its line. One at a time.
pub(super) fn judged(chapter: &Path, check: Check) -> Outcome<Rejection> {
    let result = caught(chapter, check);
    let failure = Failure::of_last_check();
    match result {
        Ok(()) => Outcome::Accepted,
        Err(panic) if is_open(&panic.message) => Outcome::Open(panic.message),
        Err(panic) => Outcome::Rejected(Rejection { panic, failure }),
    }
}

/// The same of a learner's attempt, which may [`show`].
pub(super) fn judged_attempt(chapter: &Path, check: Check) -> Outcome<Rejection> {
    SHOWS.store(true, Ordering::Relaxed);
    let outcome = judged(chapter, check);
    SHOWS.store(false, Ordering::Relaxed);
    outcome
}
