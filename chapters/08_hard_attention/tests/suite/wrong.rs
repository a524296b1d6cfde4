//! Answers that the checks must reject, and a few right ones they are made from.

use shared::Vector;

pub fn softmax(scores: &Vector) -> Vector {
    let max = scores.max();
    let exponentials = scores.map(|s| (s - max).exp());
    &exponentials / exponentials.sum()
}

// 8.1

pub fn most_probable(alpha: &[f32], _: f32) -> usize {
    Vector::from_column_slice(alpha).imax()
}

pub fn weight_above_u(alpha: &[f32], u: f32) -> usize {
    alpha.iter().position(|weight| *weight > u).unwrap_or(0)
}

pub fn one_too_far(alpha: &[f32], u: f32) -> usize {
    let mut sum = 0.0;
    alpha
        .iter()
        .filter(|weight| {
            sum += **weight;
            sum < u
        })
        .count()
        + 1
}

/// `≥` where `>` is needed: u = 0 picks a first place of weight 0.
pub fn reaches_u(alpha: &[f32], u: f32) -> usize {
    let mut sum = 0.0;
    let reaches = |weight: &f32| {
        sum += weight;
        sum >= u
    };
    alpha.iter().position(reaches).or_else(|| alpha.iter().rposition(|a| *a > 0.0)).unwrap_or(0)
}

pub fn last_of_all(alpha: &[f32], u: f32) -> usize {
    running(alpha, u).unwrap_or(alpha.len() - 1)
}

pub fn no_rest(alpha: &[f32], u: f32) -> usize {
    running(alpha, u).expect("the weights sum to 1")
}

fn running(alpha: &[f32], u: f32) -> Option<usize> {
    let mut sum = 0.0;
    alpha.iter().position(|weight| {
        sum += weight;
        sum > u
    })
}

pub fn scaled(alpha: &[f32], u: f32) -> usize {
    let sum: f32 = alpha.iter().sum();
    running(alpha, u * sum).unwrap_or(0)
}

pub fn rest_to_the_largest(alpha: &[f32], u: f32) -> usize {
    running(alpha, u).unwrap_or_else(|| most_probable(alpha, u))
}

// 8.2

/// Right.
pub fn score(scores: &Vector, s: usize) -> Vector {
    let mut gradient = -softmax(scores);
    gradient[s] += 1.0;
    gradient
}

pub fn gradient_of_alpha(scores: &Vector, s: usize) -> Vector {
    score(scores, s) * softmax(scores)[s]
}

pub fn one_over_alpha(scores: &Vector, s: usize) -> Vector {
    let mut gradient = scores * 0.0;
    gradient[s] = 1.0 / softmax(scores)[s];
    gradient
}

pub fn only_the_place(scores: &Vector, s: usize) -> Vector {
    let mut gradient = scores * 0.0;
    gradient[s] = 1.0 - softmax(scores)[s];
    gradient
}

pub fn unstable_score(scores: &Vector, s: usize) -> Vector {
    let exponentials = scores.map(f32::exp);
    let mut gradient = -(&exponentials / exponentials.sum());
    gradient[s] += 1.0;
    gradient
}

/// ln α_s = −ln Σ e^(score_i − score_s): right on paper.
pub fn drawn_score_first(scores: &Vector, s: usize) -> Vector {
    unstable_score(&scores.add_scalar(-scores[s]), s)
}

/// ∂ln α_s = ∂α_s/α_s: right while α_s is not 0.
pub fn over_alpha(scores: &Vector, s: usize) -> Vector {
    gradient_of_alpha(scores, s) / softmax(scores)[s]
}

// 8.3

/// Right: the mean of `(ℓ − b)(e_s − α)`.
pub fn mean(alpha: &Vector, places: &[usize], losses: &[f32], baseline: f32) -> Vector {
    let mut gradient = alpha * 0.0;
    for (&place, &loss) in places.iter().zip(losses) {
        let mut score = -alpha.clone();
        score[place] += 1.0;
        gradient += score * (loss - baseline);
    }
    gradient / places.len() as f32
}

pub fn weighted_by_alpha(alpha: &Vector, places: &[usize], losses: &[f32], b: f32) -> Vector {
    let each = places.iter().zip(losses);
    let sum = each.fold(alpha * 0.0, |sum, (s, l)| sum + mean(alpha, &[*s], &[*l], b) * alpha[*s]);
    sum / places.len() as f32
}

pub fn without_alpha(alpha: &Vector, places: &[usize], losses: &[f32], b: f32) -> Vector {
    let mut gradient = alpha * 0.0;
    places.iter().zip(losses).for_each(|(s, l)| gradient[*s] += (l - b) / places.len() as f32);
    gradient
}

