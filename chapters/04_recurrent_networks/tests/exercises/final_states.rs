//! 4.7 spot the bug: the last state

use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::uneven;

type FinalStates = fn(&Matrix, &[usize]) -> Matrix;

pub fn exercise() -> Exercise<FinalStates> {
    Exercise {
        number: 7,
        title: "spot the bug: the last state",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "read padding",
                answer: |h, l| h.columns(h.ncols() - l.len(), l.len()).into_owned(),
            },
            Wrong {
                name: "one step too far",
                hint: "",
                answer: |h, l| {
                    let last =
                        |(i, n): (usize, &usize)| (n * l.len() + i).min(h.ncols() - l.len() + i);
                    h.select_columns(&l.iter().enumerate().map(last).collect::<Vec<_>>())
                },
            },
            Wrong {
                name: "as if sequence stood after sequence",
                hint: "column t·B + i",
                answer: |h, l| {
                    let steps = h.ncols() / l.len();
                    let last = |(i, n): (usize, &usize)| i * steps + n - 1;
                    h.select_columns(&l.iter().enumerate().map(last).collect::<Vec<_>>())
                },
            },
            Wrong {
                name: "as if the longest had no padding",
                hint: "from the beginning",
                answer: from_the_end,
            },
        ],
    }
}

fn check(final_states: FinalStates) {
    // In the last two, all sequences are padded: to five steps, or to a step more than they have.
    for (lengths, steps) in
        [(&[4, 2, 1][..], 4), (&[2, 3], 3), (&[3, 3], 3), (&[1, 3], 5), (&[2, 2], 3)]
    {
        let batch = lengths.len();
        let states = uneven(2, steps * batch, 0.3);
        let column = |i: usize| (lengths[i] - 1) * batch + i;
        let expected = Matrix::from_fn(2, batch, |k, i| states[(k, column(i))]);
        let last_step = states.columns(states.ncols() - batch, batch).into_owned();
        let in_a_row = Matrix::from_fn(2, batch, |k, i| states[(k, i * steps + lengths[i] - 1)]);
        let found = expect(final_states(&states, lengths), &expected, 1e-6);
        let found =
            found.of(format!("final_states for lengths {lengths:?}")).given("states", &states);
        let found = match last_step == expected {
            true => found,
            false => found.or_hint(last_step, "sequences that have ended went on and read padding"),
        };
        let found = found.or_hint(in_a_row, "step t of sequence i stands in column t·B + i");
        let counted_back = from_the_end(&states, lengths);
        match counted_back == expected {
            true => found,
            false => found
                .or_hint(counted_back, "the longest may be padded, too: count from the beginning"),
        }
        .check();
    }
}

/// Counts steps back from the last, as if the longest sequence ended there.
fn from_the_end(states: &Matrix, lengths: &[usize]) -> Matrix {
    let (batch, longest) = (lengths.len(), lengths.iter().copied().max().unwrap_or(0));
    let last = |(i, length)| states.ncols() - (longest - length + 1) * batch + i;
    states.select_columns(&lengths.iter().enumerate().map(last).collect::<Vec<_>>())
}
