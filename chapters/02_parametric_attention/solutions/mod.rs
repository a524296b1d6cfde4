//! The solutions of chapter 2's exercises. The derivations are on the page.

use parametric_attention::predict_with_slope;
use shared::elementwise::{dot, softmax};
use shared::{Matrix, Var, Vector};

/// 2.1
pub fn weights_of_others(x: &[f32], w: f32) -> Matrix {
    let mut alpha = Matrix::from_fn(x.len(), x.len(), |i, j| {
        if i == j { f32::NEG_INFINITY } else { -0.5 * ((x[j] - x[i]) * w).powi(2) }
    });
    for mut column in alpha.column_iter_mut() {
        softmax(column.as_mut_slice());
    }
    alpha
}

/// 2.2: ∂f/∂eᵢ = Σₖ yₖ αₖ(δₖᵢ − αᵢ) = αᵢ(yᵢ − f) and ∂eᵢ/∂w = −|uᵢ|.
pub fn slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    let mut alpha: Vec<f32> = keys.iter().map(|key| -w * (query - key).abs()).collect();
    softmax(&mut alpha);
    let f = dot(&alpha, values);
    (0..keys.len()).map(|i| alpha[i] * (values[i] - f) * -(query - keys[i]).abs()).sum()
}

/// 2.3
pub fn training_step(x: &[f32], y: &[f32], w: f32, learning_rate: f32) -> f32 {
    let slopes = (0..x.len()).map(|j| {
        let (f, df) = predict_with_slope(x[j], x, y, w, Some(j));
        2.0 * (f - y[j]) * df
    });
    w - learning_rate * slopes.sum::<f32>()
}

/// 2.4: as in 2.2, with ∂eᵢ/∂M = −½ uᵢuᵢᵀ.
pub fn metric_gradient(query: &[f32], keys: &Matrix, values: &[f32], metric: &Matrix) -> Matrix {
    let query = Vector::from_column_slice(query);
    let u: Vec<Vector> = keys.column_iter().map(|key| &query - key).collect();
    let mut alpha: Vec<f32> = u.iter().map(|u| -0.5 * u.dot(&(metric * u))).collect();
    softmax(&mut alpha);
    let f = dot(&alpha, values);
    let mut covariance = Matrix::zeros(query.len(), query.len()); // of y and u uᵀ
    for i in 0..u.len() {
        covariance += &u[i] * u[i].transpose() * (alpha[i] * (values[i] - f));
    }
    covariance * -0.5
}

/// 2.5
pub fn gaussian_scores<'t>(w: Var<'t>, distances: &Matrix) -> Var<'t> {
    let (width, squares) = (w.scalar(), distances.map(|u| u * u));
    let e = &squares * (-0.5 * width * width);
    w.tape().push([w], e, move |de, [w_id], gradients| {
        gradients.add(w_id, Matrix::from_element(1, 1, -width * squares.dot(&de)));
    })
}

/// 2.6: every query looks at every key, so both gradients are sums: add, never set.
pub fn scores_backward(queries: &Matrix, keys: &Matrix, de: &Matrix) -> (Matrix, Matrix) {
    let mut dq = Matrix::zeros(queries.nrows(), queries.ncols());
    let mut dk = Matrix::zeros(keys.nrows(), keys.ncols());
    for i in 0..queries.ncols() {
        for j in 0..keys.ncols() {
            let difference = (keys.column(j) - queries.column(i)) * de[(j, i)];
            let mut dq_i = dq.column_mut(i);
            dq_i += &difference;
            let mut dk_j = dk.column_mut(j);
            dk_j -= &difference;
        }
    }
    (dq, dk)
}

/// 2.7: the weights depend on distance times width alone. Values enter the answer linearly, and what is added
/// to all of them is added to the answer. The seventh is a ratio of percentages and has no units.
pub fn other_units() -> [f64; 7] {
    [1.0, 1.8 * 1.8, 1.8, 1.0 / 60.0, 1.0, 60.0, 1.0]
}

/// 2.8: rows are the direction and the one across, each divided by its bandwidth.
pub fn window(angle: f32, along: f32, across: f32) -> Matrix {
    let (sin, cos) = angle.to_radians().sin_cos();
    Matrix::from_row_slice(2, 2, &[cos / along, sin / along, -sin / across, cos / across])
}
