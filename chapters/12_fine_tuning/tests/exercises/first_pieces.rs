//! 12.1: the first piece of every word.

use bert::Special;
use tests::exercises::{Exercise, Kind, Wrong};

type Asked = (Vec<usize>, Vec<Option<usize>>);
type FirstPieces = fn(&[Vec<usize>], &[usize], &Special) -> Asked;

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
        ],
    }
}

fn check(first_pieces: FirstPieces) {
    let words = [vec![11], vec![12, 13, 14], vec![], vec![15, 16]];
    let (pieces, asked) = first_pieces(&words, &[2, 0, 1, 2], &SPECIAL);
    let right = [5, 11, 12, 13, 14, 3, 15, 16, 6];
    assert!(
        pieces == right,
        "the pieces are {pieces:?}, not {right:?}\nhint: [CLS] before, [SEP] behind, and [UNK] for a word without pieces"
    );
    let right = [None, Some(2), Some(0), None, None, Some(1), Some(2), None, None];
    let hint = match asked.iter().flatten().count() {
        4 if asked.first() != Some(&None) => {
            "[CLS] is asked nothing: all stands one column further"
        }
        4 => "a word is asked at its first piece",
        _ => "a word is asked once, not its other pieces, nor [CLS] and [SEP]",
    };
    assert!(asked == right, "asked is {asked:?}, not {right:?}\nhint: {hint}");
}
