//! 6.8: model 1 with pencil and paper.

use bahdanau::model_1::Model1;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type ByHand = fn() -> [f64; 3];

pub fn exercise() -> Exercise<ByHand> {
    Exercise {
        number: 8,
        title: "model 1 with pencil and paper",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "before the step",
                hint: "before any step all weights are ½",
                answer: || [0.5, 0.5, 1.0],
            },
            Wrong {
                name: "after two steps",
                hint: "after two steps",
                answer: || {
                    let [le, chat] = weights(2);
                    [le, chat, 1.0]
                },
            },
            Wrong {
                name: "probabilities instead of weights",
                hint: "t(chat | cat)",
                answer: || [0.5, 0.5, 0.6],
            },
            Wrong {
                name: "counts divided over the source words",
                hint: "divided by the sum over the target words",
                answer: || [2.0 / 3.0, 0.5, 1.0],
            },
            Wrong {
                name: "le stays divided",
                hint: "does not stay at ½",
                answer: || [0.5, 2.0 / 3.0, 0.5],
            },
        ],
    }
}

fn check(by_hand: ByHand) {
    let found = by_hand();
    let [le, chat] = weights(1);
    expect(found[0], le, 1e-3)
        .of("the weight of *le* on *the* after one step")
        .or_hint(weights(2)[0], "this is the weight after two steps")
        .or_hint(2.0 / 3.0, "a row of counts is divided by the sum over the target words: t(y | x) is a distribution of y")
        .check();
    expect(found[1], chat, 1e-3)
        .of("the weight of *chat* on *cat* after one step")
        .or_hint(0.5, "before any step all weights are ½; after one, t(chat | cat) = ½ stands beside t(chat | the) = ¼")
        .check();
    expect(found[2], weights(200)[0], 1e-2)
        .of("the weight of *le* on *the* in the end")
        .or_hint(
            0.5,
            "it does not stay at ½: when *chat* leans on *cat*, less of *cat* is left for *le*",
        )
        .check();
}

/// The weights of *le* on *the* and of *chat* on *cat* after so many steps.
fn weights(steps: usize) -> [f64; 2] {
    let pairs: [(&[usize], &[usize]); 2] = [(&[0, 1], &[0, 1]), (&[0, 2], &[0, 2])];
    let mut model = Model1::uniform(3, 3, 0.0);
    (0..steps).for_each(|_| model.step(&pairs));
    let alpha = model.alignment(pairs[0].0, pairs[0].1);
    [(0, 0), (1, 1)].map(|place| f64::from(alpha[place]))
}
