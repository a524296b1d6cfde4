//! 8.12: what credit costs, told before it is drawn.

use hard_attention::sequence::Credit;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};

type CostOfCredit = fn() -> [f32; 4];

pub fn exercise() -> Exercise<CostOfCredit> {
    Exercise {
        number: 12,
        title: "predict: what credit costs",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the mean is the same, so the spread is",
                hint: "the whole loss, as it is",
                answer: || [0.25, 0.25, 0.25, 0.25],
            },
            Wrong {
                name: "second moments",
                hint: "minus the square of the mean",
                answer: || [10.5, 4.25, 0.5, 0.25],
            },
            Wrong {
                name: "the variance of the losses",
                hint: "the losses alone",
                answer: || [17.0, 17.0, 1.0, 1.0],
            },
            Wrong {
                name: "a baseline takes the first loss away",
                hint: "the whole loss, minus its mean",
                answer: || [10.25, 0.0, 0.25, 0.0],
            },
            Wrong {
                name: "a baseline needs no mean",
                hint: "the loss to go, minus its mean",
                answer: || [10.25, 4.0, 0.25, 0.25],
            },
            Wrong {
                name: "1 where the score function is ½",
                hint: "is ½ or −½",
                answer: || [41.0, 16.0, 1.0, 0.0],
            },
        ],
    }
}

/// After the first look, and after the second: by its place.
const FIRST: [f32; 2] = [0.0, 8.0];
const SECOND: [f32; 2] = [0.0, 2.0];

/// Credit of the second look and its score function's entry for place 0, for each of the four
/// sequences of looks. All are as likely.
fn sequences(credit: Credit) -> [(f32, f32); 4] {
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(z1, z2)| {
        let losses = [FIRST[z1], SECOND[z2]].map(|loss| Matrix::from_element(1, 1, loss));
        (credit.of(&losses)[1][0], if z2 == 0 { 0.5 } else { -0.5 })
    })
}

fn mean(x: [f32; 4]) -> f32 {
    x.iter().sum::<f32>() / 4.0
}

/// Of these numbers: the mean square, and from it the variance.
fn spread(x: [f32; 4]) -> (f32, f32) {
    let square = mean(x.map(|x| x * x));
    (square, square - mean(x) * mean(x))
}

fn check(cost_of_credit: CostOfCredit) {
    let ways = [
        ("the whole loss, as it is", Credit::Whole, false),
        ("the whole loss, minus its mean", Credit::Whole, true),
        ("the loss to go, as it is", Credit::ToGo, false),
        ("the loss to go, minus its mean", Credit::ToGo, true),
    ];
    for ((name, credit, has_baseline), said) in ways.into_iter().zip(cost_of_credit()) {
        let drawn = sequences(credit);
        let b = if has_baseline { mean(drawn.map(|(credit, _)| credit)) } else { 0.0 };
        let (square, variance) = spread(drawn.map(|(credit, score)| (credit - b) * score));
        let alone = spread(drawn.map(|(credit, _)| credit)).1;
        let whole = spread(drawn.map(|(credit, score)| (credit - b) * score * 2.0)).1;
        let close = |to: f32| (said - to).abs() < 1e-3;
        let hint = if close(square) {
            "the mean of the squares, minus the square of the mean"
        } else if close(whole) {
            "the score function's entry is ½ or −½"
        } else if close(alone) {
            "that is the spread of the losses alone; the estimate multiplies them by ½ or −½"
        } else {
            "write down the estimate for each of the four sequences"
        };
        assert!(close(variance), "{name}: the variance is not {said}\nhint: {hint}");
    }
}
