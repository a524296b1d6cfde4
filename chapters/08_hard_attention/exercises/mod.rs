//! The exercises of chapter 8. Replace a `todo!()`, then run
//! `cargo test -p hard_attention --test exercises`.
//!
//! One query looks at one of m places. `alpha` holds the m probabilities with which it looks,
//! `losses[j]` what it costs to have looked at place j. Gradients are with respect to the m scores
//! whose softmax is `alpha`. Places are counted by j; z is the place that was drawn. Looks in turn are
//! counted by i: in 8.9 `losses[i]` is the loss after look i.
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
/// The gradient of `ln α_z` with respect to the `scores`, (m, 1), where α is their softmax and `z` a
/// place. Scores may be as large as ±1000.
///
/// Hint: ln α_z = score_z − ln Σ e^score. The second term has a gradient you know.
pub fn score_function(scores: &Vector, z: usize) -> Vector {
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
/// The constant b for which the estimate `(ℓ_z − b)(1_z − α)` has the smallest variance, summed over
/// its entries. At least two places have positive weight.
///
/// Hint: the mean does not depend on b, so the second moment decides. It is a parabola in b.
pub fn optimal_baseline(alpha: &Vector, losses: &Vector) -> f32 {
    todo!()
}

/// **8.5 the gradient of the entropy – difficulty ●●○, about 20 minutes**
///
/// The gradient of `H = −Σ αⱼ ln αⱼ` with respect to the `scores`, (m, 1), where α is their softmax.
/// Scores may be as large as ±1000; a place whose weight is 0 has a gradient of 0.
///
/// Hint: ∂H/∂αⱼ = −ln αⱼ − 1, and a softmax's backward is α ⊙ (dα − αᵀdα). One term drops out.
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
    let mut score = -alpha.clone(); // 1_z − α
    score[place] += 1.0;
    score * (weighted - baseline)
}

/// **8.8 spot the bug: a loss that is its own teacher – difficulty ●●●, about 15 minutes**
///
/// A network reads the value it found: `ℓ(w) = (w·v_z − y)²`, `v` holding the value of each place.
/// Should return one look's estimate of ∂J/∂w for `J = Σ αⱼ ℓⱼ(w)`, where the reader's weight `w` also
/// sharpens the scores: `alpha` is the softmax of `w·k` for keys `k`. The author differentiated the
/// surrogate `(ℓ − b)·ln α_z` as it stands, and added nothing.
///
/// Hint: two routes lead from w to J. Which of the products should treat which factor as a number?
pub fn gradient_of_w(w: f32, keys: &Vector, values: &Vector, y: f32, z: usize, b: f32) -> f32 {
    todo!("find the bug, then remove this line");
    let exponentials = keys.map(|k| (w * k - (w * keys).max()).exp());
    let alpha = &exponentials / exponentials.sum();
    let error = w * values[z] - y;
    let loss = error * error;
    let dloss = 2.0 * error * values[z]; //        ∂ℓ_z/∂w
    let dln_alpha = keys[z] - alpha.dot(keys); //  ∂ln α_z/∂w
    (loss - b) * dln_alpha + dloss * alpha[z].ln()
}

/// **8.9 the loss to go – difficulty ●○○, about 10 minutes**
///
/// Several looks in turn, after each a loss: `losses[i]`. Returns for each look the sum of the losses that
/// it can have had a part in: its own, and those of all later looks.
///
/// Hint: from the last to the first.
pub fn losses_to_go(losses: &[f32]) -> Vec<f32> {
    todo!()
}

/// **8.10 a misleading loss – difficulty ●●○, about 20 minutes**
///
/// Two looks among two places each, and all alignments are uniform: the first look goes to place 0 or 1
/// with probability ½, the second as well, wherever the first went. Construct losses, `first[z₁]` after the
/// first look and `second[z₁][z₂]` after the second, between 0 and 9, so that a first look that answers for
/// its own loss alone is taught the wrong way: a small step against its expected estimate, of the scores
/// of the first look, makes `J = E[first + second]` *larger*, not smaller.
///
/// Returns (first, second).
///
/// Hint: what is cheap now may be dear later.
pub fn misleading() -> ([f32; 2], [[f32; 2]; 2]) {
    todo!()
}

