//! Keys and values that several heads share (grouped-query attention, Ainslie et al. 2023).

use shared::{Matrix, Var};

/// Every head's own copy of what its group shares: `x` (groups·d, n) → (heads·d, n), where the first
/// `heads/groups` heads read the first block of rows, and so on. On the way back a block gets the sum of what its
/// heads say.
///
/// ```
/// use self_attention::grouped::repeat_heads;
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::from_column_slice(2, 1, &[1.0, 2.0])); // two groups of one row
/// assert_eq!(repeat_heads(x, 2, 4).value().as_slice(), [1.0, 1.0, 2.0, 2.0]);
/// ```
///
/// # Panics
/// When the groups do not divide the heads and the rows.
// ANCHOR: repeat
pub fn repeat_heads(x: Var, groups: usize, heads: usize) -> Var {
    let (rows, n) = x.shape();
    let fit = groups > 0 && heads.is_multiple_of(groups) && rows.is_multiple_of(groups);
    assert!(fit, "{groups} groups for {heads} heads and keys of {rows} rows");
    if groups == heads {
        return x;
    }
    let (d, value) = (rows / groups, x.value());
    let group = move |head: usize| head * groups / heads * d; // its first row
    let mut y = Matrix::zeros(heads * d, n);
    for head in 0..heads {
        y.rows_mut(head * d, d).copy_from(&value.rows(group(head), d));
    }
    x.tape().push([x], y, move |dy, [x_id], gradients| {
        let mut dx = Matrix::zeros(rows, n);
        for head in 0..heads {
            let mut part = dx.rows_mut(group(head), d);
            part += dy.rows(head * d, d);
        }
        gradients.add(x_id, dx);
    })
}
// ANCHOR_END: repeat
