//! Progress: a bar on a terminal, a line now and then in a log.

use super::say_aside;
use indicatif::{
    HumanBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar,
};
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
    bar(total, "{msg:24} {bar:32} ", |done, total| {
        format!("{} of {}", HumanBytes(done), HumanBytes(total))
    })
}

/// A bar that looks like `drawn` and then says what is `counted`, and the time that is left.
pub(crate) fn bar(
    total: u64,
    drawn: &str,
    counted: impl Fn(u64, u64) -> String + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let pace = Arc::new(Mutex::new(Pace::default()));
    let said = move |done, total, elapsed| {
        let mut pace = pace.lock().unwrap_or_else(PoisonError::into_inner);
        let left = time(pace.left(done, total, elapsed));
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
    let style = ProgressStyle::with_template(&format!("{drawn}{{said}}")).expect("a template");
    let style = style.with_key("said", move |state: &ProgressState, to: &mut dyn Write| {
        let total = state.len().unwrap_or_default();
        let _ = to.write_str(&said(state.pos(), total, state.elapsed()));
    });
    ProgressBar::new(total).with_style(style)
}

/// Writes a line after every period, as long as somebody has the bar and it is not finished.
fn log(
    bar: &WeakProgressBar,
    period: Duration,
    said: impl Fn(u64, u64, Duration) -> String,
    mut write: impl FnMut(String),
) {
    loop {
        sleep(period);
        let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return };
        let total = bar.length().unwrap_or_default();
        let said = said(bar.position(), total, bar.elapsed());
        write(format!("{}  {said}", bar.message()).trim_start().to_owned());
    }
}

/// When the first step that is counted was over: a run that goes on has made some before.
#[derive(Default)]
struct Pace(Option<(u64, Duration)>);

impl Pace {
    /// The time that is left, if the steps to come take as long as those since the first.
    fn left(&mut self, done: u64, total: u64, elapsed: Duration) -> Option<Duration> {
        if total == 0 {
            return None; // a training that is not begun
        }
        let (first, since) = *self.0.get_or_insert((done, elapsed));
        let made = done.checked_sub(first).filter(|made| *made > 0)?;
        let left = total.saturating_sub(done) as f64 / made as f64;
        Some(
            Duration::try_from_secs_f64((elapsed - since).as_secs_f64() * left)
                .unwrap_or(Duration::MAX),
        )
    }
}

/// The time left, in short. After a pause the estimate grows beyond any sense; then it says that nothing is known.
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

    /// A run that went on with step 90 has made 12 steps of 225 in eight minutes.
    #[test]
    fn what_is_left_takes_as_long_as_what_was_made() {
        let (seconds, mut pace) = (Duration::from_secs, Pace::default());
        assert_eq!([pace.left(0, 0, seconds(1)), pace.left(90, 225, seconds(20))], [None; 2]);
        assert_eq!(pace.left(102, 225, seconds(500)), Some(seconds(4920)));
        assert_eq!(pace.left(225, 225, seconds(900)), Some(Duration::ZERO));
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
            |done, total, _| format!("{done}/{total}"),
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
