//! 8.9: the loss to go.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type LossesToGo = fn(&[f32]) -> Vec<f32>;

pub const EXERCISE: Exercise<LossesToGo> = Exercise {
    check,
    wrong: &[
        wrong("what came before is not its doing", |losses| {
            vec![losses.iter().sum(); losses.len()]
        }),
        wrong("later losses count too", |losses| losses.to_vec()),
        wrong("the sum runs from the other end: what comes after", |losses| {
            (1..=losses.len()).map(|n| losses[..n].iter().sum()).collect()
        }),
        wrong("look i answers for i, i + 1, …", |losses| {
            (1..=losses.len()).map(|n| losses[n..].iter().sum()).collect()
        }),
        wrong("a sum, not a mean", |losses| {
            let n = losses.len();
            let to_go = solutions::losses_to_go(losses).into_iter().enumerate();
            to_go.map(|(i, sum)| sum / (n - i) as f32).collect()
        }),
        wrong("no look, no loss", |losses| {
            assert!(!losses[0].is_nan());
            solutions::losses_to_go(losses)
        }),
    ],
};

fn check(losses_to_go: LossesToGo) {
    let cases: [&[f32]; 4] = [&[2.0, 0.5, 0.0, 1.0], &[1e8, 0.25, 0.5], &[7.0], &[]];
    for losses in cases {
        expect(losses_to_go(losses), solutions::losses_to_go(losses), 1e-6)
            .of(format!("losses_to_go({losses:?})"))
            .check();
    }
}
