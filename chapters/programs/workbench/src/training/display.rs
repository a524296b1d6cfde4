//! What a run shows: a bar while it runs (in a log, a line now and then), a line when an epoch is done.

use super::history::{Epoch, Timing};
use crate::program::{bar, say};
use indicatif::ProgressBar;
use std::fmt::Display as Show;
use std::time::{Duration, Instant};

/// How often the numbers on the bar change; a step may be much shorter.
const PERIOD: Duration = Duration::from_millis(100);

pub(super) struct Display {
    title: String,
    /// None: the run is silent.
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl Display {
    pub(super) fn new(title: &str, visible: bool) -> Display {
        let bar = visible
            .then(|| bar(0, "{msg}  {wide_bar} ", |done, total| format!("{done}/{total} steps")));
        Display { title: title.to_owned(), bar, shown: Instant::now() }
    }

    /// Begins an epoch: the bar stands at `done` of `total` steps.
    pub(super) fn begin(&self, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done); // before there is a length: the time that is left is counted from here
            bar.set_length(total);
        }
    }

    /// A step was made; `message` is only called when it is time to show something.
    pub(super) fn step(&mut self, message: impl FnOnce() -> String) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        if self.shown.elapsed() >= PERIOD {
            self.shown = Instant::now();
            bar.set_message(self.titled(message()));
        }
    }

    /// One line on standard output, above the bar.
    pub(super) fn say(&self, line: impl Show) {
        if let Some(bar) = &self.bar {
            bar.suspend(|| say(self.titled(line)));
        }
    }

    /// The line of an epoch.
    pub(super) fn epoch(&self, epoch: &Epoch, epochs: usize, timing: &Timing) {
        let number = epoch.epoch;
        let width = epochs.to_string().len();
        let evaluation = epoch.evaluation.as_ref().map(|e| format!("  {e}")).unwrap_or_default();
        let speed = timing.tokens_per_second;
        self.say(format_args!(
            "epoch {number:>width$}/{epochs}  loss {:.3}{evaluation}  {speed:.0} tokens/s",
            epoch.loss
        ));
    }

    fn titled(&self, text: impl Show) -> String {
        if self.title.is_empty() { text.to_string() } else { format!("{}: {text}", self.title) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
