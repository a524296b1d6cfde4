//! Every English sentence reads as English: articles, nouns and verbs agree.

use corpora::Pair;
use parallel::{English, examples, sample};
use rand::RngExt;

fn pairs(count: usize, seed: u64) -> Vec<Pair> {
    let mut rng = shared::rng(seed);
    let drawn = (0..count).map(|k| {
        let room = rng.random_range(if k.is_multiple_of(8) { 14..26 } else { 0..14 });
        sample(room, &mut rng).pair()
    });
    drawn.collect()
}

#[test]
fn english_is_read() {
    for pair in pairs(3_000, 4).iter().chain(&examples()) {
        assert!(English.accepts(&pair.source), "{}", pair.source.join(" "));
    }
}

/// The share of sentences with one word replaced that a reader refuses.
fn refused(
    sentences: &[Vec<String>],
    paradigms: &[Vec<&str>],
    accepts: impl Fn(&[String]) -> bool,
) -> f64 {
    let (mut wrong, mut total) = (0, 0);
    for words in sentences {
        for (at, word) in words.iter().enumerate() {
            let paradigms = paradigms.iter().filter(|forms| forms.contains(&&**word));
            for other in paradigms.flatten().filter(|form| *form != word) {
                let mut sentence = words.clone();
                sentence[at] = (*other).to_owned();
                total += 1;
                wrong += usize::from(!accepts(&sentence));
            }
        }
    }
    assert!(total > 400, "{total} sentences");
    wrong as f64 / total as f64
}

/// The forms in some columns of a table of the lexicon, for every row.
fn paradigms(table: &'static str, columns: std::ops::Range<usize>) -> Vec<Vec<&'static str>> {
    let rows = table.lines().skip(2).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let mut forms = cells[columns.clone()].to_vec();
        forms.sort_unstable();
        forms.dedup();
        forms
    });
    rows.collect()
}

/// A reader is only worth something if it refuses what is wrong. What is left has another reading:
/// *the cats that the girl sees* is *the cat that the girls see* as far as the rest knows.
#[test]
fn what_does_not_agree_is_refused() {
    let forms = |all: &[&'static str]| -> Vec<Vec<&'static str>> {
        all.iter().map(|forms| forms.split(' ').collect()).collect()
    };
    let verbs = include_str!("../../lexicon/verbs.md");
    let english: Vec<_> = pairs(2_000, 5).into_iter().map(|pair| pair.source).collect();
    for (what, paradigms) in [
        ("determiners", forms(&["a an", "this these", "every many"])),
        ("verbs", paradigms(verbs, 0..2)),
        ("helpers", forms(&["is are", "was were", "do does", "am is"])),
    ] {
        let share = refused(&english, &paradigms, |words| English.accepts(words));
        assert!(share > 0.9, "{what}: {share}");
    }
}
