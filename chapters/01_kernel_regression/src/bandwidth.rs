//! The bandwidth that predicts best what it has not seen.

use crate::{Float, Kernel, leave_out};
use rand::seq::index;
use rayon::prelude::*;

/// The candidates' leave-one-out errors, and the best bandwidth.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The bandwidth with the smallest error.
    pub bandwidth: Float,
    /// Its leave-one-out error.
    pub error: f64,
    /// Every candidate with its error, in ascending order: the curve behind the choice.
    pub curve: Vec<(Float, f64)>,
}

/// The mean squared error of predicting points from all the others: CV(h) of the page. It averages
/// over `keys[0]`, `keys[every]`, `keys[2 * every]` …: with `every` = 1 over all points.
pub fn leave_one_out_error(
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    bandwidth: Float,
    every: usize,
) -> f64 {
    let held_out: Vec<usize> = (0..keys.len()).step_by(every).collect();
    let squared_error =
        |i: &usize| f64::from(values[*i] - leave_out(*i, keys, values, kernel, bandwidth)).powi(2);
    // In parallel; the errors are added up in their order, so the sum does not depend on threads.
    let errors: Vec<f64> = held_out.par_iter().map(squared_error).collect();
    errors.iter().sum::<f64>() / errors.len() as f64
}

/// `most` different points drawn at random, the first and the last on the axis among them; all, if there are no more:
/// to choose a bandwidth on all of very many points takes too long.
pub fn sample(keys: &[Float], values: &[Float], most: usize) -> (Vec<Float>, Vec<Float>) {
    if keys.len() <= most {
        return (keys.to_vec(), values.to_vec());
    }
    let by_key = |a: &usize, b: &usize| keys[*a].total_cmp(&keys[*b]);
    let ends = [(0..keys.len()).min_by(by_key), (0..keys.len()).max_by(by_key)];
    let drawn = index::sample(&mut shared::rng(0), keys.len(), most).into_iter();
    let others = drawn.filter(|i| !ends.contains(&Some(*i)));
    let points = ends.into_iter().flatten().chain(others).take(most);
    points.map(|i| (keys[i], values[i])).unzip()
}

/// What the best bandwidth of a sample is multiplied by to suit all points: it falls like n^(−1/5).
pub fn narrower(sample: usize, all: usize) -> Float {
    (sample as Float / all as Float).powf(0.2)
}

/// How often [`choose`] computes the error after the candidates, to refine the best of them.
pub const REFINEMENTS: usize = 10;

/// Bandwidths worth trying, evenly spaced on a logarithmic scale: from a quarter of the distance of
/// close neighbours, where a neighbour weighs e⁻⁸ and less, to the whole range, where the mean is
/// all but flat. Empty when all keys are equal.
pub fn candidates(keys: &[Float]) -> Vec<Float> {
    let mut sorted = keys.to_vec();
    sorted.sort_by(Float::total_cmp);
    let mut gaps: Vec<Float> =
        sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0).collect();
    gaps.sort_by(Float::total_cmp);
    if gaps.is_empty() {
        return Vec::new();
    }
    let (low, high) = (gaps[gaps.len() / 10] / 4.0, sorted[sorted.len() - 1] - sorted[0]);
    let steps = ((high / low).log10() * 16.0).ceil().clamp(1.0, 100.0);
    (0..=steps as usize).map(|i| low * (high / low).powf(i as Float / steps)).collect()
}

/// The best of `candidates`, then refined between its neighbours by golden section.
///
/// Held out is every `every`-th point. `step` is called after each of `candidates.len()` +
/// [`REFINEMENTS`] errors.
///
/// # Panics
/// When there are no candidates or fewer than two points.
pub fn choose(
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    candidates: &[Float],
    every: usize,
    step: impl Fn(),
) -> Choice {
    assert!(!candidates.is_empty() && keys.len() > 1, "no candidates, or fewer than two points");
    let error = |h: Float| {
        let error = leave_one_out_error(keys, values, kernel, h, every);
        step();
        error
    };
    let mut curve: Vec<(Float, f64)> = candidates.iter().map(|h| (*h, error(*h))).collect();
    let best = (0..curve.len()).fold(0, |a, b| if curve[b].1 < curve[a].1 { b } else { a });
    let low = curve[best.saturating_sub(1)].0;
    let high = curve[(best + 1).min(curve.len() - 1)].0;
    curve.extend(golden_section(low, high, error));
    curve.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (bandwidth, error) =
        *curve.iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there is a candidate");
    Choice { bandwidth, error, curve }
}

/// Where `f` was computed while the interval around its minimum shrank, on a logarithmic scale.
fn golden_section(low: Float, high: Float, f: impl Fn(Float) -> f64) -> Vec<(Float, f64)> {
    let golden = (5.0 as Float).sqrt() / 2.0 - 0.5; // 0.618…
    let at = |t: Float| (low * (high / low).powf(t), f(low * (high / low).powf(t)));
    let (mut a, mut b) = (0.0, 1.0);
    let (mut left, mut right) = (1.0 - golden, golden);
    let mut tried = vec![at(left), at(right)];
    let (mut f_left, mut f_right) = (tried[0].1, tried[1].1);
    while tried.len() < REFINEMENTS {
        if f_left <= f_right {
            (b, right, f_right) = (right, left, f_left);
            left = b - golden * (b - a);
            tried.push(at(left));
            f_left = tried[tried.len() - 1].1;
        } else {
            (a, left, f_left) = (left, right, f_right);
            right = a + golden * (b - a);
            tried.push(at(right));
            f_right = tried[tried.len() - 1].1;
        }
    }
    tried
}
