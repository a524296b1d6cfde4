//! Several trainings that do not depend on each other, side by side.

use super::bar::progress;
use super::terminal::say;
use super::threads::{STACK, refused};
use crate::error::{Error, Result};
use indicatif::ProgressBar;
use rayon::ThreadPoolBuilder;
use std::fmt::Display;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;

/// What several trainings show of themselves while they run.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Another epoch of one of them is over.
    pub fn epoch(&self) {
        self.bar.inc(1);
    }

    /// A line on standard output, above the bar.
    pub fn say(&self, line: impl Display) {
        self.bar.suspend(|| say(line));
    }
}

/// Does every job, as many at a time as there are threads (`RAYON_NUM_THREADS`), each on a thread
/// of its own: nobody waits for anybody, and since shards are added in their order, the results
/// are those of one job after another. They come back in the order of the jobs.
///
/// `epochs` is how many all jobs have together, for the bar.
///
/// ```
/// use workbench::program::side_by_side;
/// let squares = side_by_side("squares", &[1, 2, 3], 3, |n, progress| {
///     progress.epoch();
///     Ok(n * n)
/// })?;
/// assert_eq!(squares, [1, 4, 9]);
/// # Ok::<(), workbench::error::Error>(())
/// ```
///
/// # Errors
/// The first error, in the order of the jobs; after one, no other job is begun.
pub fn side_by_side<J: Sync, T: Send>(
    title: &'static str,
    jobs: &[J],
    epochs: usize,
    run: impl Fn(&J, &Progress) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    counted(progress(epochs as u64, "epochs").with_message(title), jobs, run)
}

/// The same of trainings too short to count their epochs.
pub fn trainings<J: Sync, T: Send>(
    title: &'static str,
    jobs: &[J],
    run: impl Fn(&J) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let bar = progress(jobs.len() as u64, "trainings").with_message(title);
    counted(bar, jobs, |job, progress| {
        let found = run(job)?;
        progress.epoch();
        Ok(found)
    })
}

fn counted<J: Sync, T: Send>(
    bar: ProgressBar,
    jobs: &[J],
    run: impl Fn(&J, &Progress) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let progress = Progress { bar };
    progress.bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<T>>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    on_threads(rayon::current_num_threads().min(jobs.len()), || {
        while let Some((number, job)) = take(jobs, &next) {
            let result = run(job, &progress);
            if result.is_err() {
                next.store(jobs.len(), Relaxed);
            }
            results.lock().expect("no job panicked")[number] = Some(result);
        }
    })?;
    progress.bar.finish_and_clear();
    results.into_inner().expect("no job panicked").into_iter().flatten().collect()
}

/// The next job that nobody has begun.
fn take<'j, J>(jobs: &'j [J], next: &AtomicUsize) -> Option<(usize, &'j J)> {
    let number = next.fetch_update(Relaxed, Relaxed, |n| (n < jobs.len()).then_some(n + 1)).ok()?;
    Some((number, &jobs[number]))
}

/// The same work on so many threads, each of which is all that rayon has inside.
fn on_threads(threads: usize, work: impl Fn() + Sync) -> Result<()> {
    let mut pools = Vec::new();
    for _ in 0..threads {
        let pool = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK);
        pools.push(pool.build().map_err(Error::argument)?);
    }
    let work = &work;
    std::thread::scope(|scope| {
        for pool in &pools {
            let thread = Builder::new().stack_size(STACK);
            let begun = thread.spawn_scoped(scope, move || pool.install(work));
            begun.map_err(|reason| refused(threads, &reason))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs_and_each_runs_on_one_thread() {
        let jobs: Vec<u64> = (0..20).collect();
        let found = side_by_side("", &jobs, 0, |job, _| {
            std::thread::sleep(std::time::Duration::from_millis(job * 7 % 5));
            Ok((*job, rayon::current_num_threads()))
        });
        let expected: Vec<_> = jobs.iter().map(|job| (*job, 1)).collect();
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn the_first_error_is_told_and_no_job_begins_after_it() {
        let begun = AtomicUsize::new(0);
        let jobs: Vec<usize> = (0..1000).collect();
        let found: Result<Vec<usize>> = side_by_side("", &jobs, 0, |job, _| {
            begun.fetch_add(1, Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(20 * *job as u64));
            if *job == 0 { Err(Error::argument("no")) } else { Ok(*job) }
        });
        assert_eq!(found.unwrap_err().to_string(), "no");
        assert!(begun.load(Relaxed) <= 2 * rayon::current_num_threads());
    }

    #[test]
    fn no_jobs_no_results() {
        let found: Result<Vec<()>> = side_by_side("", &[] as &[u8], 0, |_, _| Ok(()));
        assert_eq!(found.unwrap(), []);
    }
}
