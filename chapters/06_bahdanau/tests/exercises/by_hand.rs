//! 6.8: model 1 with pencil and paper.

use bahdanau::model_1::Model1;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type ByHand = fn() -> [f64; 3];

pub const EXERCISE: Exercise<ByHand> = Exercise {
    check,
    wrong: &[
        wrong(
            "before any step all weights are ½; after one, t(chat | cat) = ½ stands beside t(chat | the) = ¼",
            || [0.5, 0.5, 1.0],
        ),
        wrong("this is the weight after two steps", || {
            let [le, chat] = weights(2);
            [le, chat, 1.0]
        }),
        wrong(
            "a row of counts is divided by the sum over the target words: t(y | x) is a distribution of y",
            || [2.0 / 3.0, 0.5, 1.0],
        ),
        wrong(
            "it does not stay at ½: when *chat* leans on *cat*, less of *cat* is left for *le*",
            || [0.5, 2.0 / 3.0, 0.5],
        ),
    ],
};

fn check(by_hand: ByHand) {
    let [le, chat, in_the_end] = by_hand();
    let [right_le, right_chat] = weights(1);
    expect(le, right_le, 1e-3).of("the weight of *le* on *the* after one step").check();
    expect(chat, right_chat, 1e-3).of("the weight of *chat* on *cat* after one step").check();
    expect(in_the_end, weights(200)[0], 1e-2).of("the weight of *le* on *the* in the end").check();
}

/// The weights of *le* on *the* and of *chat* on *cat* after so many steps.
fn weights(steps: usize) -> [f64; 2] {
    let pairs: [(&[usize], &[usize]); 2] = [(&[0, 1], &[0, 1]), (&[0, 2], &[0, 2])];
    let mut model = Model1::uniform(3, 3, 0.0);
    (0..steps).for_each(|_| model.step(&pairs));
    let alpha = model.alignment(pairs[0].0, pairs[0].1);
    [(0, 0), (1, 1)].map(|place| f64::from(alpha[place]))
}
