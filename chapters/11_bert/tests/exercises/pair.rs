//! 11.2: two texts, one sequence.

use crate::solutions;
use crate::support::{FIRST_FIVE, SPECIAL};
use bert::Special;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Sequence = (Vec<usize>, Vec<usize>);
pub type Pair = fn(&[usize], &[usize], usize, &Special) -> Sequence;

pub fn exercise() -> Exercise<Pair> {
    Exercise {
        number: 2,
        title: "two texts, one sequence",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the last mark forgotten",
                hint: "[SEP] ends every segment",
                answer: |a, b, longest, special| {
                    let (mut pieces, mut segments) = solutions::pair(a, b, longest, special);
                    pieces.pop();
                    segments.pop();
                    (pieces, segments)
                },
            },
            Wrong {
                name: "the first [SEP] in the second segment",
                hint: "the first [SEP] belongs to segment 0",
                answer: |a, b, longest, special| {
                    let (pieces, mut segments) = solutions::pair(a, b, longest, special);
                    let middle = pieces.iter().position(|piece| *piece == special.sep);
                    segments[middle.expect("a mark")] = 1;
                    (pieces, segments)
                },
            },
            Wrong {
                name: "segments counted from 1",
                hint: "0 and 1",
                answer: |a, b, longest, special| {
                    let (pieces, segments) = solutions::pair(a, b, longest, special);
                    (pieces, segments.into_iter().map(|segment| segment + 1).collect())
                },
            },
            Wrong {
                name: "the marks come on top",
                hint: "the three marks count",
                answer: |a, b, longest, special| solutions::pair(a, b, longest + 3, special),
            },
            Wrong {
                name: "one piece too few",
                hint: "exactly",
                answer: |a, b, longest, special| {
                    let full = a.len() + b.len() + 3 >= longest && longest > 3;
                    solutions::pair(a, b, if full { longest - 1 } else { longest }, special)
                },
            },
            Wrong {
                name: "half for either",
                hint: "the longer text",
                answer: |a, b, longest, special| {
                    let half = (longest - 3) / 2;
                    let rest = longest - 3 - half;
                    let [a, b] = [(a, rest), (b, half)].map(|(text, n)| &text[..n.min(text.len())]);
                    solutions::pair(a, b, longest, special)
                },
            },
            Wrong {
                name: "the second text alone is shortened",
                hint: "the longer text",
                answer: |a, b, longest, special| {
                    let a = &a[..a.len().min(longest - 3)];
                    let b = &b[..b.len().min(longest - 3 - a.len())];
                    solutions::pair(a, b, longest, special)
                },
            },
            Wrong {
                name: "cut off at the end",
                hint: "[SEP] ends every segment",
                answer: |a, b, longest, special| {
                    let (mut pieces, mut segments) = solutions::pair(a, b, usize::MAX, special);
                    pieces.truncate(longest);
                    segments.truncate(longest);
                    (pieces, segments)
                },
            },
            Wrong {
                name: "the first pieces are lost",
                hint: "its last piece",
                answer: |a, b, longest, special| {
                    let (pieces, _) = solutions::pair(a, b, longest, special);
                    let first = pieces.iter().position(|piece| *piece == special.sep);
                    let first = first.expect("a mark") - 1;
                    let second = pieces.len() - 3 - first;
                    let [a, b] = [(a, first), (b, second)].map(|(text, n)| &text[text.len() - n..]);
                    solutions::pair(a, b, longest, special)
                },
            },
            Wrong {
                name: "the first, when both are equally long",
                hint: "equally long",
                answer: |a, b, longest, special| {
                    let (mut first, mut second) = (a.len(), b.len());
                    while first + second + 3 > longest {
                        if first >= second { first -= 1 } else { second -= 1 }
                    }
                    solutions::pair(&a[..first], &b[..second], longest, special)
                },
            },
            Wrong {
                name: "an empty second text is none",
                hint: "[SEP] ends every segment",
                answer: |a, b, longest, special| match b.is_empty() {
                    false => solutions::pair(a, b, longest, special),
                    true => {
                        let a = &a[..a.len().min(longest - 2)];
                        ([&[special.cls], a, &[special.sep]].concat(), vec![0; a.len() + 2])
                    }
                },
            },
            Wrong {
                name: "always the same special pieces",
                hint: "what `special` says",
                answer: |a, b, longest, _| solutions::pair(a, b, longest, &SPECIAL),
            },
            Wrong {
                name: "the second text first",
                hint: "the first text comes first",
                answer: |a, b, longest, special| solutions::pair(b, a, longest, special),
            },
            Wrong {
                name: "two empty texts are one",
                hint: "[SEP] ends every segment",
                answer: |a, b, longest, special| match a.is_empty() && b.is_empty() {
                    false => solutions::pair(a, b, longest, special),
                    true => (vec![special.cls, special.sep], vec![0; 2]),
                },
            },
            Wrong {
                name: "a piece twice in a row is one",
                hint: "as they are",
                answer: |a, b, longest, special| {
                    let mut a = a.to_vec();
                    a.dedup();
                    solutions::pair(&a, b, longest, special)
                },
            },
            Wrong {
                name: "special pieces are no text",
                hint: "as they are",
                answer: |a, b, longest, special| {
                    let [a, b] = [a, b].map(|text| {
                        let ordinary = text.iter().filter(|piece| !special.contains(**piece));
                        ordinary.copied().collect::<Vec<_>>()
                    });
                    solutions::pair(&a, &b, longest, special)
                },
            },
            Wrong {
                name: "at most twenty pieces",
                hint: "exactly",
                answer: |a, b, longest, special| solutions::pair(a, b, longest.min(20), special),
            },
        ],
    }
}

