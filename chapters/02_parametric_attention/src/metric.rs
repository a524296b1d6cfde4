//! The same attention on the tape: inputs of any dimension, and a matrix in place of the width.

use shared::{Float, Matrix, Module, Operand, Param, Var, Visitor, gemm, product};

// ANCHOR: scores
/// How near each key is to each query: `eᵢⱼ = −½‖qᵢ − kⱼ‖²`, an operation on the tape.
///
/// `queries` (r, n), `keys` (r, m) → scores (m, n); column `i` scores every key against query `i`,
/// so `eᵢⱼ` stands in row `j`, column `i`.
///
/// ```
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let (k, q) = (Matrix::from_row_slice(2, 1, &[3.0, 0.0]), Matrix::from_row_slice(2, 1, &[0.0, 4.0]));
/// let e = parametric_attention::scores(tape.constant(q), tape.constant(k));
/// assert_eq!(e.scalar(), -12.5); // −½·5²
/// ```
pub fn scores<'t>(queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
    let (k, q) = (keys.value(), queries.value());
    let (r, m, n) = (k.nrows(), k.ncols(), q.ncols());
    assert_eq!(r, q.nrows(), "a key has {r} entries, a query {}", q.nrows());
    let e = Matrix::from_fn(m, n, |j, i| {
        -0.5 * (0..r).map(|d| (k[(d, j)] - q[(d, i)]) * (k[(d, j)] - q[(d, i)])).sum::<Float>()
    });
    queries.tape().push([keys, queries], e, move |de, [k_id, q_id], gradients| {
        let (mut to_k, mut to_q) = (Matrix::zeros(r, m), Matrix::zeros(r, n));
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            for d in 0..r {
                let share = de[(j, i)] * (k[(d, j)] - q[(d, i)]);
                to_k[(d, j)] -= share; // ∂e_ij/∂k_j = −(k_j − q_i)
                to_q[(d, i)] += share; // ∂e_ij/∂q_i =   k_j − q_i
            }
        }
        gradients.add(k_id, to_k);
        gradients.add(q_id, to_q);
    })
}
// ANCHOR_END: scores

// ANCHOR: attention
/// Attention with a learnt metric: `f(x) = Σ softmax(−½‖W(x − xᵢ)‖²) yᵢ`.
///
/// Its distances are those of `WᵀW`, [`Attention::metric`].
///
/// ```
/// use parametric_attention::Attention;
/// use shared::{Matrix, Tape};
/// let near_in_x1 = Attention::new(Matrix::from_row_slice(1, 2, &[9.0, 0.0])); // x₂ does not count
/// let tape = Tape::new();
/// let data = |rows, values: &[_]| tape.constant(Matrix::from_row_slice(rows, 2, values));
/// let f = near_in_x1.forward(data(2, &[0., 1., 0., 9.]), data(2, &[0., 1., 5., 5.]), data(1, &[3., 4.]));
/// assert_eq!(*f.value(), Matrix::from_row_slice(1, 2, &[3.0, 4.0]));
/// ```
#[derive(Debug, Clone)]
pub struct Attention {
    /// `W` (r, d); 1 × 1 for one input, where it is the width `w`.
    pub weight: Param,
}

impl Attention {
    /// Attention that starts with the given `W`.
    pub fn new(weight: Matrix) -> Attention {
        Attention { weight: Param::new(weight) }
    }

    /// `queries` (d, n), `keys` (d, m) with `values` (v, m) → (v, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>, values: Var<'t>) -> Var<'t> {
        values * self.scores(queries, keys).softmax()
    }

    /// Predicts each training point from all others: `x` (d, n), `y` (v, n) → (v, n).
    pub fn leave_one_out<'t>(&self, x: Var<'t>, y: Var<'t>) -> Var<'t> {
        let n = x.shape().1;
        let itself = Matrix::from_diagonal_element(n, n, Float::NEG_INFINITY); // exp(−∞) = 0
        y * (self.scores(x, x) + x.tape().constant(itself)).softmax()
    }

    fn scores<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let w = queries.tape().param(&self.weight);
        scores(w * queries, w * keys) // W(x − xᵢ) = Wx − Wxᵢ
    }

    /// `WᵀW` (d, d): what decides which keys are near.
    pub fn metric(&self) -> Matrix {
        product(&self.weight.value().t(), self.weight.value())
    }
}
// ANCHOR_END: attention

impl Module for Attention {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("weight", &mut self.weight);
    }
}

// ANCHOR: by_hand
/// The prediction for one query and its derivative by hand: `∂f/∂W = −W·Cov_α(y, u uᵀ)`.
///
/// `query` (d), `keys` (d, m), `values` (m), `w` (r, d) → `f`, `∂f/∂W` (r, d).
///
/// ```
/// use shared::Matrix;
/// let (w, keys) = (Matrix::identity(1, 1), Matrix::from_row_slice(1, 2, &[1.0, 2.0]));
/// let (_, gradient) = parametric_attention::predict_with_gradient(&[0.0], &keys, &[3.0, 1.0], &w);
/// let (_, slope) = parametric_attention::predict_with_slope(0.0, &[1.0, 2.0], &[3.0, 1.0], 1.0, None);
/// assert!((gradient[0] - slope).abs() < 1e-6); // one input: the width's slope
/// ```
pub fn predict_with_gradient(
    query: &[Float],
    keys: &Matrix,
    values: &[Float],
    w: &Matrix,
) -> (Float, Matrix) {
    let u = Matrix::from_fn(keys.nrows(), keys.ncols(), |d, i| query[d] - keys[(d, i)]); // (d, m)
    let wu = product(w, &u); // (r, m)
    let mut alpha: Vec<Float> = wu.column_iter().map(|wu| -0.5 * wu.norm_squared()).collect();
    shared::elementwise::softmax(&mut alpha);
    let f = shared::elementwise::dot(&alpha, values);
    let mut weighted = wu; // column i times −αᵢ(yᵢ − f)
    for ((mut column, alpha), y) in weighted.column_iter_mut().zip(&alpha).zip(values) {
        column *= -alpha * (y - f);
    }
    let mut gradient = Matrix::zeros(w.nrows(), w.ncols());
    gemm(0.0, &mut gradient, 1.0, &weighted, &u.t()); // −Σ αᵢ(yᵢ − f) W uᵢ uᵢᵀ
    (f, gradient)
}
// ANCHOR_END: by_hand
