//! Progress: a bar on a terminal, a line now and then in a log.

use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike,
};
use std::fmt::{self, Debug, Formatter};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a log gets a line.
const PERIOD: Duration = Duration::from_secs(30);

/// A progress bar with the time left, for work that may take more than two seconds; `step` names
/// what is counted: `bar.inc(1)` after each. It stands on standard error; where that is no
/// terminal, a line of it is written every half minute.
pub fn progress(total: u64, step: &str) -> ProgressBar {
    bar(total, "{msg:24} {bar:32} ", &format!("{{pos}}/{{len}} {step}, {{time}} left"))
}

/// The same for a file of so many bytes.
pub fn progress_in_bytes(total: u64) -> ProgressBar {
    bar(total, "{msg:24} {bar:32} ", "{bytes} of {total_bytes}, {time} left")
}

/// A bar that looks like `drawn` and then `counted`, with `{time}` for the time that is left.
pub(crate) fn bar(total: u64, drawn: &str, counted: &str) -> ProgressBar {
    let style = |template: &str| {
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        style.with_key("time", |state: &ProgressState, to: &mut dyn fmt::Write| {
            let total = state.len().unwrap_or_default();
            let left = left(state.pos(), total, state.elapsed(), state.eta());
            let _ = to.write_str(&time(left));
        })
    };
    match io::stderr().is_terminal() {
        true => ProgressBar::new(total).with_style(style(&format!("{drawn}{counted}"))),
        false => logged(total, Log::new(PERIOD, Box::new(io::stderr())))
            .with_style(style(&format!("{{msg}}  {counted}"))),
    }
}

/// The time that is left. `recent` is what the last seconds let expect; where a step takes longer than
/// a second it jumps between nothing and weeks, and the mean of all steps knows better. Before the
/// first step nothing is known.
fn left(done: u64, total: u64, elapsed: Duration, recent: Duration) -> Option<Duration> {
    match done {
        0 => None,
        _ if elapsed.as_secs() > done => {
            let steps = total.saturating_sub(done) as f64 / done as f64;
            Some(elapsed.mul_f64(steps))
        }
        _ => Some(recent),
    }
}

/// In short. After a pause the estimate grows beyond any sense; then it is told that nothing is known.
fn time(left: Option<Duration>) -> String {
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
    match left {
        Some(left) if left <= LONGEST => format!("{:#}", HumanDuration(left)),
        _ => "?".to_owned(),
    }
}

fn logged(total: u64, log: Log) -> ProgressBar {
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(log), 1);
    ProgressBar::with_draw_target(Some(total), target)
}

/// Stands in for a terminal: of all that is drawn there, it writes a line now and then.
struct Log {
    period: Duration,
    state: Mutex<State>,
}

struct State {
    drawn: String,
    written: Instant,
    to: Box<dyn Write + Send>,
}

impl Log {
    fn new(period: Duration, to: Box<dyn Write + Send>) -> Log {
        let state = State { drawn: String::new(), written: Instant::now(), to };
        Log { period, state: Mutex::new(state) }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl TermLike for Log {
    fn width(&self) -> u16 {
        200
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.state().drawn.push_str(text);
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    /// The end of a drawing.
    fn flush(&self) -> io::Result<()> {
        let mut state = self.state();
        let drawn = std::mem::take(&mut state.drawn);
        if drawn.trim().is_empty() || state.written.elapsed() < self.period {
            return Ok(());
        }
        state.written = Instant::now();
        writeln!(state.to, "{}", drawn.trim())
    }

    // A log has no cursor and takes nothing back.

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Debug for Log {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        f.debug_struct("Log").field("period", &self.period).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Hands on what is written.
    struct Sent(mpsc::Sender<String>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_estimate_beyond_any_sense_is_no_estimate() {
        assert_eq!(time(Some(Duration::from_secs(30))), "30s");
        assert_eq!(time(Some(Duration::from_secs(32 * 60))), "32m");
        assert_eq!(time(Some(Duration::from_secs(u64::MAX))), "?");
        assert_eq!(time(None), "?");
    }

    /// Twelve epochs of 225 in eight minutes leave 142 minutes, whatever the last second looked like.
    #[test]
    fn long_steps_are_judged_by_their_mean() {
        let (elapsed, week) = (Duration::from_secs(480), Duration::from_secs(7 * 24 * 3600));
        assert_eq!(left(12, 225, elapsed, week), Some(Duration::from_secs(8520)));
        assert_eq!(left(225, 225, elapsed, week), Some(Duration::ZERO));
        assert_eq!(
            left(9600, 20_000, elapsed, Duration::from_secs(5)),
            Some(Duration::from_secs(5))
        );
        assert_eq!(left(0, 225, elapsed, Duration::ZERO), None);
    }

    /// What a bar of ten steps with a pause after each leaves in a log.
    fn log(period: Duration) -> String {
        let (sender, written) = mpsc::channel();
        let bar = logged(10, Log::new(period, Box::new(Sent(sender))));
        let bar = bar.with_style(ProgressStyle::with_template("{msg} {pos}/{len}").unwrap());
        bar.set_message("epoch 1/3");
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(5));
            bar.inc(1);
        }
        bar.finish_and_clear();
        drop(bar);
        written.iter().collect()
    }

    #[test]
    fn a_log_gets_a_line_now_and_then() {
        let lines = log(Duration::from_millis(20));
        assert!((1..=3).contains(&lines.lines().count()), "{lines}");
        let tells = |line: &str| line.starts_with("epoch 1/3 ") && line.ends_with("/10");
        assert!(lines.lines().all(tells), "{lines}");
        assert_eq!(log(Duration::from_secs(30)), "");
    }
}
