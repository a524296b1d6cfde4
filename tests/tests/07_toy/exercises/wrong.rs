//! Attempts of a learner on the way: each is wrong in its own manner.

use nalgebra::DMatrix;

/// An index out of bounds in the learner's own line.
pub fn mean(x: &DMatrix<f32>) -> DMatrix<f32> {
    let entries: Vec<f32> = x.iter().copied().collect();
    DMatrix::from_fn(1, x.ncols(), |_, column| entries[column + x.len()])
}

/// A typical mistake.
pub fn softmax(scores: &DMatrix<f32>) -> DMatrix<f32> {
    crate::toy::softmax::over_rows(scores)
}

/// Shapes that do not fit: the panic is raised inside nalgebra.
pub fn gradient(w: &DMatrix<f32>, x: &DMatrix<f32>) -> DMatrix<f32> {
    w * (w * x)
}

/// A panic on a thread of the learner's own.
pub fn rotated(x: &[f32]) -> Vec<f32> {
    let first = std::thread::scope(|scope| {
        let thread = scope.spawn(|| x[x.len()]);
        thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    });
    vec![first; x.len()]
}

/// An endless loop.
pub fn power_of_two(n: u32) -> u32 {
    let mut power = 1_u32;
    while power < n || power > 0 {
        power = power.wrapping_mul(2).max(1);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    power
}
