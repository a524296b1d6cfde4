//! 9.13: a sequence that never moves on.

use super::support::uneven;
use scoring_functions::weights;
use self_attention::positions::sinusoids;
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type OneAtATime = fn(&Matrix) -> Matrix;

pub fn exercise() -> Exercise<OneAtATime> {
    Exercise {
        number: 13,
        title: "spot the bug: a sequence that never moves on",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "place 0", answer: original },
            Wrong { name: "counted from one", hint: "count from 0", answer: from_one },
            Wrong { name: "no positions", hint: "no position", answer: without },
            Wrong { name: "places from the end", hint: "its place stays", answer: from_the_end },
            Wrong { name: "all at the newest place", hint: "its place stays", answer: newest },
            Wrong { name: "the query alone", hint: "keeps", answer: query_alone },
            Wrong {
                name: "everybody sees all",
                hint: "not there yet",
                answer: |words| {
                    let x = words + sinusoids(words.nrows(), 0, words.ncols());
                    product(&x, &weights(&x, &x))
                },
            },
        ],
    }
}

fn check(one_at_a_time: OneAtATime) {
    for (d, n) in [(4, 3), (2, 5), (6, 4)] {
        let words = uneven(d, n, 0.2) * 0.7;
        let all = {
            let x = &words + sinusoids(d, 0, n);
            product(&x, &weights(&x, &x))
        };
        expect(one_at_a_time(&words), walked(&words, |_, j| Some(j)), 1e-5)
            .of("one_at_a_time(words)")
            .given("words", &words)
            .or_hint(
                original(&words),
                "every word is at place 0: which row of the table does it read?",
            )
            .or_hint(from_one(&words), "places count from 0, here as in training")
            .or_hint(without(&words), "as if there were no positions")
            .or_hint(
                from_the_end(&words),
                "a word that has its place keeps it: its place stays when others come",
            )
            .or_hint(
                newest(&words),
                "every kept word has moved with the newest one: its place stays when others come",
            )
            .or_hint(
                query_alone(&words),
                "what is kept needs its position, too: one keeps word + position",
            )
            .or_hint(all, "a word looks at words that are not there yet")
            .check();
    }
}

/// Word by word; word j stands, while word i asks, at the place that is given, or at none.
fn walked(words: &Matrix, place: impl Fn(usize, usize) -> Option<usize>) -> Matrix {
    let (d, n) = words.shape();
    let mut y = Matrix::zeros(d, n);
    for i in 0..n {
        let at = |j: usize| {
            let position = place(i, j).map_or(Matrix::zeros(d, 1), |place| sinusoids(d, place, 1));
            (words.columns(j, 1) + position).column(0).into_owned()
        };
        let seen = Matrix::from_columns(&(0..=i).map(at).collect::<Vec<_>>());
        let x = seen.columns(i, 1).into_owned();
        y.set_column(i, &product(&seen, &weights(&x, &seen)).column(0));
    }
    y
}

fn original(words: &Matrix) -> Matrix {
    walked(words, |_, _| Some(0))
}

fn from_one(words: &Matrix) -> Matrix {
    walked(words, |_, j| Some(j + 1))
}

fn without(words: &Matrix) -> Matrix {
    walked(words, |_, _| None)
}

fn from_the_end(words: &Matrix) -> Matrix {
    walked(words, |i, j| Some(i - j))
}

fn newest(words: &Matrix) -> Matrix {
    walked(words, |i, _| Some(i))
}

/// What is kept are the words without positions.
fn query_alone(words: &Matrix) -> Matrix {
    let (d, n) = words.shape();
    let mut y = Matrix::zeros(d, n);
    for i in 0..n {
        let seen = words.columns(0, i + 1).into_owned();
        let x = words.columns(i, 1) + sinusoids(d, i, 1);
        y.set_column(i, &product(&seen, &weights(&x, &seen)).column(0));
    }
    y
}
