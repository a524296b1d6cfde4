//! Every French sentence reads as French: articles, adjectives, verbs and participles agree.

use crate::french;

use corpora::Pair;
use corpora::parallel::{examples, sample};
use french::French;
use rand::RngExt;

fn pairs(count: usize, seed: u64) -> Vec<Pair> {
    let mut rng = shared::rng(seed);
    let mut draw = |k: usize| {
        let room =
            if k.is_multiple_of(8) { rng.random_range(14..26) } else { rng.random_range(0..14) };
        sample(room, &mut rng).pair()
    };
    (0..count).map(&mut draw).collect()
}

#[test]
fn everything_agrees_that_must() {
    let french = French::new();
    for pair in pairs(100_000, 2).iter().chain(&examples()) {
        assert!(french.accepts(&pair.target), "{}", pair.target.join(" "));
    }
}

/// One form of a word for another of its forms, wherever that makes another word.
fn swapped<'a>(forms: &[&'a str], word: &str) -> Vec<&'a str> {
    if !forms.contains(&word) {
        return Vec::new();
    }
    forms.iter().copied().filter(|form| *form != word).collect()
}

/// The share of sentences with one word replaced that the reader refuses. It cannot be all: *a vu*
/// and *a vue* are both right after *l'*, and *leur* goes with either gender.
fn refused(pairs: &[Pair], paradigms: &[Vec<&str>]) -> f64 {
    let french = French::new();
    let (mut wrong, mut total) = (0, 0);
    for pair in pairs {
        for (at, word) in pair.target.iter().enumerate() {
            for paradigm in paradigms {
                for other in swapped(paradigm, word) {
                    let mut sentence = pair.target.clone();
                    sentence[at] = other.into();
                    total += 1;
                    wrong += usize::from(!french.accepts(&sentence));
                }
            }
        }
    }
    assert!(total > 1000, "{total} sentences");
    wrong as f64 / total as f64
}

/// The forms in some columns of a table of the lexicon, for every row.
fn paradigms(table: &'static str, columns: std::ops::Range<usize>) -> Vec<Vec<&'static str>> {
    let row = |line: &'static str| -> Vec<&'static str> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let mut forms = cells[columns.clone()].to_vec();
        forms.sort_unstable();
        forms.dedup();
        forms
    };
    table.lines().skip(2).map(row).collect()
}

/// The reader is only worth something if it refuses what is wrong.
#[test]
fn what_does_not_agree_is_refused() {
    let pairs = pairs(2_000, 3);
    let determiners = [["un", "une"], ["ce", "cette"], ["les", "le"], ["des", "un"], ["ma", "mes"]];
    let determiners: Vec<Vec<&str>> = determiners.iter().map(|two| two.to_vec()).collect();
    let nouns = paradigms(include_str!("../../lexicon/nouns.md"), 2..4);
    let adjectives = paradigms(include_str!("../../lexicon/adjectives.md"), 4..7);
    let verbs = paradigms(include_str!("../../lexicon/verbs.md"), 3..8);
    let helpers = vec![
        vec!["suis", "est", "sommes", "êtes", "sont"],
        vec!["ai", "a", "avons", "avez", "ont"],
        vec!["vais", "va", "allons", "allez", "vont"],
        vec!["étais", "était", "étions", "étiez", "étaient"],
    ];
    for (what, paradigms, at_least) in [
        ("determiners", determiners, 0.93),
        ("nouns", nouns, 0.98),
        ("adjectives", adjectives, 0.995),
        ("verbs", verbs, 0.995),
        ("helpers", helpers, 0.995),
    ] {
        let share = refused(&pairs, &paradigms);
        assert!(share > at_least, "{what}: {share}");
    }
}
