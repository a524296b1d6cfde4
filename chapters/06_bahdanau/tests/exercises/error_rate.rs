//! 6.5: the alignment error rate.

use crate::solutions::Link;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{assert_close, expect};

type ErrorRate = fn(&Matrix, &[Link], &[Link]) -> f64;

pub fn exercise() -> Exercise<ErrorRate> {
    Exercise {
        number: 5,
        title: "alignment error rate",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "a link from every source word",
                hint: "every target word",
                answer: |weights, sure, possible| rate(&from_every_row(weights), sure, possible),
            },
            Wrong {
                name: "target word before source word",
                hint: "the source word first",
                answer: |weights, sure, possible| rate(&exchanged(weights), sure, possible),
            },
            Wrong {
                name: "sure links are not possible ones",
                hint: "every sure link is possible too",
                answer: |weights, sure, possible| {
                    let found = argmax(weights);
                    let right = common(&found, sure) + common(&found, possible);
                    1.0 - right as f64 / (found.len() + sure.len()) as f64
                },
            },
            Wrong {
                name: "possible links ignored",
                hint: "costs nothing",
                answer: |weights, sure, _| rate(&argmax(weights), sure, &[]),
            },
            Wrong {
                name: "possible links demanded",
                hint: "need not be found",
                answer: |weights, sure, possible| {
                    rate(&argmax(weights), &[sure, possible].concat(), &[])
                },
            },
            Wrong {
                name: "a sure link counted three times",
                hint: "counts twice, not three times",
                answer: |weights, sure, possible| three_times(&argmax(weights), sure, possible),
            },
            Wrong {
                name: "not subtracted from 1",
                hint: "",
                answer: |weights, sure, possible| 1.0 - rate(&argmax(weights), sure, possible),
            },
            Wrong {
                name: "the share of wrong links",
                hint: "",
                answer: |weights, sure, possible| {
                    let found = argmax(weights);
                    let right = common(&found, &[sure, possible].concat());
                    1.0 - right as f64 / found.len() as f64
                },
            },
        ],
    }
}

/// Four source words and five target words, the last of which has no link at all.
fn check(alignment_error_rate: ErrorRate) {
    #[rustfmt::skip]
    let weights = Matrix::from_row_slice(4, 5, &[
        0.7, 0.1, 0.1, 0.0, 0.1,
        0.1, 0.6, 0.8, 0.1, 0.2,
        0.1, 0.2, 0.1, 0.1, 0.3,
        0.1, 0.1, 0.0, 0.8, 0.4,
    ]);
    let (sure, possible) = ([(0, 0), (2, 1), (1, 2), (2, 3)], [(3, 3), (0, 1)]);
    let found = alignment_error_rate(&weights, &sure, &possible);
    let a = argmax(&weights); // (0,0) (1,1) (1,2) (3,3) (3,4): two sure, one more possible
    let twice = (common(&a, &sure) + common(&a, &possible)) as f64;
    expect(found, 1.0 - (2.0 + 3.0) / (5.0 + 4.0), 1e-9)
        .of(format!("alignment_error_rate(weights, {sure:?}, {possible:?})"))
        .given("weights", &weights)
        .or_hint(
            rate(&from_every_row(&weights), &sure, &possible),
            "every target word is linked, so look down the columns",
        )
        .or_hint(
            1.0 - twice / 9.0,
            "every sure link is possible too, so a sure link found counts twice",
        )
        .or_hint(
            three_times(&a, &sure, &possible),
            "a sure link that was found counts twice, not three times: once in A∩S and once in A∩P",
        )
        .or_hint(rate(&a, &sure, &[]), "(3, 3) is possible: to have it costs nothing")
        .or_hint(
            rate(&a, &[&sure[..], &possible].concat(), &[]),
            "a possible link need not be found: |S| below the line counts sure ones",
        )
        .check();
    // "not see" → "ne voit pas", looking at "not" three times.
    let not = Matrix::from_row_slice(2, 3, &[0.9, 0.6, 0.8, 0.1, 0.4, 0.2]);
    let sure = [(0, 0), (1, 1), (0, 2)];
    expect(alignment_error_rate(&not, &sure, &[]), 1.0 - (2.0 + 2.0) / (3.0 + 3.0), 1e-9)
        .of("alignment_error_rate(weights, [(0, 0), (1, 1), (0, 2)], [])")
        .given("weights", &not)
        .or_hint(rate(&exchanged(&not), &sure, &[]), "a link names the source word first")
        .check();
    let perfect = alignment_error_rate(&Matrix::identity(2, 2), &[(0, 0), (1, 1)], &[]);
    assert_close!(
        perfect,
        0.0,
        1e-9,
        "alignment_error_rate(identity, [(0, 0), (1, 1)], []), all links right"
    );
    let wrong = alignment_error_rate(&Matrix::identity(2, 2), &[(1, 0), (0, 1)], &[]);
    assert_close!(
        wrong,
        1.0,
        1e-9,
        "alignment_error_rate(identity, [(1, 0), (0, 1)], []), all links wrong"
    );
}

fn rate(found: &[Link], sure: &[Link], possible: &[Link]) -> f64 {
    let right = 2 * common(found, sure) + common(found, possible);
    1.0 - right as f64 / (found.len() + sure.len()) as f64
}

fn three_times(found: &[Link], sure: &[Link], possible: &[Link]) -> f64 {
    let right = 3 * common(found, sure) + common(found, possible);
    1.0 - right as f64 / (found.len() + sure.len()) as f64
}

fn common(found: &[Link], gold: &[Link]) -> usize {
    found.iter().filter(|link| gold.contains(link)).count()
}

fn argmax(weights: &Matrix) -> Vec<Link> {
    weights.column_iter().enumerate().map(|(j, column)| (column.imax(), j)).collect()
}

fn exchanged(weights: &Matrix) -> Vec<Link> {
    argmax(weights).iter().map(|(i, j)| (*j, *i)).collect()
}

fn from_every_row(weights: &Matrix) -> Vec<Link> {
    weights.row_iter().enumerate().map(|(i, row)| (i, row.transpose().imax())).collect()
}
