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
            Wrong {
                name: "always the same special pieces",
                hint: "what `special` says",
                answer: |words, tags, _| crate::solutions::first_pieces(words, tags, &SPECIAL),
            },
            Wrong {
                name: "an empty word at the end is lost",
                hint: "[UNK]",
                answer: |words, tags, special| {
                    let n = words.len() - usize::from(words.last().is_some_and(Vec::is_empty));
                    crate::solutions::first_pieces(&words[..n], &tags[..n], special)
                },
            },
            Wrong {
                name: "empty words in a row are one",
                hint: "[UNK]",
                answer: |words, tags, special| {
                    let mut both: Vec<_> =
                        words.iter().cloned().zip(tags.iter().copied()).collect();
                    both.dedup_by(|(word, _), (before, _)| word.is_empty() && before.is_empty());
                    let (words, tags): (Vec<_>, Vec<_>) = both.into_iter().unzip();
                    crate::solutions::first_pieces(&words, &tags, special)
                },
            },
            Wrong {
                name: "words of at most three pieces",
                hint: "however many",
                answer: |words, tags, special| {
                    let short = |word: &Vec<usize>| word[..word.len().min(3)].to_vec();
                    let words: Vec<_> = words.iter().map(short).collect();
                    crate::solutions::first_pieces(&words, tags, special)
                },
            },
            Wrong {
                name: "sequences of at most ten pieces",
                hint: "however many",
                answer: |words, tags, special| {
                    let (mut pieces, mut asked) =
                        crate::solutions::first_pieces(words, tags, special);
                    let end = pieces.len() - 1;
                    pieces.drain(end.min(9)..end);
                    asked.drain(end.min(9)..end);
                    (pieces, asked)
                },
            },
            Wrong {
                name: "an unknown word is not asked",
                hint: "[UNK] too",
                answer: |words, tags, special| {
                    let (pieces, mut asked) = crate::solutions::first_pieces(words, tags, special);
                    let mut place = 1;
                    for word in words {
                        if word[..] == [special.unknown] {
                            asked[place] = None;
                        }
                        place += word.len().max(1);
                    }
                    (pieces, asked)
                },
            },
            Wrong {
                name: "the same piece is asked once in a row",
                hint: "more than once",
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

const CASES: [Case; 6] = [
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
    for special in [SPECIAL, FIRST_FIVE] {
        let own = |piece: &usize| match *piece {
            piece if piece == SPECIAL.unknown => special.unknown,
            piece if piece == SPECIAL.cls => special.cls,
            piece if piece == SPECIAL.sep => special.sep,
            piece => piece,
        };
        let all = |pieces: &[usize]| pieces.iter().map(own).collect::<Vec<_>>();
        for (words, tags, pieces, places) in CASES {
            let words: Vec<Vec<usize>> = words.iter().map(|word| all(word)).collect();
            let mut asked = vec![None; pieces.len()];
            places.iter().zip(tags).for_each(|(place, tag)| asked[*place] = Some(*tag));
            one(first_pieces, &words, tags, &special, (&all(pieces), &asked));
        }
    }
}

fn one(
    first_pieces: FirstPieces,
    words: &[Vec<usize>],
    tags: &[usize],
    special: &Special,
    (right_pieces, right): (&[usize], &[Option<usize>]),
) {
    let (pieces, asked) = first_pieces(words, tags, special);
    let unknown = |pieces: &[usize]| pieces.iter().filter(|p| **p == special.unknown).count();
    let hint = if [pieces.first(), pieces.last()] != [Some(&special.cls), Some(&special.sep)] {
        "[CLS] before, [SEP] behind, and their numbers are what `special` says"
    } else if unknown(&pieces) != unknown(right_pieces) {
        "[UNK] for each word without pieces, at the end and twice in a row as well"
    } else {
        "all words, and all pieces of each, however many"
    };
    assert!(
        pieces == right_pieces,
        "of the words {words:?} the pieces are {pieces:?}, not {right_pieces:?}\nhint: {hint}"
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
