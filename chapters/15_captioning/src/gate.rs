//! What the gate does to a context.

use shared::{Matrix, Var};

/// Every column of `x` (c, b) times its factor (1, b).
pub fn scaled_columns<'t>(x: Var<'t>, factors: Var<'t>) -> Var<'t> {
    let (value, beta) = (x.value(), factors.value());
    let scaled = |x: &Matrix, beta: &Matrix| {
        Matrix::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)] * beta[j])
    };
    assert!(
        beta.shape() == (1, value.ncols()),
        "factors {:?} of columns {:?}",
        beta.shape(),
        value.shape()
    );
    x.tape().push([x, factors], scaled(&value, &beta), move |dy, [x_id, factors_id], gradients| {
        gradients.add(
            factors_id,
            Matrix::from_fn(1, beta.len(), |_, j| value.column(j).dot(&dy.column(j))),
        );
        gradients.add(x_id, scaled(&dy, &beta));
    })
}
