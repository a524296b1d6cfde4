//! 11.1: longest piece first.

use std::collections::HashMap;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Cut = fn(&str, &HashMap<&str, usize>) -> Option<Vec<usize>>;

pub fn exercise() -> Exercise<Cut> {
    Exercise {
        number: 1,
        title: "longest piece first",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "shortest piece first",
                hint: "the longest",
                answer: |word, known| greedy(word, known, "##", |ends| ends),
            },
            Wrong {
                name: "no marks",
                hint: "with ## before them",
                answer: |word, known| greedy(word, known, "", longest),
            },
            Wrong {
                name: "the first piece may be marked too",
                hint: "does not begin a word",
                answer: |word, known| {
                    let piece = |rest: &str, first: bool| {
                        let own = if first { known.get(rest) } else { None };
                        own.or_else(|| known.get(&*format!("##{rest}")))
                    };
                    by(word, longest, piece)
                },
            },
            Wrong {
                name: "a later piece may be unmarked",
                hint: "only begins a word",
                answer: |word, known| {
                    let piece = |rest: &str, first: bool| {
                        let own = if first { None } else { known.get(&*format!("##{rest}")) };
                        own.or_else(|| known.get(rest))
                    };
                    by(word, longest, piece)
                },
            },
            Wrong {
                name: "the rest is left out",
                hint: "the whole word",
                answer: |word, known| {
                    let mut rest = word;
                    while !rest.is_empty() {
                        let all = crate::solutions::cut(rest, known);
                        if all.is_some() {
                            return all;
                        }
                        rest = &rest[..rest.char_indices().next_back()?.0];
                    }
                    None
                },
            },
            Wrong {
                name: "takes back",
                hint: "not taken back",
                answer: |word, known| taking_back(word, known, ""),
            },
            Wrong { name: "from the end", hint: "not from its end", answer: from_the_end },
            Wrong {
                name: "bytes for letters",
                hint: "", // cuts within a letter, and that panics
                answer: |word, known| {
                    let (mut pieces, mut begin) = (Vec::new(), 0);
                    while begin < word.len() {
                        let mark = if begin == 0 { "" } else { "##" };
                        let piece = |end| known.get(&*format!("{mark}{}", &word[begin..end]));
                        let end =
                            (begin + 1..=word.len()).rev().find(|end| piece(*end).is_some())?;
                        pieces.push(*piece(end)?);
                        begin = end;
                    }
                    Some(pieces)
                },
            },
            Wrong {
                name: "nothing for the empty word",
                hint: "no pieces",
                answer: |word, known| {
                    crate::solutions::cut(word, known).filter(|cut| !cut.is_empty())
                },
            },
            Wrong {
                name: "capitals become small",
                hint: "as they are",
                answer: |word, known| crate::solutions::cut(&word.to_lowercase(), known),
            },
            Wrong {
                name: "spaces around it are left out",
                hint: "as they are",
                answer: |word, known| crate::solutions::cut(word.trim(), known),
            },
            Wrong {
                name: "letters of one or two bytes",
                hint: "", // cuts within a letter of three, and that panics
                answer: |word, known| stepping_over(1, word, known),
            },
            Wrong {
                name: "letters of up to three bytes",
                hint: "", // cuts within a letter of four, and that panics
                answer: |word, known| stepping_over(2, word, known),
            },
            Wrong {
                name: "words of more than 200 letters are unknown",
                hint: "many pieces",
                answer: |word, known| match word.chars().count() > 200 {
                    true => None,
                    false => crate::solutions::cut(word, known),
                },
            },
            Wrong {
                name: "the piece with the smallest number",
                hint: "the longest known beginning",
                answer: |word, known| by_number(word, known, |number| number as isize),
            },
            Wrong {
                name: "the piece with the largest number",
                hint: "the longest known beginning",
                answer: |word, known| by_number(word, known, |number| -(number as isize)),
            },
            Wrong {
                name: "number 0 is unknown",
                hint: "a number like any other",
                answer: |word, known| {
                    let piece = |rest: &str, first: bool| {
                        let mark = if first { "" } else { "##" };
                        known.get(&*format!("{mark}{rest}")).filter(|number| **number != 0)
                    };
                    by(word, longest, piece)
                },
            },
            Wrong {
                name: "pieces of at most eight letters",
                hint: "a piece may be long",
                answer: |word, known| {
                    greedy(word, known, "##", |mut ends| {
                        ends.truncate(8);
                        longest(ends)
                    })
                },
            },
        ],
    }
}

