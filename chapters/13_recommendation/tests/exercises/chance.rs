//! 13.6: what chance gets.

use super::solutions;
use tests::exercises::{Exercise, wrong};

type Chance = fn() -> [f32; 3];

pub const EXERCISE: Exercise<Chance> = Exercise {
    check,
    wrong: &[
        wrong("100 negatives and the bought item are 101", || with(1, 0.1)),
        wrong("it is one of the 180", || with(0, 10.0 / 179.0)),
        wrong("the gains of all ten places count, each with its chance", || with(2, 1.0 / 180.0)),
    ],
};

fn with(place: usize, share: f32) -> [f32; 3] {
    let mut shares = solutions::chance();
    shares[place] = share;
    shares
}

const WHY: [&str; 3] = [
    "how many places are there, and how many of them are hits?",
    "how many items are ranked now?",
    "what is each place worth, and how probable is it?",
];

fn check(chance: Chance) {
    for (i, (found, right)) in chance().into_iter().zip(solutions::chance()).enumerate() {
        let near = (found - right).abs() < 2e-4;
        assert!(
            near,
            "{i}: you say {found}, a share to four digits is asked for\nhint: {}",
            WHY[i]
        );
    }
}
