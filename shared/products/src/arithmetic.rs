//! How much was computed: counted in the product itself, where the arithmetic happens.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A counter for every thread that ever multiplied: no two write to the same place.
static COUNTERS: Mutex<Vec<Arc<AtomicU64>>> = Mutex::new(Vec::new());

thread_local! {
    static COUNTER: Arc<AtomicU64> = {
        let counter = Arc::new(AtomicU64::new(0));
        COUNTERS.lock().expect("nothing panics while it is held").push(counter.clone());
        counter
    };
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
    let counters = COUNTERS.lock().expect("nothing panics while it is held");
    counters.iter().map(|counter| counter.load(Relaxed)).sum()
}

/// Counts one product.
pub(crate) fn count_product(m: usize, k: usize, n: usize) {
    let operations = 2 * m as u64 * k as u64 * n as u64;
    // This thread alone writes: a load and a store are enough.
    COUNTER.with(|counter| counter.store(counter.load(Relaxed) + operations, Relaxed));
}
