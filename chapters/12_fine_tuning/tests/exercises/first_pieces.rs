//! 12.1: the first piece of every word.

use bert::Special;
use tests::exercises::{Exercise, Kind, Wrong};

type Asked = (Vec<usize>, Vec<Option<usize>>);
pub type FirstPieces = fn(&[Vec<usize>], &[usize], &Special) -> Asked;

const SPECIAL: Special = Special { pad: 0, unknown: 3, cls: 5, sep: 6, mask: 9 };

pub fn exercise() -> Exercise<FirstPieces> {
    Exercise {
        number: 1,
        title: "the first piece of every word",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "every piece is asked",
                hint: "not its other pieces",
                answer: |words, tags, special| {
                    let tag =
                        |(word, tag): (&Vec<usize>, &usize)| vec![Some(*tag); word.len().max(1)];
                    let inner: Vec<_> = words.iter().zip(tags).flat_map(tag).collect();
                    let (pieces, _) = crate::solutions::first_pieces(words, tags, special);
                    (pieces, [&[None], &inner[..], &[None]].concat())
                },
            },
            Wrong {
                name: "the last piece is asked",
                hint: "its first piece",
                answer: |words, tags, special| {
                    let tag = |(word, tag): (&Vec<usize>, &usize)| {
                        let mut asked = vec![None; word.len().max(1)];
                        *asked.last_mut().unwrap() = Some(*tag);
                        asked
                    };
                    let inner: Vec<_> = words.iter().zip(tags).flat_map(tag).collect();
                    let (pieces, _) = crate::solutions::first_pieces(words, tags, special);
                    (pieces, [&[None], &inner[..], &[None]].concat())
                },
            },
            Wrong {
                name: "a word without pieces is lost",
                hint: "[UNK]",
                answer: |words, tags, special| {
                    let there = |(word, _): &(&Vec<usize>, &usize)| !word.is_empty();
                    let (words, tags): (Vec<_>, Vec<_>) = words
                        .iter()
                        .zip(tags)
                        .filter(there)
                        .map(|(word, tag)| (word.clone(), *tag))
                        .unzip();
                    crate::solutions::first_pieces(&words, &tags, special)
                },
            },
            Wrong {
                name: "[CLS] takes the first tag",
                hint: "one column further",
                answer: |words, tags, special| {
                    let (pieces, mut asked) = crate::solutions::first_pieces(words, tags, special);
                    asked.rotate_left(1);
                    (pieces, asked)
                },
            },
            Wrong {
                name: "no marks",
                hint: "[CLS]",
                answer: |words, tags, special| {
                    let (pieces, asked) = crate::solutions::first_pieces(words, tags, special);
                    let n = pieces.len();
                    (pieces[1..n - 1].to_vec(), asked[1..n - 1].to_vec())
                },
            },
            Wrong {
                name: "places looked up by the piece",
                hint: "more than once",
                answer: |words, tags, special| {
                    let (pieces, _) = crate::solutions::first_pieces(words, tags, special);
                    let mut asked = vec![None; pieces.len()];
                    for (word, tag) in words.iter().zip(tags) {
                        let first = word.first().unwrap_or(&special.unknown);
                        let place = pieces.iter().position(|piece| piece == first);
                        asked[place.expect("a piece")] = Some(*tag);
                    }
                    (pieces, asked)
                },
            },
            Wrong {
                name: "no words, no marks",
                hint: "[CLS]",
                answer: |words, tags, special| match words.is_empty() {
                    true => (Vec::new(), Vec::new()),
                    false => crate::solutions::first_pieces(words, tags, special),
                },
            },
        ],
    }
}

/// Words, their tags, and what should come out.
type Case =
    (&'static [&'static [usize]], &'static [usize], &'static [usize], &'static [Option<usize>]);

const CASES: [Case; 3] = [
    (
        &[&[11], &[12, 13, 14], &[], &[15, 16]],
        &[2, 0, 1, 2],
        &[5, 11, 12, 13, 14, 3, 15, 16, 6],
        &[None, Some(2), Some(0), None, None, Some(1), Some(2), None, None],
    ),
    (
        &[&[], &[11, 12], &[12, 11], &[], &[11, 12]],
        &[0, 1, 2, 3, 0],
        &[5, 3, 11, 12, 12, 11, 3, 11, 12, 6],
        &[None, Some(0), Some(1), None, Some(2), None, Some(3), Some(0), None, None],
    ),
    (&[], &[], &[5, 6], &[None, None]),
];

fn check(first_pieces: FirstPieces) {
    for (words, tags, right_pieces, right) in CASES {
        let words: Vec<Vec<usize>> = words.iter().map(|word| word.to_vec()).collect();
        let (pieces, asked) = first_pieces(&words, tags, &SPECIAL);
        assert!(
            pieces == right_pieces,
            "of the words {words:?} the pieces are {pieces:?}, not {right_pieces:?}\nhint: [CLS] before, [SEP] behind, \
             and [UNK] for a word without pieces"
        );
        let hint = if asked.first() != Some(&None) {
            "[CLS] is asked nothing: all stands one column further"
        } else if asked.iter().flatten().count() > words.len() {
            "a word is asked once, not its other pieces, nor [CLS] and [SEP]"
        } else if asked.iter().flatten().count() < words.len() {
            "every word is asked, [UNK] too, and the same piece may stand there more than once"
        } else {
            "a word is asked at its first piece"
        };
        assert!(
            asked == right,
            "of the words {words:?} asked is {asked:?}, not {right:?}\nhint: {hint}"
        );
    }
}