// 8.4

fn weighted(alpha: &Vector, losses: &Vector, weight: impl Fn(f32, f32) -> f32) -> (f32, f32) {
    let square = alpha.norm_squared();
    let weights = alpha.map(|a| a * weight(a, square));
    (weights.dot(losses), weights.sum())
}

pub fn by_length(alpha: &Vector, losses: &Vector) -> f32 {
    let (sum, total) = weighted(alpha, losses, |a, square| (1.0 - 2.0 * a + square).sqrt());
    sum / total
}

pub fn own_entry(alpha: &Vector, losses: &Vector) -> f32 {
    let (sum, total) = weighted(alpha, losses, |a, _| (1.0 - a) * (1.0 - a));
    sum / total
}

pub fn not_divided(alpha: &Vector, losses: &Vector) -> f32 {
    weighted(alpha, losses, |a, square| 1.0 - 2.0 * a + square).0
}

/// αᵢ‖∂αᵢ/αᵢ‖²: right while no weight is 0.
pub fn over_weight(alpha: &Vector, losses: &Vector) -> f32 {
    let (sum, total) =
        weighted(alpha, losses, |a, square| a * a * (1.0 - 2.0 * a + square) / (a * a));
    sum / total
}

// 8.5

/// Right while no weight is 0.
pub fn entropy_gradient(scores: &Vector) -> Vector {
    let alpha = softmax(scores);
    let entropy = -alpha.iter().map(|a| a * a.ln()).sum::<f32>();
    alpha.map(|a| -a * (a.ln() + entropy))
}

pub fn with_respect_to_alpha(scores: &Vector) -> Vector {
    softmax(scores).map(|a| -a.ln() - 1.0)
}

pub fn without_h(scores: &Vector) -> Vector {
    softmax(scores).map(|a| -a * a.ln())
}

// 8.6 and 8.7

/// Right.
pub fn others(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    with_others(alpha, places, losses, places.len() as f32 - 1.0)
}

pub fn others_over_k(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    with_others(alpha, places, losses, places.len() as f32)
}

fn with_others(alpha: &Vector, places: &[usize], losses: &[f32], divisor: f32) -> Vector {
    let total: f32 = losses.iter().sum();
    let each = places.iter().zip(losses);
    let sum = each
        .fold(alpha * 0.0, |sum, (s, l)| sum + mean(alpha, &[*s], &[*l], (total - l) / divisor));
    sum / places.len() as f32
}

pub fn mean_of_all(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    mean(alpha, places, losses, losses.iter().sum::<f32>() / losses.len() as f32)
}

pub fn next_look(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    let next = |k: usize| losses[(k + 1) % losses.len()];
    with_baselines(alpha, places, losses, next)
}

pub fn cheapest_other(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    let others = |k: usize| losses.iter().enumerate().filter(move |(other, _)| *other != k);
    with_baselines(alpha, places, losses, |k| {
        others(k).fold(f32::MAX, |least, (_, l)| least.min(*l))
    })
}

fn with_baselines(
    alpha: &Vector,
    places: &[usize],
    losses: &[f32],
    baseline: impl Fn(usize) -> f32,
) -> Vector {
    let one = |k: usize| mean(alpha, &[places[k]], &[losses[k]], baseline(k));
    (0..places.len()).fold(alpha * 0.0, |sum, k| sum + one(k)) / places.len() as f32
}

// 8.8

/// Loss, its derivative, that of ln α_s, and ln α_s.
fn parts(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize) -> [f32; 4] {
    let alpha = softmax(&(w * keys));
    let error = w * values[s] - y;
    [error * error, 2.0 * error * values[s], keys[s] - alpha.dot(keys), alpha[s].ln()]
}

/// Right.
pub fn one_look(w: f32, k: &Vector, v: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, dloss, dln_alpha, _] = parts(w, k, v, y, s);
    (loss - b) * dln_alpha + dloss
}

pub fn through_the_surrogate(w: f32, k: &Vector, v: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, dloss, dln_alpha, ln_alpha] = parts(w, k, v, y, s);
    (loss - b) * dln_alpha + dloss * ln_alpha
}

pub fn looking_only(w: f32, k: &Vector, v: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, _, dln_alpha, _] = parts(w, k, v, y, s);
    (loss - b) * dln_alpha
}

pub fn reading_only(w: f32, k: &Vector, v: &Vector, y: f32, s: usize, _: f32) -> f32 {
    parts(w, k, v, y, s)[1]
}
