//! 10.9: always at the beginning.

use crate::support::matrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type Place = fn(usize) -> Vector;
type Tokens = fn(&[usize], usize, &Matrix, Place) -> Matrix;

pub fn exercise() -> Exercise<Tokens> {
    Exercise {
        number: 9,
        title: "spot the bug: always at the beginning",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "as if it were the first",
                answer: |words, _, table, place| tokens(words, table, place),
            },
            Wrong {
                name: "all new words at one place",
                hint: "all at one place",
                answer: |words, before, table, place| tokens(words, table, |_| place(before)),
            },
            Wrong {
                name: "one too far",
                hint: "place 0",
                answer: |words, before, table, place| {
                    tokens(words, table, |i| place(before + i + 1))
                },
            },
            Wrong {
                name: "counted from the end",
                hint: "",
                answer: |words, before, table, place| {
                    tokens(words, table, |i| place(before + words.len() - 1 - i))
                },
            },
            Wrong {
                name: "the place scaled too",
                hint: "the words' vectors alone",
                answer: |words, before, table, place| {
                    tokens(words, table, |i| place(before + i) * 2.0)
                },
            },
            Wrong {
                name: "one place for all that come later",
                hint: "all at one place",
                answer: |words, before, table, place| {
                    tokens(words, table, |i| place(if before > 0 { before } else { i }))
                },
            },
            Wrong {
                name: "one short",
                hint: "one short",
                answer: |words, before, table, place| {
                    tokens(words, table, |i| place((before + i).saturating_sub(1)))
                },
            },
        ],
    }
}

fn check(decoder_tokens: Tokens) {
    let (table, words) = (matrix(6, 7, 0.4), [3, 6, 3, 1, 5, 0, 2, 4, 4, 6, 1, 0]);
    let place: Place =
        |i| Vector::from_fn(6, |row, _| (i as f32 * 0.3_f32.powi(row as i32) + row as f32).sin());
    let whole = tokens(&words, &table, place);
    for (before, count) in [(0, 5), (0, 1), (1, 1), (2, 1), (3, 2), (11, 1), (7, 5)] {
        let new = &words[before..before + count];
        let mut expected = expect(
            decoder_tokens(new, before, &table, place),
            whole.columns(before, count),
            1e-5,
        )
        .of(format!(
            "decoder_tokens({new:?}, {before}, table, place), which should be its columns of the \
                     whole sentence,"
        ))
        .or_hint(
            tokens(new, &table, |i| place(before + i + 1)),
            "one too far: the first word of a sentence stands at place 0",
        )
        .or_hint(
            tokens(new, &table, |i| place(before + i) * 2.0),
            "√d multiplies the words' vectors alone",
        );
        if before > 0 {
            let hint = format!("as if it were the first: the words before it were {before}");
            expected = expected.or_hint(tokens(new, &table, place), hint);
        }
        if count > 1 {
            let hint = "all at one place: each new word has its own";
            expected = expected.or_hint(tokens(new, &table, |_| place(before)), hint);
            let hint = "one short: the word after `before` words stands at place `before`";
            let short = tokens(new, &table, |i| place((before + i).saturating_sub(1)));
            expected = expected.or_hint(short, hint);
        }
        expected.check();
    }
}

/// Vectors of words times √d, and of places.
fn tokens(words: &[usize], table: &Matrix, place: impl Fn(usize) -> Vector) -> Matrix {
    let token =
        |(i, word): (usize, &usize)| table.column(*word) * (table.nrows() as f32).sqrt() + place(i);
    Matrix::from_columns(&words.iter().enumerate().map(token).collect::<Vec<_>>())
}
