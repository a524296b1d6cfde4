//! The exercises of chapter 8. Replace a `todo!()`, then run
//! `cargo test -p hard_attention --test exercises`.
//!
//! One query looks at one of m places. `alpha` holds the m probabilities with which it looks,
//! `losses[i]` what it costs to have looked at place i. Gradients are with respect to the m scores
//! whose softmax is `alpha`.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::Vector;

/// **8.1 draw a place – difficulty ●○○, about 10 minutes**
///
/// The place that a uniform random number `u` in 0 ≤ u < 1 picks: place 0 for the first `alpha[0]` of
/// that interval, place 1 for the next `alpha[1]`, and so on. A place of weight 0 is never picked. The
/// weights may sum to a little less than 1, as rounded numbers do; then the last place with a positive
/// weight gets the rest.
///
/// Hint: the first place at which the running sum exceeds u.
pub fn place(alpha: &[f32], u: f32) -> usize {
    todo!()
}

/// **8.2 the score function of a softmax – difficulty ●●○, about 15 minutes**
///
/// The gradient of `ln α_s` with respect to the `scores`, (m, 1), where α is their softmax and `s` a
/// place. Scores may be as large as ±1000.
///
/// Hint: ln α_s = score_s − ln Σ e^score. The second term has a gradient you know.
pub fn score_function(scores: &Vector, s: usize) -> Vector {
    todo!()
}

/// **8.3 REINFORCE – difficulty ●●○, about 15 minutes**
///
/// The mean of the estimates that several looks give of the gradient of the expected loss: look k went
/// to `places[k]` and cost `losses[k]`. `baseline` is subtracted from each loss. Returns (m, 1).
///
/// Hint: exercise 8.2, in terms of alpha, times what was unexpected.
pub fn reinforce(alpha: &Vector, places: &[usize], losses: &[f32], baseline: f32) -> Vector {
    todo!()
}

/// **8.4 the best constant – difficulty ●●●, about 30 minutes**
///
/// The constant b for which the estimate `(ℓ_s − b)(e_s − α)` has the smallest variance, summed over
/// its entries. At least two places have positive weight.
///
/// Hint: the mean does not depend on b, so the second moment decides. It is a parabola in b.
pub fn optimal_baseline(alpha: &Vector, losses: &Vector) -> f32 {
    todo!()
}

/// **8.5 the gradient of the entropy – difficulty ●●○, about 20 minutes**
///
/// The gradient of `H = −Σ αᵢ ln αᵢ` with respect to the `scores`, (m, 1), where α is their softmax.
/// Scores may be as large as ±1000; a place whose weight is 0 has a gradient of 0.
///
/// Hint: ∂H/∂αᵢ = −ln αᵢ − 1, and a softmax's backward is α ⊙ (dα − αᵀdα). One term drops out.
pub fn entropy_gradient(scores: &Vector) -> Vector {
    todo!()
}

/// **8.6 one baseline for many looks – difficulty ●●●, about 25 minutes**
///
/// Several looks of the same query, at `places[k]` for `losses[k]`, at least two. Each look takes the
/// mean loss of *the other looks* for its baseline. Returns the mean of the estimates, (m, 1), which is
/// an unbiased estimate of the gradient of the expected loss without anything to be kept from batch to
/// batch.
///
/// Hint: with K looks and their mean ℓ̄, the mean of the others is (K·ℓ̄ − ℓ_k)/(K − 1).
pub fn leave_one_out(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    todo!()
}

/// **8.7 spot the bug: looks of yesterday – difficulty ●●○, about 15 minutes**
///
/// Looks are expensive, so old ones are used once more: the place was not drawn from `alpha` but from
/// `drawn_from`, the probabilities of some steps ago, all of them positive. Should return this look's
/// estimate of the gradient of the expected loss under `alpha`, unbiased for every `baseline`. The author
/// weighted the loss with `alpha[place] / drawn_from[place]`, and tried it without a baseline.
///
/// Hint: let all losses be equal. What does it return on average, over places drawn from `drawn_from`?
pub fn from_old_looks(
    alpha: &Vector,
    drawn_from: &Vector,
    place: usize,
    loss: f32,
    baseline: f32,
) -> Vector {
    todo!("find the bug, then remove this line");
    let weighted = alpha[place] / drawn_from[place] * loss;
    let mut score = -alpha.clone(); // e_s − α
    score[place] += 1.0;
    score * (weighted - baseline)
}

/// **8.8 spot the bug: a loss that is its own teacher – difficulty ●●●, about 15 minutes**
///
/// A network reads the value it found: `ℓ(w) = (w·v_s − y)²`, `v` holding the value of each place.
/// Should return one look's estimate of ∂J/∂w for `J = Σ αᵢ ℓᵢ(w)`, where the reader's weight `w` also
/// sharpens the scores: `alpha` is the softmax of `w·k` for keys `k`. The author differentiated the
/// surrogate `(ℓ − b)·ln α_s` as it stands, and added nothing.
///
/// Hint: two routes lead from w to J. Which of the products should treat which factor as a number?
pub fn gradient_of_w(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    todo!("find the bug, then remove this line");
    let exponentials = keys.map(|k| (w * k - (w * keys).max()).exp());
    let alpha = &exponentials / exponentials.sum();
    let error = w * values[s] - y;
    let loss = error * error;
    let dloss = 2.0 * error * values[s]; //        ∂ℓ_s/∂w
    let dln_alpha = keys[s] - alpha.dot(keys); //  ∂ln α_s/∂w
    (loss - b) * dln_alpha + dloss * alpha[s].ln()
}
