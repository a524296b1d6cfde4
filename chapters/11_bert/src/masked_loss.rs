//! The loss of masked tokens, without a matrix of logits.

use shared::elementwise::{add_scaled, softmax};
use shared::{Matrix, Operand, Var, gemm, product};

/// Entries of logits that are held at a time, about what fits into a processor's cache, …
const AT_ONCE: usize = 1 << 20;
/// … or so many columns, if that is more: every block reads `E` and writes its gradient, and for fewer
/// columns these cost more than the logits.
const COLUMNS: usize = 256;

/// How many of these columns are computed at a time: blocks of equal width, except the last.
pub fn block_width(words: usize, columns: usize) -> usize {
    let widest = (AT_ONCE / words).max(COLUMNS);
    columns.div_ceil(columns.div_ceil(widest).max(1)).max(1)
}

/// The cross-entropy of `logits = Eᵀx + b`, summed over the columns, 1 × 1, as
/// [`cross_entropy`](shared::cross_entropy) has it; `table` is `E` (d, V), `x` (d, M), `bias` (V, 1).
///
/// The logits of thousands of masked tokens over tens of thousands of words would be the largest matrix
/// of the whole model, and so would their gradient be. But nothing comes after a loss: the gradient of its
/// logits, `dlogits = softmax(logits) − onehot`, is known as soon as they are, up to the number `dy` that
/// arrives from above. So a few columns are computed at a time, their gradients are passed on, and they are
/// forgotten.
///
/// # Panics
/// When the shapes differ, there is not one target a column, or a target is no piece.
pub fn tied_cross_entropy<'t>(
    table: Var<'t>,
    x: Var<'t>,
    bias: Var<'t>,
    targets: &[usize],
) -> Var<'t> {
    let operands = [table, x, bias];
    let [for_e, for_x, for_b] = operands.map(Var::needs_gradient);
    let (e, h, b) = (table.value(), x.value(), bias.value());
    let ((d, words), columns) = (e.shape(), h.ncols());
    assert!(h.nrows() == d, "tokens {:?} and a table {:?}", h.shape(), e.shape());
    assert!(b.shape() == (words, 1), "a bias {:?} for {words} words", b.shape());
    assert!(columns == targets.len(), "{} targets for {columns} columns", targets.len());
    let [mut d_e, mut d_x, mut d_b] =
        [(d, words), (d, columns), (words, 1)].map(|(m, n)| Matrix::zeros(m, n));
    let (mut loss, all) = (0.0, h.whole());
    let width = block_width(words, columns);
    for first in (0..columns).step_by(width) {
        let h = all.view((0, first), (d, width.min(columns - first)));
        let mut logits = product(&e.t(), &h); // Eᵀx (V, some columns)
        for (j, mut column) in logits.column_iter_mut().enumerate() {
            let target = targets[first + j];
            assert!(target < words, "target {target} among {words} words");
            add_scaled(column.as_mut_slice(), 1.0, b.as_slice());
            let own = column[target];
            let (max, sum) = softmax(column.as_mut_slice());
            loss += sum.ln() - (own - max); //   −ln softmax(logits)_target
            column[target] -= 1.0; //             dlogits
            if for_b {
                add_scaled(d_b.as_mut_slice(), 1.0, column.as_slice());
            }
        }
        if for_e {
            gemm(1.0, &mut d_e, 1.0, &h, &logits.t()); // dE += x·dlogitsᵀ
        }
        if for_x {
            d_x.columns_mut(first, logits.ncols()).copy_from(&product(&*e, &logits)); // dx = E·dlogits
        }
    }
    table.tape().push(operands, Matrix::from_element(1, 1, loss), move |dy, ids, gradients| {
        for (id, d) in ids.into_iter().zip([d_e, d_x, d_b]) {
            gradients.add(id, d * dy[(0, 0)]);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{Float, Tape, cross_entropy};

    /// Blocks of several widths, the last one shorter, and the numbers of the composed operations.
    #[test]
    fn in_blocks_it_is_the_loss_of_all_logits() {
        let noise = |rows: usize, columns: usize, step: Float| {
            Matrix::from_fn(rows, columns, |i, j| (1.0 + step * (i * 7 + j * 5) as Float).sin())
        };
        let (words, columns) = (AT_ONCE / COLUMNS + 4, 2 * COLUMNS + 2);
        let width = block_width(words, columns);
        assert!(columns > 2 * width && !columns.is_multiple_of(width), "blocks of {width}");
        let targets: Vec<usize> = (0..columns).map(|j| j * j * 7 % words).collect();
        let values = [noise(4, words, 0.3), noise(4, targets.len(), 0.7), noise(words, 1, 0.1)];
        let run = |fused: bool| {
            let tape = Tape::new();
            let [e, x, b] = values.clone().map(|value| tape.leaf(value));
            let loss = if fused {
                tied_cross_entropy(e, x, b, &targets)
            } else {
                cross_entropy(e.tr_mul(x).add_column(b), &targets)
            };
            let value = loss.scalar();
            let gradients = (loss * 0.5).backward();
            (value, [e, x, b].map(|v| gradients.wrt(v)))
        };
        let ((loss, d), (expected, d_expected)) = (run(true), run(false));
        assert!((loss - expected).abs() < 1e-4 * expected, "{loss} and {expected}");
        for (d, expected) in d.iter().zip(&d_expected) {
            let difference = (d - expected).amax();
            assert!(difference < 1e-6, "{difference} of {}", expected.amax());
        }
    }
}
