//! Ctrl-C: once to stop after the step at hand, twice to stop at once.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// The exit code of a program stopped by Ctrl-C, as shells have it: 128 + 2, the signal's number.
pub(crate) const EXIT_CODE: u8 = 130;

static RUNS: AtomicUsize = AtomicUsize::new(0);
static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// While one is alive, the first Ctrl-C is a request; otherwise it ends the program, as always.
pub(super) struct Watch(());

impl Watch {
    pub(super) fn begin() -> Watch {
        static HANDLER: Once = Once::new();
        // Where a program listens to Ctrl-C itself, that is its own affair.
        HANDLER.call_once(|| drop(ctrlc::set_handler(pressed)));
        RUNS.fetch_add(1, SeqCst);
        Watch(())
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn requested(&self) -> bool {
        PRESSED.load(SeqCst) > 0
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        RUNS.fetch_sub(1, SeqCst);
    }
}

fn pressed() {
    if RUNS.load(SeqCst) == 0 || PRESSED.fetch_add(1, SeqCst) > 0 {
        std::process::exit(EXIT_CODE.into());
    }
    let _ = writeln!(io::stderr(), "\nstopping after this step; Ctrl-C again stops at once");
}
