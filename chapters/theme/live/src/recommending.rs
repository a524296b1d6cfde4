//! Chapter 13's trained DIN: a candidate asks what a customer did, and so does every other item.

use crate::packed::unpack;
use recommendation::{Action, Asked, Din, Histories, Pooling, top};
use shared::{Float, Tape, rng};
use std::cell::RefCell;

thread_local! {
    static RECOMMENDER: RefCell<Option<(Din, usize)>> = const { RefCell::new(None) };
}

/// How many items are recommended.
pub const BEST: usize = 5;

/// Items, kinds of actions, entries of a vector, hidden units, and the packed parameters: makes the model. Nothing is
/// returned.
pub fn recommender(numbers: &[Float]) -> Vec<Float> {
    let sizes = [0, 1, 2, 3].map(|i| numbers[i] as usize);
    let mut din = Din::new(sizes, Pooling::Softmax, true, &mut rng(0));
    unpack(&mut din, &numbers[4..]);
    RECOMMENDER.set(Some((din, sizes[0])));
    Vec::new()
}

/// A candidate, then item and kind of every action, oldest first → the candidate's place among all items and what
/// every action weighs for it; then the [`BEST`] items, each with the action that weighs most for it and that weight.
pub fn recommend(numbers: &[Float]) -> Vec<Float> {
    let (candidate, actions) = (numbers[0] as usize, numbers[1..].as_chunks().0);
    let action = |[item, kind]: &[Float; 2]| Action { item: *item as usize, kind: *kind as usize };
    let history: Vec<Action> = actions.iter().map(action).collect();
    RECOMMENDER.with_borrow(|made| {
        let (din, items) = made.as_ref().expect("`recommender` comes first");
        let (tape, asked) = (Tape::without_gradients(), Asked::everything(*items, 1));
        let scored = din.forward(&tape, &Histories::new(&[&history]), &asked);
        let (logits, weights) = (scored.logits.value(), scored.weights.value());
        let of = |item: usize| &weights.as_slice()[item * history.len()..][..history.len()];
        let before = logits.iter().filter(|logit| **logit > logits[candidate]).count();
        let mut answer = vec![(before + 1) as Float];
        answer.extend(of(candidate));
        for item in top(logits.as_slice(), BEST) {
            let reason = top(of(item), 1)[0];
            answer.extend([item as Float, reason as Float, of(item)[reason]]);
        }
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of what is recommended, the first is in the first place, the second in the second, and each has the reason and
    /// the weight that it has when it is asked about.
    #[test]
    fn what_is_recommended_is_what_a_candidate_is_told() {
        let din = Din::new([9, 3, 4, 4], Pooling::Softmax, true, &mut rng(5));
        RECOMMENDER.set(Some((din, 9)));
        let history = [7.0, 0.0, 2.0, 2.0, 7.0, 1.0];
        let ask = |candidate: Float| recommend(&[&[candidate], &history[..]].concat());
        let found = ask(3.0);
        assert_eq!(found.len(), 1 + 3 + 3 * BEST);
        for (i, best) in found[4..].chunks(3).enumerate() {
            let own = ask(best[0]);
            assert_eq!(own[0], (i + 1) as Float, "{own:?}");
            let weights = &own[1..4];
            assert!((weights.iter().sum::<Float>() - 1.0).abs() < 1e-5, "{weights:?}");
            assert_eq!(weights.iter().copied().fold(0.0, Float::max), best[2]);
            assert_eq!(weights[best[1] as usize], best[2]);
        }
    }
}
