//! 4.3 the word before, in a packing of ragged sequences

use super::solutions;
use recurrent_networks::Steps;
use tests::exercises::{Exercise, wrong};

type WordBefore = fn(&[usize]) -> Vec<Option<usize>>;

pub const EXERCISE: Exercise<WordBefore> = Exercise {
    check,
    wrong: &[
        wrong(
            "the column before holds a token of another sequence, or of the step before",
            |lengths| (0..lengths.iter().sum()).map(|j: usize| j.checked_sub(1)).collect(),
        ),
        wrong("sequences that have ended take no columns", |lengths| {
            (0..lengths.iter().sum()).map(|j: usize| j.checked_sub(lengths.len())).collect()
        }),
        wrong("count the sequences that ran at the step before, not at this one", |lengths| {
            let steps = Steps::new(lengths);
            let before = (0..steps.len()).flat_map(|t| {
                let running = steps.columns(t).len();
                steps.columns(t).map(move |j| (t > 0).then(|| j - running))
            });
            before.collect()
        }),
        wrong("this is the token after", |lengths| {
            let mut after = vec![None; lengths.iter().sum()];
            for (j, before) in solutions::word_before(lengths).into_iter().enumerate() {
                if let Some(before) = before {
                    after[before] = Some(j);
                }
            }
            after
        }),
        wrong("tokens stand step by step", |lengths| {
            let mut found = Vec::new();
            for length in lengths {
                let first = found.len();
                found.push(None);
                found.extend((first..first + length - 1).map(Some));
            }
            found
        }),
        wrong("nothing stands before first tokens, which are the first columns", |lengths| {
            let steps = Steps::new(lengths);
            let all = solutions::word_before(lengths).into_iter().enumerate();
            all.map(|(j, before)| before.or_else(|| Some(steps.column(j, lengths[j] - 1))))
                .collect()
        }),
    ],
};

fn check(word_before: WordBefore) {
    for lengths in [&[4, 2, 1][..], &[3], &[2, 2], &[5, 5, 3, 1, 1], &[4, 4, 2, 2, 2]] {
        let (found, right) = (word_before(lengths), solutions::word_before(lengths));
        assert!(found == right, "word_before({lengths:?}) is {found:?}, not {right:?}");
    }
}
