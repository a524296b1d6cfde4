//! 11.1: longest piece first.

use super::solutions;
use std::collections::HashMap;
use tests::exercises::{Exercise, wrong};

type Known<'k> = HashMap<&'k str, usize>;
pub type Cut = fn(&str, &HashMap<&str, usize>) -> Result<Vec<usize>, usize>;

pub const EXERCISE: Exercise<Cut> = Exercise {
    check,
    wrong: &[
        wrong("the longest known beginning comes first", shortest),
        wrong("all pieces but the first are known with ## before them", |word, known| {
            let unmarked = known.iter().filter(|(piece, _)| !piece.starts_with("##"));
            also_marked(word, &unmarked.map(|(piece, n)| (*piece, *n)).collect())
        }),
        wrong("a piece without ## only begins a word", also_marked),
        wrong("what was cut off is not taken back", |word, known| {
            solutions::cut(word, known).or_else(|at| taking_back(word, known, "").ok_or(at))
        }),
        wrong("a letter may have several bytes: letters are counted", |word, known| {
            solutions::cut(word, known).map_err(|n| word.chars().take(n).map(char::len_utf8).sum())
        }),
    ],
};

/// Numbered from 0: some longer pieces come before their shorter rivals, some after them.
#[rustfmt::skip]
const KNOWN: [&str; 27] = [
    "zero", "token", "u", "un", "##n", "##know", "##able", "##a", "##s", "s", "to", "##ken", "ab", "a", "##bc",
    "é", "##té", "ru", "##b", "##ub", "東京", "##都", "𝕒", "##𝕓", "r", "electro", "electroencephalographically",
];

#[rustfmt::skip]
const WORDS: [&str; 21] = [
    "token", "zero", "tokens", "unknowable", "electroencephalographically", "rub", "s", "unknown!", "ken", "unto", "abc",
    "Token", "s ", "", "été", "東京都", "東京!", "𝕒𝕓", "𝕒𝕓𝕓é", "s\u{301}", "#s",
];

fn check(cut: Cut) {
    let known: Known = KNOWN.into_iter().zip(0..).collect();
    let long = format!("un{}", "able".repeat(250));
    for word in WORDS.into_iter().chain([&*long]) {
        let (found, right) = (cut(word, &known), solutions::cut(word, &known));
        assert!(found == right, "cut({word:?}) is {found:?}, not {right:?}, of {KNOWN:?}");
    }
}

/// Cuts as if every known piece were known with ## before it as well.
fn also_marked(word: &str, known: &Known) -> Result<Vec<usize>, usize> {
    let more: Vec<String> = known.keys().map(|piece| format!("##{piece}")).collect();
    let mut all: Known = more.iter().map(String::as_str).zip(known.values().copied()).collect();
    all.extend(known);
    solutions::cut(word, &all)
}

fn shortest(word: &str, known: &Known) -> Result<Vec<usize>, usize> {
    let (mut pieces, mut rest, mut mark) = (Vec::new(), word, "");
    while !rest.is_empty() {
        let piece = |end| Some((*known.get(&*format!("{mark}{}", rest.get(..end)?))?, end));
        let Some((piece, end)) = (1..=rest.len()).find_map(piece) else {
            return Err(word.chars().count() - rest.chars().count());
        };
        pieces.push(piece);
        (rest, mark) = (&rest[end..], "##");
    }
    Ok(pieces)
}

/// Tries shorter pieces when the rest cannot be cut.
fn taking_back(word: &str, known: &Known, mark: &str) -> Option<Vec<usize>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    (1..=word.len()).rev().find_map(|end| {
        let piece = *known.get(&*format!("{mark}{}", word.get(..end)?))?;
        Some([vec![piece], taking_back(&word[end..], known, "##")?].concat())
    })
}
