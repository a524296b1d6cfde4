//! Can one look at a single place, and still learn where?
//!
//! An alignment α is a distribution over m places. *Soft* attention hands the expected value
//! `E[v] = Σ αⱼvⱼ` to the rest of the network; *hard* attention draws one place `z ~ α` and hands over
//! `v_z` (Xu et al. 2015, §4). What comes of it is a loss `ℓ_z`, and what training should make small is
//! its expectation
//!
//! ```text
//! J = Σⱼ αⱼ ℓⱼ          ∂J/∂scores = Σⱼ αⱼ ℓⱼ ∂ln αⱼ/∂scores = E[ ℓ_z · (1_z − α) ]
//! ```
//!
//! The right side is a mean over draws, so one draw is an unbiased estimate of it: REINFORCE
//! (Williams 1992).
//!
//! A column is a token. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `m`, `n` | places to look at, each with a key and a value; queries |
//! | `d`, `d_v` | entries of a query and of a key; of a value |
//!
//! | module | holds |
//! |---|---|
//! | here | looking, and the operations of the tape that carry a gradient through it |
//! | [`estimator`] | the same estimate in plain numbers: its mean, its variance, the best baseline |
//! | [`retrieval`] | a task, and a model that can look softly or hard |
//! | [`sequence`] | several looks in turn, and the credit of each |
//! | [`program`] | trainings |

pub mod estimator;
#[cfg(feature = "program")]
pub mod program;
pub mod retrieval;
pub mod sequence;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as hard_attention;

use rand::{Rng, RngExt};
use shared::{Float, Matrix, Operand, Var, elementwise, product};

/// The place at which the running sum of `alpha` first exceeds `u`, a number in `0 ≤ u < 1`: for
/// uniform u, place j comes out with probability αⱼ.
///
/// A place of weight zero is never returned, not even when rounding leaves the sum of the weights
/// below u.
///
/// ```
/// use hard_attention::place;
/// let alpha = [0.25, 0.5, 0.25, 0.0];
/// assert_eq!([0.0, 0.2, 0.25, 0.74, 0.99].map(|u| place(&alpha, u)), [0, 0, 1, 1, 2]);
/// ```
///
/// # Panics
/// When no weight is positive: then there is nowhere to look.
// ANCHOR: place
pub fn place(alpha: &[Float], u: Float) -> usize {
    let mut sum = 0.0;
    for (z, weight) in alpha.iter().enumerate() {
        sum += weight;
        if *weight > 0.0 && sum > u {
            return z;
        }
    }
    let last = alpha.iter().rposition(|weight| *weight > 0.0);
    last.unwrap_or_else(|| panic!("no positive weight among {alpha:?}"))
}

/// One place for each column of `alpha` (m, n).
pub fn draw(alpha: &Matrix, rng: &mut impl Rng) -> Vec<usize> {
    alpha.column_iter().map(|column| place(column.as_slice(), rng.random())).collect()
}
// ANCHOR_END: place

/// `ln αᵢ(placeᵢ)` for each column: the logarithm of the softmax of `scores` (m, n), at one entry of
/// each column → (1, n).
///
/// Its gradient is the *score function* `∂ ln α_z/∂scores = 1_z − α`, in which `1_z` is 1 at place z
/// and 0 elsewhere. The same operation gives the log-probability of an answer.
///
/// ```
/// use hard_attention::log_probability;
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let scores = tape.leaf(Matrix::zeros(4, 1)); // four equal places
/// let ln_alpha = log_probability(scores, &[2]);
/// assert!((ln_alpha.scalar() - 0.25_f32.ln()).abs() < 1e-6);
/// assert_eq!(ln_alpha.backward().wrt(scores).as_slice(), [-0.25, -0.25, 0.75, -0.25]);
/// ```
///
/// # Panics
/// When there is not one place a column, or one is outside.
// ANCHOR: log_probability
pub fn log_probability<'t>(scores: Var<'t>, places: &[usize]) -> Var<'t> {
    let mut alpha = Matrix::clone(&scores.value());
    let (m, n) = alpha.shape();
    assert!(places.len() == n, "{} places for scores of shape {:?}", places.len(), (m, n));
    if let Some(place) = places.iter().find(|place| **place >= m) {
        panic!("place {place}, but there are {m}");
    }
    let mut y = Matrix::zeros(1, n);
    for (j, (mut column, &place)) in alpha.column_iter_mut().zip(places).enumerate() {
        let score = column[place];
        let (max, sum) = elementwise::softmax(column.as_mut_slice());
        y[j] = (score - max) - sum.ln(); // ln of e^score / Σ e^scores, without the quotient
    }
    let places = places.to_vec();
    scores.tape().push([scores], y, move |dy, [x_id], gradients| {
        let mut d = -alpha; // ds = (1_z − α)·dy
        for ((mut d, place), dy) in d.column_iter_mut().zip(places).zip(dy.iter()) {
            d[place] += 1.0;
            d *= *dy;
        }
        gradients.add(x_id, d);
    })
}
// ANCHOR_END: log_probability

