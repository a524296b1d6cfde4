//! 11.1: longest piece first.

use std::collections::HashMap;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Cut = fn(&str, &HashMap<&str, usize>) -> Result<Vec<usize>, usize>;

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
                hint: "the longest known beginning comes first",
                answer: |word, known| by(word, known, Order::Shortest, |first, _| mark(first)),
            },
            Wrong {
                name: "no marks",
                hint: "all pieces but the first are known with ## before them",
                answer: |word, known| by(word, known, Order::Longest, |_, _| ""),
            },
            Wrong {
                name: "the first piece may be marked too",
                hint: "a piece with ## does not begin a word",
                answer: |word, known| {
                    by(word, known, Order::Longest, |first, piece| {
                        if first && known.contains_key(piece) { "" } else { "##" }
                    })
                },
            },
            Wrong {
                name: "a later piece may be unmarked",
                hint: "a piece without ## only begins a word",
                answer: |word, known| {
                    by(word, known, Order::Longest, |first, piece| {
                        let marked = !first && known.contains_key(&*format!("##{piece}"));
                        if marked { "##" } else { "" }
                    })
                },
            },
            Wrong {
                name: "takes back",
                hint: "what was cut off is not taken back",
                answer: |word, known| {
                    taking_back(word, known, "")
                        .ok_or_else(|| crate::solutions::cut(word, known).unwrap_err())
                },
            },
            Wrong {
                name: "the place in bytes",
                hint: "the place is told in letters, and a letter may have several bytes",
                answer: |word, known| {
                    let bytes = |letters| word.chars().take(letters).map(char::len_utf8).sum();
                    crate::solutions::cut(word, known).map_err(bytes)
                },
            },
            Wrong {
                name: "the number of pieces for the place",
                hint: "the place is told in letters, not in pieces",
                answer: |word, known| {
                    let before = |letters| {
                        let fitting: String = word.chars().take(letters).collect();
                        crate::solutions::cut(&fitting, known).map_or(0, |pieces| pieces.len())
                    };
                    crate::solutions::cut(word, known).map_err(before)
                },
            },
            Wrong {
                name: "bytes for letters",
                hint: "", // cuts within a letter, and that panics
                answer: |word, known| {
                    let (mut pieces, mut begin) = (Vec::new(), 0);
                    while begin < word.len() {
                        let piece = |end: usize| {
                            known.get(&*format!("{}{}", mark(begin == 0), &word[begin..end]))
                        };
                        let mut ends = (begin + 1..=word.len()).rev();
                        let end = ends.find(|end| piece(*end).is_some()).ok_or(begin)?;
                        pieces.push(known[&*format!("{}{}", mark(begin == 0), &word[begin..end])]);
                        begin = end;
                    }
                    Ok(pieces)
                },
            },
        ],
    }
}

/// Numbered from 0: some longer pieces come before their shorter rivals, some after them.
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

/// A word, and how it is cut: into pieces, or as far as which letter.
type Case = (&'static str, Result<&'static [&'static str], usize>);

const CASES: [Case; 19] = [
    ("token", Ok(&["token"])),
    ("zero", Ok(&["zero"])),
    ("tokens", Ok(&["token", "##s"])),
    ("unknowable", Ok(&["un", "##know", "##able"])),
    ("counterrevolutionary", Ok(&["counterrevolutionary"])),
    ("rub", Ok(&["ru", "##b"])),
    ("s", Ok(&["s"])),
    ("unknown!", Err(7)),
    ("ken", Err(0)),
    ("unto", Err(2)),
    ("abc", Err(2)),
    ("Token", Err(0)),
    ("s ", Err(1)),
    ("", Ok(&[])),
    ("été", Ok(&["é", "##té"])),
    ("東京都", Ok(&["東京", "##都"])),
    ("東京!", Err(2)),
    ("𝕒𝕓", Ok(&["𝕒", "##𝕓"])),
    ("𝕒𝕓𝕓é", Err(3)),
];

fn check(cut: Cut) {
    let known: HashMap<&str, usize> = KNOWN.into_iter().zip(0..).collect();
    let same = |other: Cut| CASES.iter().all(|(word, _)| cut(word, &known) == other(word, &known));
    for (word, right) in CASES {
        let found = cut(word, &known);
        let right = right.map(|pieces| pieces.iter().map(|piece| known[piece]).collect());
        if found == right {
            continue;
        }
        // What is told fits in every case, or is the rule.
        let wrong = exercise().wrong.iter().filter(|wrong| !wrong.hint.is_empty());
        let hint = wrong.into_iter().find(|wrong| same(wrong.answer)).map_or(
            "the longest known beginning of what is left, or the number of letters before it; letters are taken \
             as they are, and of the empty word there are no pieces",
            |wrong| wrong.hint,
        );
        panic!(
            "cut({word:?}) is {}, not {}\nhint: {hint}",
            told(&found, &known),
            told(&right, &known)
        );
    }
    let pieces = [vec![known["un"]], vec![known["##able"]; 250]].concat();
    assert!(
        cut(&format!("un{}", "able".repeat(250)), &known) == Ok(pieces),
        "un, and 250 times able after it, is cut otherwise\nhint: a word may be long, and have many pieces"
    );
}

/// A cut in pieces that can be read.
fn told(cut: &Result<Vec<usize>, usize>, known: &HashMap<&str, usize>) -> String {
    let name = |number| known.iter().find(|(_, own)| *own == number).map_or("?", |(name, _)| name);
    match cut {
        Ok(cut) => format!("Ok({:?})", cut.iter().map(name).collect::<Vec<_>>()),
        Err(letters) => format!("Err({letters})"),
    }
}

fn mark(first: bool) -> &'static str {
    if first { "" } else { "##" }
}

#[derive(PartialEq)]
enum Order {
    Longest,
    Shortest,
}

/// Piece after piece, looked up with the mark that `mark` says.
fn by(
    word: &str,
    known: &HashMap<&str, usize>,
    order: Order,
    mark: impl Fn(bool, &str) -> &'static str,
) -> Result<Vec<usize>, usize> {
    let (mut pieces, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let mut ends: Vec<usize> = rest.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        if order == Order::Longest {
            ends.reverse();
        }
        let fits = |end: usize| {
            let piece = &rest[..end];
            Some((*known.get(&*format!("{}{piece}", mark(pieces.is_empty(), piece)))?, end))
        };
        let letters = word[..word.len() - rest.len()].chars().count();
        let (piece, end) = ends.into_iter().find_map(fits).ok_or(letters)?;
        pieces.push(piece);
        rest = &rest[end..];
    }
    Ok(pieces)
}

/// Tries shorter pieces when the rest cannot be cut.
fn taking_back(word: &str, known: &HashMap<&str, usize>, mark: &str) -> Option<Vec<usize>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
    ends.into_iter().find_map(|end| {
        let piece = *known.get(&*format!("{mark}{}", &word[..end]))?;
        Some([vec![piece], taking_back(&word[end..], known, "##")?].concat())
    })
}
