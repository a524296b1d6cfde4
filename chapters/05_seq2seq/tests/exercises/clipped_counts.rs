//! 5.2: runs of the candidate that stand in the reference, each counted once for each place there.

use crate::solutions;
use std::collections::BTreeSet;
use tests::exercises::{Exercise, Kind, wrong};

pub type ClippedMatches = fn(&[&str], &[&str], usize) -> (usize, usize);

pub const EXERCISE: Exercise<ClippedMatches> = Exercise {
    number: 2,
    title: "clipped counts",
    kind: Kind::Implement,
    difficulty: 2,
    minutes: 15,
    check,
    wrong: &[
        wrong(
            "not clipped",
            "a run counts at most as often as it stands in the reference",
            |candidate, reference, n| {
                let known = |run: &&[&str]| reference.windows(n).any(|other| other == *run);
                let runs = candidate.windows(n);
                (runs.clone().filter(known).count(), runs.len())
            },
        ),
        wrong(
            "each run counted once",
            "a run that stands twice in both counts twice",
            |candidate, reference, n| {
                let mut runs: Vec<_> = candidate.windows(n).collect();
                let all = runs.len();
                runs.sort_unstable();
                runs.dedup();
                runs.retain(|run| reference.windows(n).any(|other| other == *run));
                (runs.len(), all)
            },
        ),
        wrong(
            "as often as in the reference",
            "a run counts as often as in the shorter of the two",
            |candidate, reference, n| {
                let known = |run: &&[&str]| candidate.windows(n).any(|other| other == *run);
                let found = reference.windows(n).filter(known).count();
                (found.min(candidate.len()), candidate.windows(n).len())
            },
        ),
        wrong(
            "runs of the reference",
            "the runs are the candidate's",
            |candidate, reference, n| {
                let (found, _) = solutions::clipped_matches(candidate, reference, n);
                (found, reference.windows(n).len())
            },
        ),
        wrong(
            "runs as sets of words",
            "a run is matched by the same words in the same order, side by side",
            |candidate, reference, n| {
                pairs(candidate, reference, |words| {
                    let runs = words.windows(n).map(<[_]>::to_vec);
                    runs.map(BTreeSet::from_iter).collect::<Vec<BTreeSet<&str>>>()
                })
            },
        ),
        wrong(
            "only in the reference's order",
            "where in the sentence a run stands is all one",
            |candidate, reference, n| {
                let (mut rest, mut found) = (reference, 0);
                for run in candidate.windows(n) {
                    if let Some(place) = rest.windows(n).position(|other| other == run) {
                        rest = &rest[place + 1..];
                        found += 1;
                    }
                }
                (found, candidate.windows(n).len())
            },
        ),
        wrong(
            "words glued together",
            "runs are compared word by word, not letter by letter",
            |candidate, reference, n| {
                pairs(candidate, reference, |words| words.windows(n).map(<[_]>::concat).collect())
            },
        ),
        wrong(
            "lengths that fall below 0",
            "a sentence that is too short has no runs",
            |candidate, reference, n| {
                pairs(candidate, reference, |words| {
                    (0..words.len() + 1 - n).map(|i| words[i..i + n].to_vec()).collect()
                })
            },
        ),
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

/// Right when `runs` is.
fn pairs<'w, R: PartialEq>(
    candidate: &[&'w str],
    reference: &[&'w str],
    runs: impl Fn(&[&'w str]) -> Vec<R>,
) -> (usize, usize) {
    let (candidate, mut left) = (runs(candidate), runs(reference));
    let mut found = 0;
    for run in &candidate {
        if let Some(place) = left.iter().position(|other| other == run) {
            left.remove(place);
            found += 1;
        }
    }
    (found, candidate.len())
}