/// A word, how it is cut, and what to say when it is cut otherwise.
type Case = (&'static str, Option<&'static [&'static str]>, &'static str);

/// Numbered from 0: some longer pieces come before their shorter rivals, some behind them.
const KNOWN: [&str; 27] = [
    "zero",
    "token",
    "u",
    "un",
    "##n",
    "##know",
    "##able",
    "##a",
    "##s",
    "s",
    "to",
    "##ken",
    "ab",
    "a",
    "##bc",
    "é",
    "##té",
    "ru",
    "##b",
    "##ub",
    "東京",
    "##都",
    "𝕒",
    "##𝕓",
    "r",
    "count",
    "counterrevolutionary",
];

const CASES: [Case; 17] = [
    ("token", Some(&["token"]), "the longest known beginning comes first"),
    ("zero", Some(&["zero"]), "0 is a number like any other"),
    ("tokens", Some(&["token", "##s"]), "all pieces but the first are known with ## before them"),
    ("unknowable", Some(&["un", "##know", "##able"]), "the longest known beginning comes first"),
    ("counterrevolutionary", Some(&["counterrevolutionary"]), "a piece may be long"),
    ("rub", Some(&["ru", "##b"]), "a word is cut from the beginning, not from its end"),
    ("s", Some(&["s"]), "the longest known beginning comes first"),
    ("unknown!", None, "the pieces must make the whole word, or there are none"),
    ("ken", None, "a piece with ## does not begin a word"),
    ("unto", None, "a piece without ## only begins a word"),
    ("abc", None, "ab is the longest beginning, and what was cut off is not taken back"),
    ("été", Some(&["é", "##té"]), "a letter may have several bytes"),
    ("東京都", Some(&["東京", "##都"]), "a letter may have three bytes, or four"),
    ("𝕒𝕓", Some(&["𝕒", "##𝕓"]), "a letter may have three bytes, or four"),
    ("Token", None, "letters are taken as they are, and “Token” is not “token”"),
    ("s ", None, "letters are taken as they are, a space at the end as well"),
    ("", Some(&[]), "nothing is left to be cut: no pieces, and that is not a failure"),
];

fn check(cut: Cut) {
    let known: HashMap<&str, usize> = KNOWN.into_iter().zip(0..).collect();
    let numbers = |pieces: &[&str]| pieces.iter().map(|piece| known[piece]).collect::<Vec<_>>();
    for (word, pieces, hint) in CASES {
        let found = cut(word, &known);
        let right = pieces.map(numbers);
        assert!(
            found == right,
            "cut({word:?}) is {}, not {}\nhint: {hint}",
            told(&found, &known),
            told(&right, &known)
        );
    }
    let pieces = [vec![known["un"]], vec![known["##able"]; 250]].concat();
    assert!(
        cut(&format!("un{}", "able".repeat(250)), &known) == Some(pieces),
        "un, and 250 times able after it, is cut otherwise\nhint: a word may be long, and have many pieces"
    );
}

/// A cut in pieces that can be read.
fn told(cut: &Option<Vec<usize>>, known: &HashMap<&str, usize>) -> String {
    let Some(cut) = cut else { return "None".into() };
    let name = |number| known.iter().find(|(_, own)| *own == number).map_or("?", |(name, _)| name);
    format!("Some({:?})", cut.iter().map(name).collect::<Vec<_>>())
}

/// Ends of pieces, the longest piece first.
fn longest(mut ends: Vec<usize>) -> Vec<usize> {
    ends.reverse();
    ends
}

fn greedy(
    word: &str,
    known: &HashMap<&str, usize>,
    mark: &str,
    order: fn(Vec<usize>) -> Vec<usize>,
) -> Option<Vec<usize>> {
    by(
        word,
        order,
        |rest, first| {
            if first { known.get(rest) } else { known.get(&*format!("{mark}{rest}")) }
        },
    )
}

/// Of all known beginnings the one whose number comes first by this key.
fn by_number(
    word: &str,
    known: &HashMap<&str, usize>,
    key: fn(usize) -> isize,
) -> Option<Vec<usize>> {
    let (mut pieces, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let mark = if pieces.is_empty() { "" } else { "##" };
        let beginnings = rest.char_indices().map(|(at, letter)| &rest[..at + letter.len_utf8()]);
        let fitting = beginnings
            .filter_map(|piece| Some((*known.get(&*format!("{mark}{piece}"))?, piece.len())));
        let (piece, end) = fitting.min_by_key(|(number, _)| key(*number))?;
        pieces.push(piece);
        rest = &rest[end..];
    }
    Some(pieces)
}

/// Piece after piece, as `piece` knows them, its ends tried in this order.
fn by<'k>(
    word: &str,
    order: fn(Vec<usize>) -> Vec<usize>,
    piece: impl Fn(&str, bool) -> Option<&'k usize>,
) -> Option<Vec<usize>> {
    let (mut pieces, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let ends = order(rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect());
        let end = ends.into_iter().find(|end| piece(&rest[..*end], pieces.is_empty()).is_some())?;
        pieces.push(*piece(&rest[..end], pieces.is_empty())?);
        rest = &rest[end..];
    }
    Some(pieces)
}

/// Tries shorter pieces when the rest cannot be cut.
fn taking_back(word: &str, known: &HashMap<&str, usize>, mark: &str) -> Option<Vec<usize>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    let ends = longest(word.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect());
    ends.into_iter().find_map(|end| {
        let piece = *known.get(&*format!("{mark}{}", &word[..end]))?;
        let rest = taking_back(&word[end..], known, "##")?;
        Some([vec![piece], rest].concat())
    })
}

/// The longest known end first.
fn from_the_end(word: &str, known: &HashMap<&str, usize>) -> Option<Vec<usize>> {
    let (mut pieces, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let piece = |begin: usize| {
            let mark = if begin == 0 { "" } else { "##" };
            known.get(&*format!("{mark}{}", &rest[begin..]))
        };
        let begin = rest.char_indices().map(|(at, _)| at).find(|begin| piece(*begin).is_some())?;
        pieces.insert(0, *piece(begin)?);
        rest = &rest[..begin];
    }
    Some(pieces)
}

/// Steps back over so many bytes within a letter, not over more.
fn stepping_over(bytes: usize, word: &str, known: &HashMap<&str, usize>) -> Option<Vec<usize>> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    while begin < word.len() {
        let mark = if begin == 0 { "" } else { "##" };
        let mut end = word.len();
        while end > begin && !known.contains_key(&*format!("{mark}{}", &word[begin..end])) {
            end -= 1;
            for _ in 0..bytes {
                end -= usize::from(!word.is_char_boundary(end));
            }
        }
        pieces.push(*known.get(&*format!("{mark}{}", &word[begin..end]))?);
        begin = end;
    }
    Some(pieces)
}
