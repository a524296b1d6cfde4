//! Labels that are wrong.

use rand::RngExt;
use rand::seq::SliceRandom;
use shared::Rng;

/// Replaces the nearest whole number to `share` of the labels, each by one of the others.
///
/// All labels are different, and `labels` has at least two.
pub(super) fn disturb<'a, L: Copy + PartialEq + 'a>(
    given: impl Iterator<Item = &'a mut L>,
    labels: &[L],
    share: f64,
    rng: &mut Rng,
) {
    let mut given: Vec<&mut L> = given.collect();
    given.shuffle(rng);
    let wrong = (share * given.len() as f64).round() as usize;
    for label in given.into_iter().take(wrong) {
        let others: Vec<L> = labels.iter().copied().filter(|one| *one != *label).collect();
        *label = others[rng.random_range(0..others.len())];
    }
}