fn check(pair: Pair) {
    let first: Vec<usize> = (20..40).collect();
    let second: Vec<usize> = (40..60).collect();
    for special in [SPECIAL, FIRST_FIVE] {
        for (a, b, longest) in [
            (2, 3, 20),
            (3, 2, 20),
            (3, 2, 8), // fits exactly
            (9, 3, 12),
            (3, 9, 12),
            (9, 8, 12),
            (6, 6, 14),
            (6, 6, 7),
            (4, 1, 3),
            (0, 2, 9),
            (3, 0, 9),
            (0, 0, 9),
            (9, 0, 8),
            (20, 20, 16),
            (20, 20, 40),
        ] {
            one(pair, &first[..a], &second[..b], longest, &special);
        }
        let unknown = special.unknown;
        for longest in [20, 8] {
            one(pair, &[20, 20, unknown, 21], &[unknown, 40, 40], longest, &special);
        }
    }
}

fn one(pair: Pair, first: &[usize], second: &[usize], longest: usize, special: &Special) {
    let found = pair(first, second, longest, special);
    let right = solutions::pair(first, second, longest, special);
    if found != right {
        panic!(
            "pair of {} and {} pieces, {longest} at most: pieces and segments are\n    {}\n    {:?}\n\
             not\n    {}\n    {:?}\nhint: {}",
            first.len(),
            second.len(),
            told(&found.0, special),
            found.1,
            told(&right.0, special),
            right.1,
            hint(&found, &right, longest, special)
        );
    }
}

/// Pieces, special ones by their names.
fn told(pieces: &[usize], special: &Special) -> String {
    let name = |piece: &usize| match *piece {
        piece if piece == special.cls => "[CLS]".to_owned(),
        piece if piece == special.sep => "[SEP]".to_owned(),
        piece if piece == special.unknown => "[UNK]".to_owned(),
        piece => piece.to_string(),
    };
    pieces.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn hint(
    (pieces, segments): &Sequence,
    right: &Sequence,
    longest: usize,
    special: &Special,
) -> &'static str {
    let count = |pieces: &[usize], from: usize| {
        pieces.iter().filter(|piece| (from..from + 20).contains(*piece)).count()
    };
    let texts = |pieces: &[usize]| [count(pieces, 20), count(pieces, 40)];
    let ([first, second], kept) = (texts(pieces), texts(&right.0));
    let marks = pieces.iter().filter(|piece| **piece == special.sep).count();
    let begun = pieces.iter().skip(1).take_while(|piece| **piece != special.sep);
    if segments.len() != pieces.len() {
        "every piece has a segment"
    } else if segments.iter().any(|segment| *segment > 1) {
        "segments are 0 and 1"
    } else if pieces.first() != Some(&special.cls) {
        "[CLS] begins the sequence, and its number is what `special` says"
    } else if pieces.last() != Some(&special.sep) || marks != 2 {
        "[SEP] ends every segment, the second as well"
    } else if begun.into_iter().any(|piece| (40..60).contains(piece)) {
        "the first text comes first"
    } else if pieces.len() > longest {
        "the three marks count"
    } else if *pieces == right.0 {
        "the first [SEP] belongs to segment 0, all that comes after it to segment 1"
    } else if pieces.len() < right.0.len() && right.0.len() < longest {
        "texts that fit are taken as they are: [UNK] may stand there, and a piece twice in a row"
    } else if pieces.len() < right.0.len() {
        "the longer text loses a piece, again and again, but only until it fits exactly"
    } else if [first, second] == kept {
        "a text loses its last piece, not its first"
    } else if [first + 1, second] == [kept[0], kept[1] + 1] {
        "when both are equally long, the second loses a piece"
    } else {
        "the longer text loses a piece, again and again"
    }
}
