//! 4.7 spot the bug: the last state

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

type FinalStates = fn(&Matrix, &[usize]) -> Matrix;

pub const EXERCISE: Exercise<FinalStates> = Exercise {
    check,
    wrong: &[
        bug("sequences that have ended went on and read padding", |h, lengths| {
            h.columns(h.ncols() - lengths.len(), lengths.len()).into_owned()
        }),
        wrong("n steps end with step n − 1", |h, lengths| {
            let batch = lengths.len();
            columns(h, lengths, |i, n| (n * batch + i).min(h.ncols() - batch + i))
        }),
        wrong("step t of i stands in column t·B + i", |h, lengths| {
            columns(h, lengths, |i, n| i * (h.ncols() / lengths.len()) + n - 1)
        }),
        wrong("count from the beginning", |h, lengths| {
            let longest = lengths.iter().max().expect("a sequence");
            columns(h, lengths, |i, n| h.ncols() - (longest - n + 1) * lengths.len() + i)
        }),
    ],
};

fn check(final_states: FinalStates) {
    // In the last two, all sequences are padded: to five steps, or to a step more than they have.
    for (lengths, steps) in
        [(&[4, 2, 1][..], 4), (&[2, 3], 3), (&[3, 3], 3), (&[1, 3], 5), (&[2, 2], 3)]
    {
        let states = uneven(2, steps * lengths.len(), 0.3);
        expect(final_states(&states, lengths), solutions::final_states(&states, lengths), 1e-6)
            .of(format!("final_states for lengths {lengths:?}"))
            .given("states", &states)
            .check();
    }
}

/// The state in column `of(i, n)` for each sequence i of length n.
fn columns(states: &Matrix, lengths: &[usize], of: impl Fn(usize, usize) -> usize) -> Matrix {
    let chosen = lengths.iter().enumerate().map(|(i, n)| of(i, *n));
    states.select_columns(&chosen.collect::<Vec<_>>())
}