/// One look of each query: where, what was there, and how probable that was.
pub struct Look<'t> {
    /// The place each query looked at.
    pub places: Vec<usize>,
    /// The value found there (d_v, n): each column is a `v_z`, one value as it is.
    pub contexts: Var<'t>,
    /// `ln α_z` (1, n)
    pub log_probability: Var<'t>,
}

/// Hard attention: each query looks at one place, drawn from the softmax of its scores.
///
/// `scores` (m, n), `values` (d_v, m), `uniforms` n numbers from U(0, 1) that decide the draws.
/// Nothing differentiable leads from the contexts back to the scores: a drawn place does not move
/// when a score does. What leads back is `log_probability`, through [`reinforce`].
///
/// # Panics
/// When there is not one uniform number a query, or one value a place.
// ANCHOR: look
pub fn look<'t>(scores: Var<'t>, values: Var<'t>, uniforms: &[Float]) -> Look<'t> {
    let mut alpha = Matrix::clone(&scores.value());
    let (m, n) = alpha.shape();
    assert!(uniforms.len() == n, "{} uniform numbers for {n} queries", uniforms.len());
    assert!(values.shape().1 == m, "{} values for {m} places", values.shape().1);
    elementwise::softmax_columns(&mut alpha);
    let places: Vec<usize> =
        alpha.column_iter().zip(uniforms).map(|(alpha, u)| place(alpha.as_slice(), *u)).collect();
    let contexts = values.select_columns(&places); // (d_v, n)
    let log_probability = log_probability(scores, &places); // (1, n)
    Look { places, contexts, log_probability }
}
// ANCHOR_END: look

/// The sum of the losses that the looks led to – and, backward, the REINFORCE estimate of how their
/// expectation changes with the parameters (Williams 1992; Xu et al. 2015, §4.1).
///
/// `losses` (1, n): what came of each look; `log_probability` (1, n): `ln α_z`; `baseline` b: what was
/// to be expected. Two routes lead back: an ordinary one through the losses, for whatever read the
/// value (1 for each), and `ℓ − b` for each `ln α_z`. The losses count as plain numbers there: no
/// gradient flows through them twice.
///
/// # Panics
/// When the shapes differ.
// ANCHOR: reinforce
pub fn reinforce<'t>(losses: Var<'t>, log_probability: Var<'t>, baseline: Float) -> Var<'t> {
    let l = losses.value();
    assert!(
        l.shape() == log_probability.shape(),
        "losses {:?}, but log-probabilities {:?}",
        l.shape(),
        log_probability.shape()
    );
    losses.tape().push(
        [losses, log_probability],
        Matrix::from_element(1, 1, l.sum()),
        move |dy, [losses_id, ln_alpha_id], gradients| {
            let dy = dy[(0, 0)];
            gradients.add(ln_alpha_id, l.map(|l| (l - baseline) * dy)); // (ℓ − b) · ∂ln α_z
            gradients.add(losses_id, l.map(|_| dy)); //                    ∂ℓ_z, at the drawn place
        },
    )
}
// ANCHOR_END: reinforce

