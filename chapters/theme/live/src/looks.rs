//! Chapter 8's stall: one look after the other, and the mean of what they estimate.

use hard_attention::estimator::{estimate, exact, lengths, optimal_baseline, variance};
use hard_attention::place;
use rand::RngExt;
use shared::{Float, Vector};

/// What the labels of melon, radish and apple would cost: the squared difference to 4 of 4, 1 and 3.
const LOSSES: [Float; 3] = [0.0, 9.0, 1.0];

/// A seed, a number of looks, a baseline → the exact gradient of the three scores, the variance of an estimate, the
/// mean loss J, the optimal baseline; the estimate of a look at each label; then for each look its label, and the
/// mean of the estimates so far.
pub fn looks(numbers: &[Float]) -> Vec<Float> {
    let [seed, count, baseline] = *numbers else { panic!("three numbers") };
    let stall = [1.0, 0.0, 1.0, 2.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]; // scaled dot, wish, three labels
    let alpha = crate::geometry(&stall)[3..6].to_vec();
    let expected: Float = alpha.iter().zip(LOSSES).map(|(a, l)| a * l).sum();
    let mut answer = exact(&alpha, &LOSSES).as_slice().to_vec();
    let optimal = optimal_baseline(&alpha, &LOSSES, &lengths(&alpha));
    answer.extend([variance(&alpha, &LOSSES, baseline), expected, optimal]);
    let estimates = [0, 1, 2].map(|i| estimate(&alpha, i, LOSSES[i], baseline));
    answer.extend(estimates.iter().flat_map(|estimate| estimate.iter().copied()));
    let mut rng = shared::rng(seed as u64);
    let mut seen = [0.0; 3]; // how often each label was turned over
    for look in 1..=count as usize {
        let z = place(&alpha, rng.random());
        seen[z] += 1.0 as Float;
        let mean = (0..3).map(|i| &estimates[i] * (seen[i] / look as Float)).sum::<Vector>();
        answer.push(z as Float);
        answer.extend(mean.iter());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of the page's tables, to the last digit.
    #[test]
    fn the_tables_are_the_pages() {
        let bare = looks(&[0.0, 0.0, 0.0]);
        let page = [-0.52, 1.0, -0.48, 11.72];
        assert!(bare.iter().zip(page).all(|(a, b)| (a - b).abs() <= 0.005), "{bare:?}");
        let with = looks(&[0.0, 0.0, bare[4]]);
        let page = [7.71, bare[4], bare[5], -1.31, 0.26, 1.06, -2.03, 6.16, -4.13];
        assert!(with[3..].iter().zip(page).all(|(a, b)| (a - b).abs() <= 0.005), "{with:?}");
    }
}
