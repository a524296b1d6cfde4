//! 4.3 every sequence back to front, in a packing of ragged sequences

use recurrent_networks::Steps;
use tests::exercises::{Exercise, Kind, Wrong};

type Reversed = fn(&[usize]) -> Vec<usize>;

pub fn exercise() -> Exercise<Reversed> {
    Exercise {
        number: 3,
        title: "every sequence back to front",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the whole packing back to front",
                hint: "every sequence for itself",
                answer: |l| (0..l.iter().sum()).rev().collect(),
            },
            Wrong {
                name: "not turned",
                hint: "in the old order",
                answer: |l| (0..l.iter().sum()).collect(),
            },
            Wrong {
                name: "sequence by sequence",
                hint: "sequence by sequence",
                answer: by_sequence,
            },
            Wrong {
                name: "steps back to front",
                hint: "every sequence for itself",
                answer: steps_reversed,
            },
            Wrong {
                name: "as if all were as long as the longest",
                hint: "",
                answer: |l| {
                    let (b, t) = (l.len(), l[0]);
                    (0..t).rev().flat_map(|t| (0..b).map(move |i| t * b + i)).collect()
                },
            },
        ],
    }
}

fn check(reversed: Reversed) {
    for lengths in [&[4, 2, 1][..], &[3], &[2, 2], &[5, 5, 3, 1, 1]] {
        let found = reversed(lengths);
        let call = format!("reversed({lengths:?}) is {found:?}");
        let columns: usize = lengths.iter().sum();
        assert!(found.len() == columns, "{call}, but there are {columns} columns");
        let expected = Steps::new(lengths).reversed();
        if found == expected {
            continue;
        }
        let why = match &found {
            found if *found == by_sequence(lengths) => "sequence by sequence, not step by step",
            found if found.iter().is_sorted() => "this leaves the tokens in the old order",
            _ => "every sequence for itself is turned round",
        };
        panic!("{call}, not {expected:?}: {why}");
    }
}

/// Turned, but one sequence after the other.
fn by_sequence(lengths: &[usize]) -> Vec<usize> {
    let steps = Steps::new(lengths);
    let one = |i: usize| (0..lengths[i]).rev().map(move |t| (i, t));
    (0..lengths.len()).flat_map(one).map(|(i, t)| steps.column(i, t)).collect()
}

fn steps_reversed(lengths: &[usize]) -> Vec<usize> {
    let steps = Steps::new(lengths);
    (0..steps.len()).rev().flat_map(|t| steps.columns(t)).collect()
}
