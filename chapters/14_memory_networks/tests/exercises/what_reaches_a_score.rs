//! 14.4: what reaches a score.

use super::solutions;
use tests::exercises::{Exercise, with, wrong};
use tests::expect;

type Reaches = fn() -> [f64; 5];

pub const EXERCISE: Exercise<Reaches> = Exercise {
    check,
    wrong: &[
        wrong("the derivative of a softmax is p(1 − p), not p", || {
            with(solutions::what_reaches_a_score(), 0, 0.1)
        }),
        wrong("nothing makes linear weights sum to 1", || {
            with(solutions::what_reaches_a_score(), 4, -0.1)
        }),
    ],
};

const WHY: [&str; 5] = [
    "a softmax: its own score moves a weight by p(1 − p)",
    "what has nearly all of the weight has little to gain, and not nothing",
    "in a linear start the weight is the score",
    "weights sum to 1: what sentence 1 gains, sentence 0 loses in part",
    "does a linear weight know the other scores?",
];

fn check(reaches: Reaches) {
    for (i, (found, right)) in
        reaches().into_iter().zip(solutions::what_reaches_a_score()).enumerate()
    {
        expect(found, right, 1e-6).of(format!("number {i}")).hint(WHY[i]).check();
    }
}
