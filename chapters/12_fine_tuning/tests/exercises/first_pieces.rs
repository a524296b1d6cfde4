//! 12.1: the first piece of every word.

use super::solutions;
use bert::Special;
use tests::exercises::{Exercise, wrong};

type Asked = (Vec<usize>, Vec<Option<usize>>);
pub type FirstPieces = fn(&[Vec<usize>], &[usize], &Special) -> Asked;

const SPECIAL: Special = Special { pad: 0, unknown: 3, cls: 5, sep: 6, mask: 9 };

/// The special pieces as most vocabularies have them.
const FIRST_FIVE: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

pub const EXERCISE: Exercise<FirstPieces> = Exercise {
    check,
    wrong: &[
        wrong(
            "a word is asked once: its other pieces are asked nothing",
            |words, tags, special| {
                let (pieces, mut asked) = solutions::first_pieces(words, tags, special);
                (1..pieces.len() - 1).for_each(|at| asked[at] = asked[at].or(asked[at - 1]));
                (pieces, asked)
            },
        ),
        wrong("a word is asked at its first piece, not at its last", |words, tags, special| {
            let turned: Vec<_> = words.iter().rev().cloned().collect();
            let tags: Vec<usize> = tags.iter().rev().copied().collect();
            let (pieces, _) = solutions::first_pieces(words, &tags, special);
            let (_, mut asked) = solutions::first_pieces(&turned, &tags, special);
            asked.reverse();
            (pieces, asked)
        }),
        wrong("a word without pieces becomes [UNK], and has its tag", |words, tags, special| {
            let both = words.iter().zip(tags).filter(|(word, _)| !word.is_empty());
            let (words, tags): (Vec<_>, Vec<_>) =
                both.map(|(word, tag)| (word.clone(), *tag)).unzip();
            solutions::first_pieces(&words, &tags, special)
        }),
        wrong("[CLS] is asked nothing: all tags stand one further", |words, tags, special| {
            let (pieces, mut asked) = solutions::first_pieces(words, tags, special);
            asked.rotate_left(1);
            (pieces, asked)
        }),
        wrong("[CLS] begins the sequence, and [SEP] ends it", |words, tags, special| {
            let (pieces, asked) = solutions::first_pieces(words, tags, special);
            let n = pieces.len();
            (pieces[1..n - 1].to_vec(), asked[1..n - 1].to_vec())
        }),
        wrong("the numbers of the special pieces are what `special` says", |words, tags, _| {
            solutions::first_pieces(words, tags, &SPECIAL)
        }),
    ],
};

fn check(first_pieces: FirstPieces) {
    for special in [SPECIAL, FIRST_FIVE] {
        let known = [special.unknown]; // already, and twice the same word
        let and_more = [special.unknown, 12];
        let inputs: [(&[&[usize]], &[usize]); 8] = [
            (&[&[11]], &[2]),
            (&[&[]], &[0]),
            (&[&[11], &[12, 13, 14], &[], &[15, 16]], &[2, 0, 1, 2]),
            (&[&[], &[11, 12], &[12, 11], &[], &[11, 12]], &[0, 1, 2, 3, 0]),
            (&[], &[]),
            (&[&[11], &[], &[], &[12], &[]], &[1, 2, 0, 1, 2]),
            (&[&[11, 12, 13, 14, 15], &[16, 17, 18, 19], &[20], &[21, 22, 21]], &[2, 0, 1, 2]),
            (&[&known, &[11], &[11], &and_more], &[1, 2, 0, 1]),
        ];
        for (words, tags) in inputs {
            let words: Vec<Vec<usize>> = words.iter().map(|word| word.to_vec()).collect();
            let [found, right] =
                [first_pieces, solutions::first_pieces].map(|f| f(&words, tags, &special));
            let what = format!("of the words {words:?} with the tags {tags:?} and {special:?}");
            assert!(found == right, "{what} this is\n    {found:?}\nnot\n    {right:?}");
        }
    }
}
