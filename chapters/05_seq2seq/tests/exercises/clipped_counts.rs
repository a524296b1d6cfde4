//! 5.2: runs of the candidate that stand in the reference, each counted once for each place there.

use crate::solutions;
use tests::exercises::{Exercise, Kind, Wrong};

pub type ClippedMatches = fn(&[&str], &[&str], usize) -> (usize, usize);

pub fn exercise() -> Exercise<ClippedMatches> {
    Exercise {
        number: 2,
        title: "clipped counts",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "not clipped", hint: "two of seven match", answer: not_clipped },
            Wrong { name: "each run counted once", hint: "two of seven match", answer: once },
            Wrong {
                name: "as often as in the reference",
                hint: "the shorter of the two",
                answer: as_in_the_reference,
            },
            Wrong {
                name: "runs of the reference",
                hint: "",
                answer: |candidate, reference, n| {
                    let (found, _) = solutions::clipped_matches(candidate, reference, n);
                    (found, reference.windows(n).len())
                },
            },
            Wrong {
                name: "single words whatever n",
                hint: "only `le chat` stands in both",
                answer: |candidate, reference, _| {
                    solutions::clipped_matches(candidate, reference, 1)
                },
            },
            Wrong { name: "runs as sets of words", hint: "in the same order", answer: as_sets },
            Wrong {
                name: "only in the reference's order",
                hint: "is all one",
                answer: in_the_references_order,
            },
            Wrong { name: "words glued together", hint: "word by word", answer: glued },
            Wrong {
                name: "lengths that fall below 0",
                hint: "", // that panics
                answer: by_index,
            },
            Wrong { name: "in lower case", hint: "as they are", answer: lowered },
        ],
    }
}

fn check(clipped_matches: ClippedMatches) {
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let count = |candidate: &'static str, reference: &'static str, n, expected, why: &str| {
        let found = clipped_matches(&words(candidate), &words(reference), n);
        assert!(
            found == expected,
            "clipped_matches({candidate:?}, {reference:?}, {n}) is {found:?}, not {expected:?}\nhint: {why}"
        );
    };
    let the = "`the` stands in the reference twice, so two of seven match";
    count("the the the the the the the", "the cat is on the mat", 1, (2, 7), the);
    let shorter = "a run counts as often as in the shorter of the two";
    count("the cat sat", "the the cat", 1, (2, 3), shorter);
    count("le chat noir dort", "le chat dort", 1, (3, 4), "the runs are the candidate's");
    count("le chat noir dort", "le chat dort", 2, (1, 3), "only `le chat` stands in both");
    let order = "a run is matched by the same words in the same order, side by side";
    count("noir chat le", "le chat noir", 2, (0, 2), order);
    count("a b a b a", "a b a b", 2, (3, 4), "`a b` twice and `b a` once");
    let anywhere = "where in the sentence a run stands is all one";
    count("noir chat le", "le chat noir", 1, (3, 3), anywhere);
    count("en fin", "enf in", 2, (0, 1), "runs are compared word by word, not letter by letter");
    count("Le chat", "le chat", 1, (1, 2), "words are compared as they are: `Le` is not `le`");
    count("oui", "oui oui", 2, (0, 0), "one word has no run of two");
    count("oui", "oui", 4, (0, 0), "one word has no run of four");
    count("oui oui oui", "oui", 3, (0, 1), "the reference may be too short as well");
}

fn not_clipped(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let found = candidate.windows(n).filter(|run| reference.windows(n).any(|r| r == *run));
    (found.count(), candidate.windows(n).len())
}

fn once(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let mut runs: Vec<_> = candidate.windows(n).collect();
    let all = runs.len();
    runs.sort_unstable();
    runs.dedup();
    let found = runs.iter().filter(|run| reference.windows(n).any(|r| r == **run));
    (found.count(), all)
}

fn as_in_the_reference(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let found = reference.windows(n).filter(|run| candidate.windows(n).any(|c| c == *run));
    (found.count().min(candidate.len()), candidate.windows(n).len())
}

fn as_sets(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let sorted = |run: &[&str]| {
        let mut run: Vec<String> = run.iter().map(|word| (*word).to_owned()).collect();
        run.sort();
        run
    };
    let mut left: Vec<_> = reference.windows(n).map(sorted).collect();
    let mut found = 0;
    for run in candidate.windows(n).map(sorted) {
        if let Some(place) = left.iter().position(|other| *other == run) {
            left.remove(place);
            found += 1;
        }
    }
    (found, candidate.windows(n).len())
}

/// Right while no sentence is shorter than n − 1.
fn by_index(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let runs = |words: &[&str]| -> Vec<Vec<String>> {
        let run = |i: usize| words[i..i + n].iter().map(|word| (*word).to_owned()).collect();
        (0..words.len() + 1 - n).map(run).collect()
    };
    let (mut left, mut found) = (runs(reference), 0);
    for run in runs(candidate) {
        if let Some(place) = left.iter().position(|other| *other == run) {
            left.remove(place);
            found += 1;
        }
    }
    (found, candidate.len() + 1 - n)
}

fn in_the_references_order(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let (mut rest, mut found) = (reference, 0);
    for run in candidate.windows(n) {
        if let Some(place) = rest.windows(n).position(|other| other == run) {
            rest = &rest[place + 1..];
            found += 1;
        }
    }
    (found, candidate.windows(n).len())
}

fn lowered(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let lower = |words: &[&str]| words.iter().map(|w| w.to_lowercase()).collect::<Vec<_>>();
    let (candidate, reference) = (lower(candidate), lower(reference));
    let [candidate, reference] =
        [&candidate, &reference].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
    solutions::clipped_matches(&candidate, &reference, n)
}

fn glued(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let runs = |words: &[&str]| words.windows(n).map(<[_]>::concat).collect::<Vec<_>>();
    let (candidate, reference) = (runs(candidate), runs(reference));
    let [candidate, reference] =
        [&candidate, &reference].map(|runs| runs.iter().map(String::as_str).collect::<Vec<_>>());
    solutions::clipped_matches(&candidate, &reference, 1)
}
