//! 4.9 a memory by hand

use shared::elementwise::sigmoid;
use tests::exercises::{Exercise, Kind, Wrong};

use crate::attempts::Cell;
use crate::solutions;

type ByHand = fn() -> Cell;

pub fn exercise() -> Exercise<ByHand> {
    Exercise {
        number: 9,
        title: "a memory by hand",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "open where it should be closed",
                hint: "is not written",
                answer: || {
                    let mut cell = solutions::by_hand();
                    (cell.w[1][1], cell.b[1]) = (40.0, -20.0);
                    cell
                },
            },
            Wrong {
                name: "nearly closed",
                hint: "leaks",
                answer: || {
                    let mut cell = solutions::by_hand();
                    (cell.w[1][1], cell.b[1]) = (-10.0, 5.0);
                    cell
                },
            },
            Wrong {
                name: "the mark is remembered",
                hint: "the number",
                answer: || {
                    let mut cell = solutions::by_hand();
                    cell.w[2] = [0.0, 1.0];
                    cell
                },
            },
            Wrong {
                name: "never opens",
                hint: "is not written",
                answer: || {
                    let mut cell = solutions::by_hand();
                    cell.w[1][1] = 0.0;
                    cell
                },
            },
            Wrong {
                name: "the old number is added",
                hint: "marked twice",
                answer: || {
                    let mut cell = solutions::by_hand();
                    (cell.u[2], cell.b[0]) = (1.0, 20.0);
                    cell
                },
            },
        ],
    }
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

fn check(by_hand: ByHand) {
    let cell = by_hand();
    let noise = |t: usize| (t as f32 * 0.618_034).fract();
    let sequence = |length: usize, marked: &[(usize, f32)]| -> Vec<(f32, f32)> {
        let mark = |t: usize| marked.iter().find(|(at, _)| *at == t);
        (0..length).map(|t| mark(t).map_or((noise(t), 0.0), |(_, number)| (*number, 1.0))).collect()
    };
    let near = |found: f32, number: f32| (found - number.tanh()).abs() <= 0.01;
    for number in [0.9, 0.2] {
        let found = read(&cell, &sequence(1, &[(0, number)]));
        assert!(
            near(found, number),
            "after the one pair ({number}, 1) the state is {found:.3}, not tanh({number}) = {:.3}: \
             what is marked is not written, or it is not the number",
            number.tanh()
        );
        let found = read(&cell, &sequence(2, &[(0, number)]));
        assert!(
            near(found, number),
            "({number}, 1), then a pair without a mark: the state is {found:.3}, not {:.3}: without a \
             mark nothing should change",
            number.tanh()
        );
    }
    // The numbers that are not marked lie as far away as they can.
    for number in [1.0, 0.0] {
        let mut pairs = [(1.0 - number, 0.0); 100];
        pairs[0] = (number, 1.0);
        let found = read(&cell, &pairs);
        assert!(
            near(found, number),
            "({number}, 1), then 99 pairs ({}, 0): the state is {found:.3}, not {:.3}: it leaks",
            1.0 - number,
            number.tanh()
        );
    }
    let found = read(&cell, &sequence(60, &[(3, 0.8), (40, 0.3)]));
    assert!(
        near(found, 0.3),
        "0.8 and later 0.3 are marked: the state is {found:.3}, not tanh(0.3) = {:.3}: a number that is \
         marked twice over replaces the old one",
        0.3_f32.tanh()
    );
}
