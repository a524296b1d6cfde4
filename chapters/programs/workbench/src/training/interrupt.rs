//! Ctrl-C: once to stop after the step at hand, twice to stop at once. A terminal that closes (SIGHUP)
//! and a polite kill (SIGTERM) count as Ctrl-C.

use crate::error::{Error, INTERRUPTED, Result};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// Some programs hand on a signal that came anyway: two in so short a time are one.
const ECHO: Duration = Duration::from_millis(200);

static RUNS: AtomicUsize = AtomicUsize::new(0);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether another process of the same job answers to signals.
static SILENT: AtomicBool = AtomicBool::new(false);

/// From now on nothing is said about signals: another process does.
#[cfg(feature = "mpi")]
pub(super) fn silence() {
    SILENT.store(true, SeqCst);
}

fn answer(words: &str) {
    if !SILENT.load(SeqCst) {
        let _ = writeln!(io::stderr(), "\n{words}");
    }
}

/// What to say when everything that must be kept is saved.
static LAST_WORDS: Mutex<Option<String>> = Mutex::new(None);

/// While one is alive, the first Ctrl-C is a request; otherwise it ends the program, as always.
///
/// A program that saves what it has trained keeps one from before the training until it ends.
pub struct Watch(());

impl Watch {
    /// From now on, Ctrl-C is a request.
    pub fn begin() -> Watch {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(listen);
        RUNS.fetch_add(1, SeqCst);
        Watch(())
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn requested(&self) -> bool {
        REQUESTED.load(SeqCst)
    }

    /// All that must be kept is saved. From now on Ctrl-C ends the program at once, with words that
    /// say what is missing.
    ///
    /// # Errors
    /// When it was pressed before: with these words.
    pub fn saved(&self, words: String) -> Result<()> {
        *lock(&LAST_WORDS) = Some(words.clone());
        if self.requested() { Err(Error::Interrupted(words)) } else { Ok(()) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if RUNS.fetch_sub(1, SeqCst) == 1 {
            *lock(&LAST_WORDS) = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens to signals, but not to those that the shell told this program to ignore: SIGHUP after
/// `nohup`, SIGINT of what a script runs in the background.
#[cfg(unix)]
fn listen() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: puts back handlers that were there, or ignores; no code of ours runs in a signal.
    let set = |kind, handler| unsafe { signal(kind, handler) };
    let before = [Signal::SIGINT, Signal::SIGHUP, Signal::SIGTERM]
        .map(|kind| (kind, set(kind, SigHandler::SigIgn)));
    // Where a program listens to Ctrl-C itself, that is its own affair.
    let heard = ctrlc::set_handler(pressed).is_ok();
    for (kind, handler) in before.into_iter().filter_map(|(kind, old)| Some((kind, old.ok()?))) {
        if !heard || matches!(handler, SigHandler::SigIgn) {
            let _ = set(kind, handler);
        }
    }
}

#[cfg(not(unix))]
fn listen() {
    let _ = ctrlc::set_handler(pressed);
}

/// Runs on a thread of its own.
fn pressed() {
    static FIRST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut first = lock(&FIRST);
    let waits = RUNS.load(SeqCst) > 0 && lock(&LAST_WORDS).is_none();
    match *first {
        Some(first) if first.elapsed() < ECHO => return,
        None if waits => {
            *first = Some(Instant::now());
            REQUESTED.store(true, SeqCst);
            answer("stopping after this step or evaluation; Ctrl-C again stops at once");
            return;
        }
        _ => {}
    }
    let words = lock(&LAST_WORDS).take();
    let words = words.unwrap_or_else(|| "interrupted: what was not yet written is lost".to_owned());
    answer(&words);
    std::process::exit(INTERRUPTED.into());
}
