//! Every French sentence reads as French: articles, adjectives, verbs and participles agree. Every
//! English sentence reads as English.

use corpora::Pair;
use rand::RngExt;
use worlds::parallel::{English, French, examples, sample};

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

#[test]
fn english_is_read() {
    for pair in pairs(3_000, 4).iter().chain(&examples()) {
        assert!(English.accepts(&pair.source), "{}", pair.source.join(" "));
    }
}

/// One form of a word for another of its forms, wherever that makes another word.
fn swapped<'a>(forms: &[&'a str], word: &str) -> Vec<&'a str> {
    if !forms.contains(&word) {
        return Vec::new();
    }
    forms.iter().copied().filter(|form| *form != word).collect()
}

/// The share of sentences with one word replaced that a reader refuses. It cannot be all: *a vu*
/// and *a vue* are both right after *l'*, and *leur* goes with either gender.
fn refused(
    sentences: &[Vec<String>],
    paradigms: &[Vec<&str>],
    accepts: impl Fn(&[String]) -> bool,
) -> f64 {
    let (mut wrong, mut total) = (0, 0);
    for words in sentences {
        for (at, word) in words.iter().enumerate() {
            for paradigm in paradigms {
                for other in swapped(paradigm, word) {
                    let mut sentence = words.clone();
                    sentence[at] = other.into();
                    total += 1;
                    wrong += usize::from(!accepts(&sentence));
                }
            }
        }
    }
    assert!(total > 400, "{total} sentences");
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
    let french = French::new();
    let sentences: Vec<_> = pairs(2_000, 3).into_iter().map(|pair| pair.target).collect();
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
        let share = refused(&sentences, &paradigms, |words| french.accepts(words));
        assert!(share > at_least, "{what}: {share}");
    }
}

/// What is left has another reading: *the cats that the girl sees* is *the cat that the girls see* as
/// far as the rest knows.
#[test]
fn english_that_does_not_agree_is_refused() {
    let sentences: Vec<_> = pairs(2_000, 5).into_iter().map(|pair| pair.source).collect();
    let forms = |forms: &[[&'static str; 2]]| forms.iter().map(|two| two.to_vec()).collect();
    let determiners: Vec<Vec<&str>> = forms(&[["a", "an"], ["this", "these"], ["every", "many"]]);
    let helpers: Vec<Vec<&str>> =
        forms(&[["is", "are"], ["was", "were"], ["do", "does"], ["am", "is"]]);
    let verbs = paradigms(include_str!("../../lexicon/verbs.md"), 0..2);
    for (what, paradigms, at_least) in
        [("determiners", determiners, 0.9), ("verbs", verbs, 0.9), ("helpers", helpers, 0.9)]
    {
        let share = refused(&sentences, &paradigms, |words| English.accepts(words));
        println!("{what}: {share}");
        assert!(share > at_least, "{what}: {share}");
    }
}
