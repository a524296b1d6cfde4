//! Label smoothing.

use shared::{Float, Matrix, Var, elementwise};

// ANCHOR: smoothed
/// The cross-entropy with smoothed labels (Szegedy et al. 2016, section 7; Vaswani et al. 2017,
/// section 5.4), summed over the columns, 1 × 1: the reference word has probability `1 − ε + ε/K`,
/// each of the other `K − 1` words `ε/K`.
///
/// `−Σ_k q_k ln p_k = ln Σ e^x − (1 − ε)·x_target − ε·mean(x)`, and `dx = p − q`.
///
/// ```
/// use shared::{Matrix, Tape, cross_entropy};
/// use transformer::smoothed_cross_entropy;
/// let tape = Tape::new();
/// let x = tape.leaf(Matrix::from_column_slice(2, 1, &[2.0, 0.0]));
/// let (sharp, smooth) = (cross_entropy(x, &[0]), smoothed_cross_entropy(x, &[0], 0.1));
/// // Half of ε goes to the other word, whose −ln p is 2 nats more.
/// assert!((smooth.scalar() - sharp.scalar() - 0.05 * 2.0).abs() < 1e-6);
/// ```
///
/// # Panics
/// When there is not one target a column, or a target is not a class.
pub fn smoothed_cross_entropy<'t>(logits: Var<'t>, targets: &[usize], epsilon: Float) -> Var<'t> {
    let x = logits.value();
    let (classes, columns) = x.shape();
    assert!(columns == targets.len(), "{} targets for {columns} columns", targets.len());
    if let Some(target) = targets.iter().find(|target| **target >= classes) {
        panic!("target {target} among {classes} classes");
    }
    let even = epsilon / classes as Float; // ε/K
    let mut p = Matrix::clone(&x);
    let mut loss = 0.0;
    for (mut p, &target) in p.column_iter_mut().zip(targets) {
        // All logits less the largest, which changes nothing: then large ones do not cancel.
        let max = elementwise::largest(p.as_slice());
        elementwise::map_slice(p.as_mut_slice(), |x| x - max);
        loss -= (1.0 - epsilon) * p[target];
        if epsilon > 0.0 {
            loss -= even * elementwise::sum(p.as_slice()); // ε·mean(x)
        }
        loss += elementwise::softmax(p.as_mut_slice()).1.ln();
    }
    let targets = targets.to_vec();
    logits.tape().push([logits], Matrix::from_element(1, 1, loss), move |dy, [x_id], gradients| {
        let (mut d, dy) = (p, dy[(0, 0)]);
        elementwise::map_slice(d.as_mut_slice(), |p| dy * (p - even)); // p − q …
        for (j, &target) in targets.iter().enumerate() {
            d[(target, j)] -= dy * (1.0 - epsilon); // … at the reference too
        }
        gradients.add(x_id, d);
    })
}
// ANCHOR_END: smoothed
