//! 13.7: who has seen the future?

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Future = fn() -> [bool; 6];

pub const EXERCISE: Exercise<Future> = Exercise {
    check,
    wrong: &[
        unhinted("the last is the last", || but(0)),
        unhinted("counting is no learning", || but(2)),
        unhinted("random is fair", || but(3)),
        unhinted("vectors are no purchases", || but(4)),
        unhinted("whatever is chosen has seen the test", || but(5)),
        unhinted("a split in time leaks, too", || but(1)),
    ],
};

const WHY: [&str; 6] = [
    "the last purchase of one customer may be older than what others bought, and that is trained on",
    "everything that is trained on lies before everything that is asked",
    "counts of what others bought later are knowledge of what came into fashion",
    "nine tenths of what happened after T are trained on, the customer's own purchases among them",
    "the vectors were made of purchases after the first of March",
    "the last week of February lies before the test",
];

fn but(place: usize) -> [bool; 6] {
    let mut answers = solutions::saw_the_future();
    answers[place] = !answers[place];
    answers
}

fn check(saw_the_future: Future) {
    let right = solutions::saw_the_future();
    for (i, (found, right)) in saw_the_future().into_iter().zip(right).enumerate() {
        assert!(found == right, "{i} is {right}, not {found}\nhint: {}", WHY[i]);
    }
}
