//! Chapter 13's trained DIN: a candidate asks what a customer did, and so does every other item.

use crate::packed::unpack;
use recommendation::{Action, Candidates, Din, Histories, Pooling, top};
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
    let candidate = numbers[0] as usize;
    let actions = numbers[1..].as_chunks().0.iter().map(|action| action.map(|x| x as usize));
    let history: Vec<Action> = actions.map(|[item, kind]| Action { item, kind }).collect();
    RECOMMENDER.with_borrow(|made| {
        let (din, items) = made.as_ref().expect("`recommender` comes first");
        let tape = Tape::no_grad();
        let asked = Candidates::everything(*items, 1);
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