/// A baseline that follows the mean loss of past batches: `b ← 0.9·b + 0.1·mean` (Xu et al. 2015,
/// §4.1, who count log-likelihoods instead of losses).
///
/// Before the first batch it is 0, after it that batch's mean.
///
/// ```
/// use hard_attention::Baseline;
/// let mut baseline = Baseline::default();
/// assert_eq!(baseline.value(), 0.0);
/// baseline.update(2.0);
/// baseline.update(1.0);
/// assert!((baseline.value() - 1.9).abs() < 1e-6); // 0.9·2 + 0.1·1
/// ```
// ANCHOR: baseline
#[derive(Clone, Copy, Debug, Default)]
pub struct Baseline(Option<Float>);

impl Baseline {
    /// The loss to expect after past batches.
    pub fn value(&self) -> Float {
        self.0.unwrap_or(0.0)
    }

    /// Call it after the batch: a baseline that contains the loss it is subtracted from is biased.
    pub fn update(&mut self, mean_loss: Float) {
        self.0 = Some(self.0.map_or(mean_loss, |b| 0.9 * b + 0.1 * mean_loss));
    }
}
// ANCHOR_END: baseline

/// The entropy `H = −Σ αⱼ ln αⱼ` of each query's alignment, in nats: `scores` (m, n) → (1, n).
///
/// `∂H/∂eⱼ = −αⱼ(ln αⱼ + H)`: a place more surprising than the average gains.
///
/// ```
/// use shared::{Matrix, Tape};
/// let scores = Tape::leaked().constant(Matrix::from_column_slice(2, 2, &[0.0, 0.0, 90.0, 0.0]));
/// let entropy = hard_attention::entropy(scores).value();
/// assert!((entropy[0] - 2.0_f32.ln()).abs() < 1e-6 && entropy[1] < 1e-6);
/// ```
// ANCHOR: entropy
pub fn entropy(scores: Var<'_>) -> Var<'_> {
    let mut ln_alpha = Matrix::clone(&scores.value());
    let mut alpha = ln_alpha.clone();
    let mut h = Matrix::zeros(1, alpha.ncols());
    for (j, mut column) in alpha.column_iter_mut().enumerate() {
        let (max, sum) = elementwise::softmax(column.as_mut_slice());
        let ln_sum = sum.ln();
        let mut ln_alpha = ln_alpha.column_mut(j);
        ln_alpha.zip_apply(&column, |s, alpha| {
            *s = if alpha > 0.0 { (*s - max) - ln_sum } else { 0.0 }
        }); // 0·ln 0 is 0
        h[j] = -elementwise::dot(column.as_slice(), ln_alpha.as_slice());
    }
    scores.tape().push([scores], h.clone(), move |dy, [s_id], gradients| {
        let (m, n) = alpha.shape();
        let ds = Matrix::from_fn(m, n, |i, j| -alpha[(i, j)] * (ln_alpha[(i, j)] + h[j]) * dy[j]);
        gradients.add(s_id, ds);
    })
}
// ANCHOR_END: entropy

/// What each query can expect to lose: `Jᵢ = Σⱼ αᵢⱼ ℓᵢⱼ`, by visiting all places.
///
/// `scores` (m, n); `losses` (1, m·n), entry `j + m·i` the loss of query i had it looked at place j
/// → (1, n). The gradient that [`reinforce`] estimates: `∂J/∂eⱼ = αⱼ(ℓⱼ − J)`.
///
/// # Panics
/// When there are not m·n losses.
pub fn expected_loss<'t>(scores: Var<'t>, losses: Var<'t>) -> Var<'t> {
    let (alpha, l) = alpha_and_losses(scores, losses);
    let expected = Matrix::from_fn(1, alpha.ncols(), |_, j| alpha.column(j).dot(&l.column(j)));
    scores.tape().push(
        [scores, losses],
        expected.clone(),
        move |dy, [scores_id, losses_id], gradients| {
            let mut ds = l; // ds = α ⊙ (ℓ − J)·dy
            let mut dl = alpha; // dℓ = α·dy
            for (j, (mut ds, mut dl)) in ds.column_iter_mut().zip(dl.column_iter_mut()).enumerate()
            {
                ds.zip_apply(&dl, |l, alpha| *l = alpha * (*l - expected[j]) * dy[j]);
                dl *= dy[j];
            }
            gradients.add(scores_id, ds);
            gradients.add(losses_id, as_row(dl));
        },
    )
}

/// −ln of the probability of each answer, wherever the look went: `−ln Σⱼ αᵢⱼ e^(−ℓᵢⱼ)`, never above
/// [`expected_loss`] (Jensen).
///
/// Shapes as there. With the *posterior* `πⱼ ∝ αⱼ e^(−ℓⱼ)`, the probability that the look went to
/// place j given the answer: `∂/∂eⱼ = αⱼ − πⱼ` and `∂/∂ℓⱼ = πⱼ`.
///
/// # Panics
/// When there are not m·n losses.
// ANCHOR: marginal_loss
pub fn marginal_loss<'t>(scores: Var<'t>, losses: Var<'t>) -> Var<'t> {
    let (alpha, l) = alpha_and_losses(scores, losses);
    let (mut posterior, s) = (Matrix::clone(&scores.value()) - &l, scores.value());
    let mut y = Matrix::zeros(1, alpha.ncols());
    for (j, mut column) in posterior.column_iter_mut().enumerate() {
        let (max, sum) = elementwise::softmax(column.as_mut_slice());
        let largest = elementwise::largest(s.column(j).as_slice());
        let all = elementwise::exp_sum(s.column(j).into_owned().as_mut_slice(), largest);
        y[j] = (largest - max) + (all.ln() - sum.ln()); // ln Σ e^s − ln Σ e^(s − ℓ)
    }
    scores.tape().push([scores, losses], y, move |dy, [scores_id, losses_id], gradients| {
        let weighted = |x: Matrix| Matrix::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)] * dy[j]);
        gradients.add(scores_id, weighted(&alpha - &posterior));
        gradients.add(losses_id, as_row(weighted(posterior)));
    })
}
// ANCHOR_END: marginal_loss

