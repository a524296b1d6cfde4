//! 5.2: runs of the candidate that stand in the reference, each counted once for each place there.

use super::solutions;
use std::collections::BTreeSet;
use tests::exercises::{Exercise, wrong};

pub type ClippedMatches = fn(&[&str], &[&str], usize) -> (usize, usize);

pub const EXERCISE: Exercise<ClippedMatches> = Exercise {
    check,
    wrong: &[
        wrong("at most as often as it stands in the reference", |c, r, n| {
            let found = c.windows(n).filter(|run| r.windows(n).any(|other| other == *run));
            (found.count(), c.windows(n).len())
        }),
        wrong("a run that is twice in both counts twice", |c, r, n| {
            let mut runs: Vec<_> = c.windows(n).collect();
            runs.sort_unstable();
            runs.dedup();
            runs.retain(|run| r.windows(n).any(|other| other == *run));
            (runs.len(), c.windows(n).len())
        }),
        wrong("the runs are the candidate's", |c, r, n| {
            (solutions::clipped_matches(c, r, n).0, r.windows(n).len())
        }),
        wrong("a run has its words in the same order", |c, r, n| {
            let sets = |words: &[&str]| -> Vec<BTreeSet<String>> {
                words.windows(n).map(|run| run.iter().map(|w| w.to_string()).collect()).collect()
            };
            pairs(sets(c), sets(r))
        }),
        wrong("compare word by word, not letter by letter", |c, r, n| {
            let glued = |words: &[&str]| words.windows(n).map(<[_]>::concat).collect();
            pairs::<String>(glued(c), glued(r))
        }),
        wrong("what is too short has no runs", |c, r, n| {
            let runs = |words: &[&str]| {
                (0..words.len() + 1 - n).map(|i| words[i..i + n].join(" ")).collect()
            };
            pairs::<String>(runs(c), runs(r))
        }),
    ],
};

fn check(clipped_matches: ClippedMatches) {
    for (candidate, reference, n) in [
        ("the the the the the the the", "the cat is on the mat", 1),
        ("the cat sat", "the the cat", 1),
        ("le chat noir dort", "le chat dort", 1),
        ("le chat noir dort", "le chat dort", 2),
        ("noir chat le", "le chat noir", 2),
        ("a b a b a", "a b a b", 2),
        ("noir chat le", "le chat noir", 1),
        ("en fin", "enf in", 2),
        ("Le chat", "le chat", 1),
        ("oui", "oui oui", 2),
        ("oui", "oui", 4),
        ("oui oui oui", "oui", 3),
    ] {
        let [c, r] = [candidate, reference].map(|s| s.split(' ').collect::<Vec<_>>());
        let (found, right) = (clipped_matches(&c, &r, n), solutions::clipped_matches(&c, &r, n));
        assert!(
            found == right,
            "clipped_matches({candidate:?}, {reference:?}, {n}) is {found:?}, not {right:?}"
        );
    }
}

/// Right when these are the runs.
fn pairs<R: PartialEq>(candidate: Vec<R>, mut left: Vec<R>) -> (usize, usize) {
    let mut found = 0;
    for run in &candidate {
        if let Some(place) = left.iter().position(|other| other == run) {
            left.remove(place);
            found += 1;
        }
    }
    (found, candidate.len())
}
