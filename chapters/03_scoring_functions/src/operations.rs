//! What the scores do to matrices on a tape, each operation with its backward.

use shared::{Float, Matrix, Var};
use std::ops::AddAssign;
use std::sync::Arc;

/// Every column of `a` (h, m) plus every column of `b` (h, n): column `i + m·j` of the result
/// (h, m·n) is `aᵢ + bⱼ`.
pub fn outer_sum<'t>(a: Var<'t>, b: Var<'t>) -> Var<'t> {
    let operands = [a, b];
    let (a, b, tape) = (a.value(), b.value(), a.tape());
    let ((h, m), n) = (a.shape(), b.ncols());
    assert!(
        b.nrows() == h,
        "columns of {:?} cannot be added to columns of {:?}",
        a.shape(),
        b.shape()
    );
    let mut y = Matrix::zeros(h, m * n);
    for (j, b_j) in b.column_iter().enumerate() {
        for (i, a_i) in a.column_iter().enumerate() {
            y.column_mut(i + m * j).zip_zip_apply(&a_i, &b_j, |y, a, b| *y = a + b);
        }
    }
    tape.push(operands, y, move |dy, [a_id, b_id], gradients| {
        let pairs = |j: usize| dy.columns(m * j, m); // the pairs of query j
        gradients.update(a_id, |da| (0..n).for_each(|j| *da += pairs(j)));
        gradients.update(b_id, |db| {
            (0..n).for_each(|j| db.column_mut(j).add_assign(pairs(j).column_sum()))
        });
    })
}

/// The same entries, column after column, in another shape.
pub fn reshape(x: Var<'_>, rows: usize, columns: usize) -> Var<'_> {
    let before = x.shape();
    let y = Matrix::from_column_slice(rows, columns, x.value().as_slice());
    x.tape().push([x], y, move |dy, [x_id], gradients| {
        gradients.add(x_id, dy.reshape_generic(nalgebra::Dyn(before.0), nalgebra::Dyn(before.1)));
    })
}

/// Every entry of `x` times the only entry of `factor`, both on the tape.
pub(crate) fn times<'t>(x: Var<'t>, factor: Var<'t>) -> Var<'t> {
    let (value, beta) = (x.value(), factor.scalar());
    x.tape().push([x, factor], &*value * beta, move |dy, [x_id, factor_id], gradients| {
        gradients.add(factor_id, Matrix::from_element(1, 1, value.dot(&dy)));
        gradients.add(x_id, dy * beta);
    })
}

/// Every column scaled to length 1; a zero column, which has no direction, stays zero.
///
/// The length cannot change, so only the part of `dy` across `y` counts: `dx = (dy − y(yᵀdy))/‖x‖`.
pub fn unit_columns(x: Var<'_>) -> Var<'_> {
    let mut y = Matrix::clone(&x.value());
    let norms = y.column_iter().map(|x| x.norm());
    let scales: Vec<Float> = norms.map(|norm| if norm > 0.0 { 1.0 / norm } else { 0.0 }).collect();
    for (mut column, scale) in y.column_iter_mut().zip(&scales) {
        column *= *scale;
    }
    let y = Arc::new(y);
    x.tape().push([x], y.clone(), move |mut dy, [x_id], gradients| {
        for ((mut d, y), scale) in dy.column_iter_mut().zip(y.column_iter()).zip(scales) {
            let along = y.dot(&d);
            d.zip_apply(&y, |d, y| *d = (*d - y * along) * scale);
        }
        gradients.add(x_id, dy);
    })
}