/// **8.11 which run tells them apart? – difficulty ●●○, about 15 minutes**
///
/// After 75 steps of one look with a moving average, alignments are sharp, and answers no better than chance.
/// Three explanations:
///
/// - A: the draws are noisy, and their noise drives the scores apart;
/// - B: the answers drive them apart: places that seem to pay are preferred, too early;
/// - C: the scores move in large steps, whatever the steps are made of.
///
/// Runs that one could make, everything else as it was:
///
/// 0. another twenty seeds;
/// 1. the enumerated gradient instead of draws;
/// 2. random answers in training, drawn looks as before;
/// 3. random answers and the enumerated gradient, both;
/// 4. an entropy bonus.
///
/// For each pair, (A, B), (A, C) and (B, C), choose a run that changes one thing and about which the two
/// explanations disagree, and say what each predicts: whether alignments will be sharp after 75 steps
/// all the same. Returns for each pair (run, what the first of the two predicts, what the second predicts).
///
/// Hint: an explanation that is true of the run before and of the run after predicts no change.
pub fn distinguishing_runs() -> [(usize, bool, bool); 3] {
    todo!()
}

/// **8.12 predict: what credit costs – difficulty ●●○, about 15 minutes**
///
/// Two looks among two places each, and all alignments are uniform. The first look costs 0 at its place 0
/// and 8 at its place 1; the second costs 0 at its place 0 and 2 at its place 1, wherever the first went.
/// Draw one sequence of looks, and from it estimate the gradient with respect to the second look's score of
/// place 0: what the look answers for, less a baseline, times the entry of `1_z − α`. What variance has
/// that estimate, when the second look answers for
///
/// 0. the whole loss, with no baseline;
/// 1. the whole loss, minus the mean of the whole loss;
/// 2. the loss to go, with no baseline;
/// 3. the loss to go, minus the mean of the loss to go?
///
/// Returns the four variances. (The mean of all four estimates is −½.)
///
/// Hint: there are four sequences, each as likely as the others.
pub fn cost_of_credit() -> [f32; 4] {
    todo!()
}

/// **8.13 judge: which way solves more? – difficulty ●●○, about 15 minutes**
///
/// Two ways of training, A and B, and for each seed the same world, questions and first parameters. Six
/// comparisons, each of other ways:
///
/// | | seeds | both solve | A alone | B alone | neither |
/// |---|---:|---:|---:|---:|---:|
/// | 1 | 20 | 14 | 6 | 0 | 0 |
/// | 2 | 20 | 11 | 7 | 1 | 1 |
/// | 3 | 5 | 0 | 5 | 0 | 0 |
/// | 4 | 40 | 22 | 14 | 2 | 2 |
/// | 5 | 20 | 3 | 0 | 9 | 8 |
/// | 6 | 20 | 17 | 1 | 1 | 1 |
///
/// Claims 1 to 5, about comparisons 1 to 5: A solves more trainings than B. Claim 6, about the last: it
/// makes no difference whether one trains with A or with B. Judge by the sign test with two sides, decided
/// when p < 0.05. Returns for each claim whether it held: `Some(true)`, `Some(false)` when the opposite is
/// shown, `None` when nothing is decided.
///
/// Hint: which of the seeds could have distinguished A from B, and how would fair coins fall?
pub fn verdicts() -> [Option<bool>; 6] {
    todo!()
}

// **8.14 capstone: your looks follow a trail – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 8.1, 8.3, 8.5 and 8.9 are solved, the check lets them look: at each of
// five places lies a note, in a language of its own, that names the next place, and a digit. `place` draws
// where to look, `losses_to_go` says what each look answers for, `reinforce` and `entropy_gradient` teach
// the scores. After 4000 trails they should know the language.
//
// `cargo test -p hard_attention --test exercises 8` prints how they do beside ours.
