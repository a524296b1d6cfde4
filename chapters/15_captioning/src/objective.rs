//! What training adds to −ln p of the captions.

use crate::{L, Look};
use hard_attention::log_probability;
use hard_attention::sequence::{Credit, reinforce_in_turn};
use seq2seq::Packed;
use shared::{Float, Matrix, Var};

// ANCHOR: even
/// The doubly stochastic term (Xu et al. 2015, §4.2.1): `Σᵢ (1 − Σₜ αₜᵢ)²`, summed over the pictures.
///
/// Over the places of a picture the weights sum to 1 by the softmax; this asks that they do so over the words
/// of its caption, too. With T words and L places that cannot be: the sums are T/L on average.
pub(crate) fn even<'t>(looks: &[Look<'t>]) -> Var<'t> {
    let places = looks[0].weights.shape().1; // L·B: all captions have a first word
    let weights = looks.iter().map(|look| padded(look.weights, places));
    let sums = weights.reduce(|sum, alpha| sum + alpha).expect("a word"); // (1, L·B)
    sums.entrywise(|s| (1.0 - s) * (1.0 - s), |s, _| -2.0 * (1.0 - s)).sum()
}
// ANCHOR_END: even

// ANCHOR: drawn
/// −ln p of the captions, of which the places that were looked at were drawn: backward, it carries chapter 8's
/// estimate. A look answers for the words from its own on, less what the other captions of the batch lost
/// from that word on, on average: a baseline that does not contain the draw it is subtracted from.
pub(crate) fn drawn<'t>(logits: Var<'t>, looks: &[Look<'t>], batch: &Packed) -> Var<'t> {
    let steps = &batch.target_steps;
    let all = -log_probability(logits, &batch.target); // (1, N): −ln p of every word
    let losses: Vec<Var> = (0..steps.len())
        .map(|i| padded(all.columns(steps.columns(i).start, steps.size(i)), steps.size(0)))
        .collect(); // (1, B) each
    let values: Vec<Matrix> = losses.iter().map(|l| Matrix::clone(&l.value())).collect();
    let credits = Credit::ToGo.of(&values);
    let (mut baselines, mut ln_alphas) = (Vec::new(), Vec::new());
    for (i, look) in looks.iter().enumerate() {
        let b = steps.size(i) as Float;
        // c − (mean of the others) = b/(b − 1) · (c − mean of all); one caption has no others
        let (baseline, scale) =
            if b > 1.0 { (credits[i].sum() / b, b / (b - 1.0)) } else { (0.0, 1.0) };
        baselines.push(baseline);
        ln_alphas.push(padded(look.drawn.expect("a drawn place") * scale, steps.size(0)));
    }
    reinforce_in_turn(&losses, &ln_alphas, Credit::ToGo, &baselines)
}
// ANCHOR_END: drawn

/// A row of `x` with zeros up to so many columns: for captions that have ended.
fn padded(x: Var<'_>, columns: usize) -> Var<'_> {
    let missing = columns - x.shape().1;
    if missing == 0 { x } else { x.append(x.tape().constant(Matrix::zeros(1, missing))) }
}

/// The least that the doubly stochastic term of one picture can be: all sums are T/L.
///
/// ```
/// // A caption of nine words and its end, 64 places: almost all of it is there whatever is looked at.
/// assert!((captioning::objective::least_even(10) - 45.6).abs() < 0.1);
/// ```
pub fn least_even(words: usize) -> Float {
    let l = L as Float;
    l * (1.0 - words as Float / l) * (1.0 - words as Float / l)
}
