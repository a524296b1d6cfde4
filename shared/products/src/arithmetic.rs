//! How much was computed and copied: counted where it happens, in the product itself.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Operations, and bytes of copies.
type Counter = [AtomicU64; 2];

/// A counter for every thread that ever multiplied: no two write to the same place.
static COUNTERS: Mutex<Vec<Arc<Counter>>> = Mutex::new(Vec::new());

thread_local! {
    static COUNTER: Arc<Counter> = {
        let counter = Arc::new(Counter::default());
        COUNTERS.lock().expect("nothing panics while it is held").push(counter.clone());
        counter
    };
}

fn sum_of(place: usize) -> u64 {
    let counters = COUNTERS.lock().expect("nothing panics while it is held");
    counters.iter().map(|counter| counter[place].load(Relaxed)).sum()
}

fn add(place: usize, number: u64) {
    // This thread alone writes: a load and a store are enough.
    COUNTER.with(|counter| counter[place].store(counter[place].load(Relaxed) + number, Relaxed));
}

/// Multiplications and additions of all matrix products so far, on all threads: 2mkn for a product
/// of (m, k) and (k, n). The difference of two answers is the work between them.
///
/// ```standalone_crate
/// use products::{Matrix, arithmetic, product};
/// let before = arithmetic();
/// product(&Matrix::zeros(2, 3), &Matrix::zeros(3, 5));
/// let other = std::thread::spawn(|| product(&Matrix::zeros(1, 2), &Matrix::zeros(2, 1)));
/// other.join().unwrap();
/// assert_eq!(arithmetic() - before, 2 * 2 * 3 * 5 + 2 * 2);
/// ```
pub fn arithmetic() -> u64 {
    sum_of(0)
}

/// Bytes that copies of factors which are rounded to bf16 have taken so far, on all threads. (Products of factors as
/// they are copy them as well, and are not asked.)
pub fn copied() -> u64 {
    sum_of(1)
}

/// Counts one product.
pub(crate) fn count_product(m: usize, k: usize, n: usize) {
    add(0, 2 * m as u64 * k as u64 * n as u64);
}

/// Counts one copy.
#[cfg(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64"))]
pub(crate) fn count_copied(bytes: usize) {
    add(1, bytes as u64);
}

/// [`copied`] on this thread.
#[cfg(all(test, feature = "bf16", not(feature = "f64"), target_arch = "x86_64"))]
pub(crate) fn copied_here() -> u64 {
    COUNTER.with(|counter| counter[1].load(Relaxed))
}
