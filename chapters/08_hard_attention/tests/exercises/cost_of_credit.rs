//! 8.12: what credit costs, predicted before it is drawn.

use hard_attention::sequence::Credit;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type CostOfCredit = fn() -> [f32; 4];

pub const EXERCISE: Exercise<CostOfCredit> = Exercise {
    check,
    wrong: &[
        wrong("write down the estimate for each of the four sequences", || [0.25; 4]),
        wrong("subtract the square of the mean", || [10.5, 4.25, 0.5, 0.25]),
        wrong(
            "that is the spread of the losses alone; the estimate multiplies them by ½ or −½",
            || [17.0, 17.0, 1.0, 1.0],
        ),
        wrong(
            "the mean of the whole loss is one number; what the first look found differs",
            || [10.25, 0.0, 0.25, 0.0],
        ),
        wrong("the score function's entry is ½ or −½", || [41.0, 16.0, 1.0, 0.0]),
    ],
};

/// After the first look, and after the second: by its place.
const FIRST: [f32; 2] = [0.0, 8.0];
const SECOND: [f32; 2] = [0.0, 2.0];

fn check(cost_of_credit: CostOfCredit) {
    let ways = [
        ("the whole loss, as it is", Credit::Whole, 0.0),
        ("the whole loss, minus its mean", Credit::Whole, 1.0),
        ("the loss to go, as it is", Credit::ToGo, 0.0),
        ("the loss to go, minus its mean", Credit::ToGo, 1.0),
    ];
    for ((name, credit, baseline), said) in ways.into_iter().zip(cost_of_credit()) {
        // Of the second look, in the four sequences of looks, all as likely.
        let credits = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(z1, z2)| {
            let losses = [FIRST[z1], SECOND[z2]].map(|loss| Matrix::from_element(1, 1, loss));
            credit.of(&losses)[1][0]
        });
        let b = baseline * mean(credits);
        let scores = [0.5, -0.5, 0.5, -0.5]; // the score function's entry for place 0
        let estimates = [0, 1, 2, 3].map(|i| (credits[i] - b) * scores[i]);
        let variance = mean(estimates.map(|x| x * x)) - mean(estimates).powi(2);
        expect(said, variance, 1e-3).of(format!("the variance with {name}")).check();
    }
}

fn mean(x: [f32; 4]) -> f32 {
    x.iter().sum::<f32>() / 4.0
}
