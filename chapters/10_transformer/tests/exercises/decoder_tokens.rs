//! 10.9: always at the beginning.

use shared::{Matrix, Vector};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven, uneven_vector};

type Place = fn(usize) -> Vector;
pub type Tokens = fn(&[usize], usize, &Matrix, Place) -> Matrix;

pub const EXERCISE: Exercise<Tokens> = Exercise {
    check,
    wrong: &[
        bug(
            "as if it were the first: other words of the sentence went in before it",
            |words, _, table, place| tokens(words, table, place),
        ),
        wrong("all at one place: each new word has its own", |words, before, table, place| {
            tokens(words, table, |_| place(before))
        }),
        wrong(
            "one too far: the first word of a sentence stands at position 0",
            |words, before, table, place| tokens(words, table, |i| place(before + i + 1)),
        ),
        wrong(
            "one short: the word after `before` words stands at position `before`",
            |words, before, table, place| {
                tokens(words, table, |i| place((before + i).saturating_sub(1)))
            },
        ),
        wrong(
            "counted from the end: words are in the order of the sentence",
            |words, before, table, place| {
                tokens(words, table, |i| place(before + words.len() - 1 - i))
            },
        ),
        wrong("√d multiplies the words' vectors alone", |words, before, table, place| {
            tokens(words, table, |i| place(before + i) * 2.0)
        }),
    ],
};

fn check(decoder_tokens: Tokens) {
    let (table, words) = (uneven(6, 7, 0.4), [3, 6, 3, 1, 5, 0, 2, 4, 4, 6, 1, 0]);
    let place: Place = |i| uneven_vector(6, i as f64);
    let whole = tokens(&words, &table, place);
    for (before, count) in [(0, 5), (0, 1), (1, 1), (2, 1), (3, 2), (11, 1), (7, 5)] {
        let new = &words[before..before + count];
        let found = decoder_tokens(new, before, &table, place);
        expect(found, whole.columns(before, count), 1e-5)
            .of(format!(
                "decoder_tokens({new:?}, {before}, table, place), which should be its columns of the \
                 whole sentence,"
            ))
            .check();
    }
}

/// Vectors of words times √d, and of positions.
fn tokens(words: &[usize], table: &Matrix, place: impl Fn(usize) -> Vector) -> Matrix {
    let scale = (table.nrows() as f32).sqrt();
    let tokens = words.iter().enumerate().map(|(i, word)| table.column(*word) * scale + place(i));
    Matrix::from_columns(&tokens.collect::<Vec<_>>())
}
