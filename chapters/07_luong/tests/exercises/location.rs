//! 7.6: location in a short sentence.

use super::solutions;
use shared::{Float, Matrix};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard};

type Location = fn(&Matrix, &Matrix, usize) -> Vec<Float>;

const LARGEST: &str = "before you exponentiate, subtract the largest score of the positions that the \
                       sentence has, which may be below 0";

pub const EXERCISE: Exercise<Location> = Exercise {
    check,
    wrong: &[
        bug("positions the sentence does not have take part in the softmax", |w, query, words| {
            solutions::location(w, query, words.max(w.nrows()))[..words].to_vec()
        }),
        wrong(LARGEST, |w, query, words| {
            let largest = (w * query).max();
            shifted(w, query, words, |_| largest)
        }),
        wrong("words after the last known position get no weight", |w, query, words| {
            let rows = words.max(w.nrows());
            solutions::location(&w.clone().resize_vertically(rows, 0.0), query, words)
        }),
        wrong("every word has a weight, some 0", |w, query, words| {
            solutions::location(w, query, words.min(w.nrows()))
        }),
    ],
};

fn check(location: Location) {
    let w = Matrix::from_row_slice(4, 2, &[1.0, 0.0, 0.0, 2.0, -1.0, 1.0, 3.0, 3.0]);
    let query = Matrix::from_row_slice(2, 1, &[0.5, 0.25]); // scores 0.5, 0.5, −0.25, 2.25
    let large = Matrix::from_fn(4, 2, |j, a| w[(j, a)] + if a == 0 { 200.0 } else { 0.0 });
    let one = Matrix::from_element(1, 1, 1.0);
    let mut cases: Vec<(&Matrix, Matrix, usize)> = Vec::new();
    for words in [1, 2, 3, 4, 5, 7] {
        cases.push((&query, w.clone(), words));
        cases.push((&query, large.clone(), words)); // all scores larger by 100
    }
    // Position 2, which the sentence does not have, scores far more.
    cases.push((&one, Matrix::from_column_slice(3, 1, &[1.0, 2.0, 300.0]), 2));
    cases.extend(hard::scores().map(|(_, scores)| (&one, Matrix::from_columns(&[scores]), 4)));
    for (query, w, words) in cases {
        expect(location(&w, query, words), solutions::location(&w, query, words), 1e-4)
            .of(format!("location(w, query, {words})"))
            .given("w", &w)
            .given("query", query)
            .check();
    }
}

/// Right, except for what is subtracted from the scores of the known positions.
fn shifted(
    w: &Matrix,
    query: &Matrix,
    words: usize,
    shift: impl Fn(&Matrix) -> Float,
) -> Vec<Float> {
    let known = w.rows(0, words.min(w.nrows())) * query;
    let exponentials = known.add_scalar(-shift(&known)).map(Float::exp);
    let sum = exponentials.sum();
    let weights = exponentials.iter().map(|e| e / sum);
    weights.chain(std::iter::repeat(0.0)).take(words).collect()
}
