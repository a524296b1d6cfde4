//! What the machine can do, and how that is measured.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;
use shared::Float;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long each measurement is repeated.
const TIME: Duration = Duration::from_secs(4);

pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// The fastest and the median of several runs, in seconds.
pub fn time(mut run: impl FnMut()) -> (f64, f64) {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while begin.elapsed() < TIME || times.is_empty() {
        let start = Instant::now();
        run();
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

/// The kernel's own speed: operations a second.
pub fn kernel_peak(threads: usize) -> f64 {
    pool(threads).install(workbench::steps::kernel_peak)
}

/// Bytes a second through `a = b + s·c` over arrays of so many numbers: two are read, one is written. That a
/// cache fetches what is about to be written is not counted, as is usual.
pub fn triad(threads: usize, length: usize) -> f64 {
    let mut arrays = vec![[0.0, 1.0, 2.0].map(|x: Float| vec![x; length]); threads];
    // Short arrays many times over, or a thread's start would be what is measured.
    let times = (1 << 25) / length.min(1 << 25);
    let (best, _) = pool(threads).install(|| {
        time(|| {
            arrays.par_iter_mut().for_each(|[a, b, c]| {
                for _ in 0..times {
                    let s = black_box(3.0);
                    for ((a, b), c) in a.iter_mut().zip(&*b).zip(&*c) {
                        *a = b + s * c;
                    }
                    black_box(&*a);
                }
            });
        })
    });
    (threads * times * 3 * length * size_of::<Float>()) as f64 / best
}

/// `{"one": …, "two": …}` for one thread and for two.
pub fn roof(name: &str, unit: &str, measure: impl Fn(usize) -> f64) {
    let [one, two] = [1, 2].map(|threads| measure(threads) / 1e9);
    println!("{}", json!({"name": name, "unit": unit, "one": one, "two": two}));
}
