//! Progress: a bar on a terminal, a line now and then in a log.

use super::say_aside;
use indicatif::{
    HumanBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar,
};
use std::collections::VecDeque;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, sleep};
use std::time::Duration;

/// How often a log gets a line.
const PERIOD: Duration = Duration::from_secs(30);

/// A progress bar with the time left, for work that may take more than two seconds; `step` names
/// what is counted: `bar.inc(1)` after each. It stands on standard error; where that is no
/// terminal, a line of it is written every half minute.
pub fn progress(total: u64, step: &'static str) -> ProgressBar {
    bar(total, "{msg:24} {bar:32} ", move |done, total| format!("{done}/{total} {step}"))
}

/// The same for a file of so many bytes.
pub fn progress_in_bytes(total: u64) -> ProgressBar {
    let counted = |done, total| format!("{} of {}", HumanBytes(done), HumanBytes(total));
    bar(total, "{msg:24} {bar:32} ", counted)
}

/// A bar that looks like `drawn` and then says what is `counted`, and the time that is left.
pub(crate) fn bar(
    total: u64,
    drawn: &str,
    counted: impl Fn(u64, u64) -> String + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let pace = Arc::new(Mutex::new(Pace::default()));
    let said = move |done, total, elapsed, recent| {
        let mut pace = pace.lock().unwrap_or_else(PoisonError::into_inner);
        let left = time(pace.left(done, total, elapsed, recent));
        format!("{}, {left} left", counted(done, total))
    };
    if !io::stderr().is_terminal() {
        let bar = ProgressBar::hidden();
        bar.set_length(total);
        let logged = bar.downgrade();
        // Where the system grants no thread, a log has no lines.
        let _ = Builder::new().spawn(move || log(&logged, PERIOD, said, say_aside));
        return bar;
    }
    let style = ProgressStyle::with_template(&format!("{drawn}{{said}}"));
    let key = move |state: &ProgressState, to: &mut dyn Write| {
        let total = state.len().unwrap_or_default();
        let _ = to.write_str(&said(state.pos(), total, state.elapsed(), state.eta()));
    };
    ProgressBar::new(total).with_style(style.expect("a template").with_key("said", key))
}

/// Writes a line after every period, as long as somebody has the bar and it is not finished.
fn log(
    bar: &WeakProgressBar,
    period: Duration,
    said: impl Fn(u64, u64, Duration, Duration) -> String,
    mut write: impl FnMut(String),
) {
    loop {
        sleep(period);
        let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return };
        let total = bar.length().unwrap_or_default();
        let said = said(bar.position(), total, bar.elapsed(), bar.eta());
        write(format!("{}  {said}", bar.message()).trim_start().to_owned());
    }
}

/// When which step was over, of the last minute and one before.
#[derive(Default)]
struct Pace(VecDeque<(u64, Duration)>);

impl Pace {
    /// The time that is left. `recent` is what the last seconds let expect; where a step takes longer than
    /// a second it jumps between nothing and weeks, and the mean of the last minute knows better. Before
    /// the first step nothing is known. (A program that was stopped for hours, and goes on, is as fast as
    /// before.)
    fn left(
        &mut self,
        done: u64,
        total: u64,
        elapsed: Duration,
        recent: Duration,
    ) -> Option<Duration> {
        const MINUTE: Duration = Duration::from_secs(60);
        if done == 0 {
            self.0.clear();
            return None;
        }
        if self.0.back().is_none_or(|last| last.0 != done) {
            self.0.push_back((done, elapsed));
        }
        while self.0.len() > 2 && self.0[1].1 + MINUTE <= elapsed {
            self.0.pop_front();
        }
        let (first, last) = match self.0.len() {
            1 => ((0, Duration::ZERO), (done, elapsed)),
            n => (self.0[0], self.0[n - 1]),
        };
        let (steps, time) = (last.0.saturating_sub(first.0), last.1.saturating_sub(first.1));
        let left = total.saturating_sub(done) as f64 / steps.max(1) as f64;
        Some(if time.as_secs() > steps { time.mul_f64(left) } else { recent })
    }
}

/// In short. After a pause the estimate grows beyond any sense; then it says that nothing is known.
fn time(left: Option<Duration>) -> String {
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
    match left {
        Some(left) if left <= LONGEST => format!("{:#}", HumanDuration(left)),
        _ => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_beyond_any_sense_is_no_estimate() {
        assert_eq!(time(Some(Duration::from_secs(32 * 60))), "32m");
        assert_eq!(time(Some(Duration::from_secs(u64::MAX))), "?");
        assert_eq!(time(None), "?");
    }

    /// Twelve epochs of 225 in eight minutes leave 142 minutes, whatever the last second looked like, and
    /// about as many after a night in which the program was stopped.
    #[test]
    fn long_steps_are_judged_by_the_last_minute() {
        let seconds = Duration::from_secs;
        let (week, recent) = (seconds(7 * 24 * 3600), seconds(5));
        let left = |done, total, recent| Pace::default().left(done, total, seconds(480), recent);
        assert_eq!(left(12, 225, week), Some(seconds(8520)));
        assert_eq!(left(225, 225, week), Some(Duration::ZERO));
        assert_eq!(left(9600, 20_000, recent), Some(recent));
        assert_eq!(left(0, 225, Duration::ZERO), None);

        let mut pace = Pace::default();
        for n in 1..=12 {
            pace.left(n, 225, seconds(40 * n), week);
        }
        let mut stopped = |n| pace.left(n, 225, seconds(40 * n + 30_000), week).unwrap();
        assert!(stopped(13) > seconds(100_000));
        assert_eq!([stopped(14), stopped(15)].map(|time| time > seconds(9000)), [true, false]);
        assert_eq!(stopped(16), seconds(40 * 209));
    }

    #[test]
    fn a_log_gets_lines_until_the_bar_is_finished() {
        let bar = ProgressBar::hidden().with_message("epoch 1/3");
        bar.set_length(10);
        bar.inc(4);
        let mut lines = Vec::new();
        log(
            &bar.downgrade(),
            Duration::from_millis(1),
            |done, total, _, _| format!("{done}/{total}"),
            |line| {
                lines.push(line);
                if lines.len() == 2 {
                    bar.finish_and_clear();
                }
            },
        );
        assert_eq!(lines, ["epoch 1/3  4/10"; 2]);
    }
}
