//! 4.9 a memory by hand

use super::attempts::Cell;
use super::solutions;
use shared::elementwise::sigmoid;
use tests::exercises::{Exercise, unhinted};

type ByHand = fn() -> Cell;

pub const EXERCISE: Exercise<ByHand> = Exercise {
    check,
    wrong: &[
        unhinted("open where it should be closed", || gate(40.0, -20.0)),
        unhinted("nearly closed", || gate(-10.0, 5.0)),
        unhinted("never opens", || gate(0.0, 20.0)),
        unhinted("the mark is remembered", || Cell {
            w: [[0.0, 0.0], [0.0, -40.0], [0.0, 1.0]],
            ..solutions::by_hand()
        }),
        unhinted("the old number is added", || Cell {
            u: [0.0, 0.0, 1.0],
            b: [20.0, 20.0, 0.0],
            ..solutions::by_hand()
        }),
    ],
};

/// Right, except for the weight of the mark and the bias of z.
fn gate(mark: f32, bias: f32) -> Cell {
    Cell { w: [[0.0, 0.0], [0.0, mark], [1.0, 0.0]], b: [0.0, bias, 0.0], ..solutions::by_hand() }
}

/// The state after pairs (number, mark).
fn read(cell: &Cell, pairs: &[(f32, f32)]) -> f32 {
    pairs.iter().fold(0.0, |h, (number, mark)| {
        let p = |k: usize| cell.w[k][0] * number + cell.w[k][1] * mark + cell.b[k];
        let q = |k: usize| cell.u[k] * h + cell.c[k];
        let (r, z) = (sigmoid(p(0) + q(0)), sigmoid(p(1) + q(1)));
        let n = (p(2) + r * q(2)).tanh();
        n + z * (h - n)
    })
}

const WRITTEN: &str = "what is marked is not written, or it is not the number";
const HELD: &str = "without a mark nothing should change";
const LEAKS: &str = "it leaks";
const REPLACED: &str = "a number that is marked later replaces the old one";

fn check(by_hand: ByHand) {
    let cell = by_hand();
    // a number that is marked, and others that are not
    let then = |number: f32, others: f32, count| {
        [&[(number, 1.0)], &vec![(others, 0.0); count][..]].concat()
    };
    for (pairs, number, hint) in [
        (then(0.9, 0.0, 0), 0.9, WRITTEN),
        (then(0.9, 0.6, 1), 0.9, HELD),
        (then(0.2, 0.0, 0), 0.2, WRITTEN),
        (then(0.2, 0.6, 1), 0.2, HELD),
        // as far away as they can lie
        (then(1.0, 0.0, 99), 1.0, LEAKS),
        (then(0.0, 1.0, 99), 0.0, LEAKS),
        ([then(0.8, 0.6, 36), then(0.3, 0.1, 19)].concat(), 0.3, REPLACED),
    ] {
        let (found, right) = (read(&cell, &pairs), f32::tanh(number));
        assert!(
            (found - right).abs() <= 0.01,
            "after {} pairs, of which ({number}, 1) was the last with a mark, the state is {found:.3}, not \
             tanh({number}) = {right:.3}: {hint}",
            pairs.len()
        );
    }
}
