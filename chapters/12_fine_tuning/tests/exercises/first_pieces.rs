//! 12.1: the first piece of every word.

use bert::Special;
use tests::exercises::{Exercise, Kind, Wrong};

type Asked = (Vec<usize>, Vec<Option<usize>>);
pub type FirstPieces = fn(&[Vec<usize>], &[usize], &Special) -> Asked;

const SPECIAL: Special = Special { pad: 0, unknown: 3, cls: 5, sep: 6, mask: 9 };

/// As most vocabularies have them.
const FIRST_FIVE: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

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
                hint: "a word is asked once, at its first piece: its other pieces are asked nothing",
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
                hint: "a word is asked at its first piece, not at its last",
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
                hint: "a word without pieces becomes [UNK], and has its tag",
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
                hint: "[CLS] is asked nothing: all tags stand one piece further",
                answer: |words, tags, special| {
                    let (pieces, mut asked) = crate::solutions::first_pieces(words, tags, special);
                    asked.rotate_left(1);
                    (pieces, asked)
                },
            },
            Wrong {
                name: "no marks",
                hint: "[CLS] begins the sequence, and [SEP] ends it",
                answer: |words, tags, special| {
                    let (pieces, asked) = crate::solutions::first_pieces(words, tags, special);
                    let n = pieces.len();
                    (pieces[1..n - 1].to_vec(), asked[1..n - 1].to_vec())
                },
            },
            Wrong {
                name: "always the same special pieces",
                hint: "the numbers of the special pieces are what `special` says",
                answer: |words, tags, _| crate::solutions::first_pieces(words, tags, &SPECIAL),
            },
            Wrong {
                name: "empty words in a row are one",
                hint: "each word without pieces is an [UNK] of its own",
                answer: |words, tags, special| {
                    let mut both: Vec<_> =
                        words.iter().cloned().zip(tags.iter().copied()).collect();
                    both.dedup_by(|(word, _), (before, _)| word.is_empty() && before.is_empty());
                    let (words, tags): (Vec<_>, Vec<_>) = both.into_iter().unzip();
                    crate::solutions::first_pieces(&words, &tags, special)
                },
            },
            Wrong {
                name: "the same piece is asked once in a row",
                hint: "the same piece may stand there more than once, and each word is asked",
                answer: |words, tags, special| {
                    let (pieces, mut asked) = crate::solutions::first_pieces(words, tags, special);
                    for place in 1..pieces.len() {
                        if pieces[place] == pieces[place - 1] {
                            asked[place] = None;
                        }
                    }
                    (pieces, asked)
                },
            },
        ],
    }
}

/// Words, their tags, and what should come out with [`SPECIAL`]: pieces, and the places that are asked.
type Case = (&'static [&'static [usize]], &'static [usize], &'static [usize], &'static [usize]);

const CASES: [Case; 8] = [
    (&[&[11]], &[2], &[5, 11, 6], &[1]),
    (&[&[]], &[0], &[5, 3, 6], &[1]),
    (
        &[&[11], &[12, 13, 14], &[], &[15, 16]],
        &[2, 0, 1, 2],
        &[5, 11, 12, 13, 14, 3, 15, 16, 6],
        &[1, 2, 5, 6],
    ),
    (
        &[&[], &[11, 12], &[12, 11], &[], &[11, 12]],
        &[0, 1, 2, 3, 0],
        &[5, 3, 11, 12, 12, 11, 3, 11, 12, 6],
        &[1, 2, 4, 6, 7],
    ),
    (&[], &[], &[5, 6], &[]),
    (&[&[11], &[], &[], &[12], &[]], &[1, 2, 0, 1, 2], &[5, 11, 3, 3, 12, 3, 6], &[1, 2, 3, 4, 5]),
    (
        &[&[11, 12, 13, 14, 15], &[16, 17, 18, 19], &[20], &[21, 22, 23]],
        &[2, 0, 1, 2],
        &[5, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 6],
        &[1, 6, 10, 11],
    ),
    // Unknown already, and twice the same word.
    (&[&[3], &[11], &[11], &[3, 12]], &[1, 2, 0, 1], &[5, 3, 11, 11, 3, 12, 6], &[1, 2, 3, 4]),
];

fn check(first_pieces: FirstPieces) {
    let all = [SPECIAL, FIRST_FIVE].into_iter().flat_map(|of| CASES.map(|case| with(case, of)));
    let all: Vec<_> = all.collect();
    let same = |other: FirstPieces| {
        let both = |(words, tags, special, _): &Words| {
            first_pieces(words, tags, special) == other(words, tags, special)
        };
        all.iter().all(both)
    };
    for (words, tags, special, right) in &all {
        let found = first_pieces(words, tags, special);
        if found == *right {
            continue;
        }
        // What is told fits in every case, or is the rule.
        let known = exercise().wrong.iter().find(|wrong| same(wrong.answer));
        let hint = known.map_or(
            "[CLS], all pieces of all words, [SEP]; a word's tag at its first piece, none elsewhere",
            |wrong| wrong.hint,
        );
        panic!(
            "of the words {words:?} with the tags {tags:?} pieces and what they are asked are\n    {:?}\n    {:?}\n\
             not\n    {:?}\n    {:?}\nhint: {hint}",
            found.0, found.1, right.0, right.1
        );
    }
}

/// Words, their tags, special pieces, and what should come out.
type Words = (Vec<Vec<usize>>, &'static [usize], Special, Asked);

/// A case with other special pieces.
fn with((words, tags, pieces, places): Case, special: Special) -> Words {
    let own = |piece: &usize| match *piece {
        piece if piece == SPECIAL.unknown => special.unknown,
        piece if piece == SPECIAL.cls => special.cls,
        piece if piece == SPECIAL.sep => special.sep,
        piece => piece,
    };
    let all = |pieces: &[usize]| pieces.iter().map(own).collect::<Vec<_>>();
    let mut asked = vec![None; pieces.len()];
    places.iter().zip(tags).for_each(|(place, tag)| asked[*place] = Some(*tag));
    (words.iter().map(|word| all(word)).collect(), tags, special, (all(pieces), asked))
}
