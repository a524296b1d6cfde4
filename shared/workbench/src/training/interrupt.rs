//! Ctrl-C: once to stop after the step at hand, twice to stop at once. A terminal that closes (SIGHUP)
//! and a polite kill (SIGTERM) count as Ctrl-C.

use crate::error::INTERRUPTED;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// Some programs hand on a signal that came anyway: two in so short a time are one.
const ECHO: Duration = Duration::from_millis(200);

static RUNS: AtomicUsize = AtomicUsize::new(0);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// While one is alive, the first Ctrl-C is a request; otherwise it ends the program, as always.
pub(super) struct Watch(());

impl Watch {
    pub(super) fn begin() -> Watch {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(listen);
        RUNS.fetch_add(1, SeqCst);
        Watch(())
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn requested(&self) -> bool {
        REQUESTED.load(SeqCst)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        RUNS.fetch_sub(1, SeqCst);
    }
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
    let mut first = FIRST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match *first {
        Some(first) if first.elapsed() < ECHO => {}
        None if RUNS.load(SeqCst) > 0 => {
            *first = Some(Instant::now());
            REQUESTED.store(true, SeqCst);
            let _ =
                writeln!(io::stderr(), "\nstopping after this step; Ctrl-C again stops at once");
        }
        _ => std::process::exit(INTERRUPTED.into()),
    }
}