/// Looks hard and lies about it: forward the values at `places`, backward the gradient of soft
/// attention, as if the context had been `Σ αⱼvⱼ` (the *straight-through* estimator, Bengio et al.
/// 2013).
///
/// `scores` (m, n), `values` (d_v, m), n places → (d_v, n). Its gradient is not that of the expected
/// loss: the page measures by how much.
///
/// # Panics
/// When there is not one place a query, or one value a place.
pub fn straight_through<'t>(scores: Var<'t>, values: Var<'t>, places: &[usize]) -> Var<'t> {
    let (mut alpha, v) = (Matrix::clone(&scores.value()), values.value());
    assert!(places.len() == alpha.ncols(), "{} places for {} queries", places.len(), alpha.ncols());
    assert!(v.ncols() == alpha.nrows(), "{} values for {} places", v.ncols(), alpha.nrows());
    elementwise::softmax_columns(&mut alpha);
    let contexts = v.select_columns(places);
    let places = places.to_vec();
    scores.tape().push([scores, values], contexts, move |dy, [s_id, v_id], gradients| {
        let mut dalpha = product(&v.t(), &dy); // as if C = V·A
        elementwise::softmax_backward(&mut dalpha, &alpha);
        gradients.add(s_id, dalpha);
        gradients.update(v_id, |dv| {
            for (&place, dy) in places.iter().zip(dy.column_iter()) {
                let mut column = dv.column_mut(place);
                column += dy;
            }
        });
    })
}

/// The alignment (m, n), and the losses (1, m·n) as a matrix of the same shape.
fn alpha_and_losses(scores: Var, losses: Var) -> (Matrix, Matrix) {
    let (mut alpha, l) = (Matrix::clone(&scores.value()), losses.value());
    let (m, n) = alpha.shape();
    assert!(
        l.shape() == (1, m * n),
        "losses {:?} for {m} places and {n} queries: there must be (1, {})",
        l.shape(),
        m * n
    );
    elementwise::softmax_columns(&mut alpha);
    (alpha, Matrix::from_column_slice(m, n, l.as_slice()))
}

fn as_row(x: Matrix) -> Matrix {
    let length = x.len();
    x.reshape_generic(nalgebra::Dyn(1), nalgebra::Dyn(length))
}
