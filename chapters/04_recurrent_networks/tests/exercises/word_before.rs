//! 4.3 the word before, in a packing of ragged sequences

use recurrent_networks::Steps;
use tests::exercises::{Exercise, Kind, Wrong};

type WordBefore = fn(&[usize]) -> Vec<Option<usize>>;

pub fn exercise() -> Exercise<WordBefore> {
    Exercise {
        number: 3,
        title: "the word before",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the column before",
                hint: "of another sequence",
                answer: |l| (0..l.iter().sum()).map(|j: usize| j.checked_sub(1)).collect(),
            },
            Wrong {
                name: "as if all were as long as the longest",
                hint: "have ended",
                answer: |l| (0..l.iter().sum()).map(|j: usize| j.checked_sub(l.len())).collect(),
            },
            Wrong {
                name: "counting the step itself",
                hint: "the step before, not",
                answer: this_step,
            },
            Wrong { name: "the word after", hint: "the token after", answer: word_after },
            Wrong {
                name: "sequence by sequence",
                hint: "sequence by sequence",
                answer: by_sequence,
            },
            Wrong {
                name: "the last word before the first",
                hint: "first tokens",
                answer: |l| {
                    let steps = Steps::new(l);
                    let last = |i: usize| Some(steps.column(i, l[i] - 1));
                    let all = right(l).into_iter().enumerate();
                    all.map(|(j, before)| before.or_else(|| last(j))).collect()
                },
            },
            Wrong {
                name: "the columns of the first sequence's words",
                hint: "",
                answer: |l| {
                    let steps = Steps::new(l);
                    let step = |t: usize| steps.columns(t).map(move |_| t.checked_sub(1));
                    let before = (0..steps.len()).flat_map(step);
                    before.map(|t| t.map(|t| steps.column(0, t))).collect()
                },
            },
        ],
    }
}

fn check(word_before: WordBefore) {
    for lengths in [&[4, 2, 1][..], &[3], &[2, 2], &[5, 5, 3, 1, 1], &[4, 4, 2, 2, 2]] {
        let found = word_before(lengths);
        let call = format!("word_before({lengths:?}) is {found:?}");
        let columns: usize = lengths.iter().sum();
        assert!(found.len() == columns, "{call}, but there are {columns} columns");
        let expected = right(lengths);
        if found == expected {
            continue;
        }
        let padded = |j: usize| j.checked_sub(lengths.len());
        let why = match &found {
            found if *found == by_sequence(lengths) => {
                ": tokens stand step by step, not sequence by sequence"
            }
            found if *found == word_after(lengths) => ": this is the token after",
            found if *found == this_step(lengths) => {
                ": count the sequences that ran at the step before, not at this one"
            }
            found if found.iter().enumerate().all(|(j, c)| *c == j.checked_sub(1)) => {
                ": the column before holds a token of another sequence, or of the step before"
            }
            found if found.iter().enumerate().all(|(j, c)| *c == padded(j)) => {
                ": sequences that have ended take no columns"
            }
            found if found[..lengths.len()].iter().any(Option::is_some) => {
                ": nothing stands before first tokens, which are the first columns"
            }
            _ => "",
        };
        panic!("{call}, not {expected:?}{why}");
    }
}

fn right(lengths: &[usize]) -> Vec<Option<usize>> {
    let steps = Steps::new(lengths);
    let before = |t: usize| {
        let first = steps.columns(t).start;
        let sequence = move |j: usize| j - first;
        let steps = &steps;
        steps.columns(t).map(move |j| t.checked_sub(1).map(|t| steps.column(sequence(j), t)))
    };
    (0..steps.len()).flat_map(before).collect()
}

/// One column too near, wherever a sequence has just ended.
fn this_step(lengths: &[usize]) -> Vec<Option<usize>> {
    let steps = Steps::new(lengths);
    let step = |t: usize| {
        let running = steps.columns(t).len();
        steps.columns(t).map(move |j| if t == 0 { None } else { Some(j - running) })
    };
    (0..steps.len()).flat_map(step).collect()
}

fn word_after(lengths: &[usize]) -> Vec<Option<usize>> {
    let mut after = vec![None; lengths.iter().sum()];
    for (j, before) in right(lengths).into_iter().enumerate() {
        if let Some(before) = before {
            after[before] = Some(j);
        }
    }
    after
}

/// Right, if the tokens stood one sequence after the other.
fn by_sequence(lengths: &[usize]) -> Vec<Option<usize>> {
    let starts = lengths.iter().scan(0, |start, length| {
        *start += length;
        Some(*start - length)
    });
    let starts: Vec<usize> = starts.collect();
    let all = 0..lengths.iter().sum::<usize>();
    all.map(|j| if starts.contains(&j) { None } else { Some(j - 1) }).collect()
}
