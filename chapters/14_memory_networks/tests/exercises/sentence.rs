//! 14.1: the vector of a sentence.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type Sentence = fn(&[usize], &[Vec<f64>]) -> Vec<f64>;

pub const EXERCISE: Exercise<Sentence> = Exercise {
    check,
    wrong: &[
        wrong("the first word has j = 1 in the formula", |words, table| {
            sum(words, table, |j, len, k, d| formula((j - 1.0) / len, k / d))
        }),
        wrong("the first entry has k = 1 in the formula", |words, table| {
            sum(words, table, |j, len, k, d| formula(j / len, (k - 1.0) / d))
        }),
        wrong("words and entries are counted from 1", |words, table| {
            sum(words, table, |j, len, k, d| formula((j - 1.0) / len, (k - 1.0) / d))
        }),
        wrong("the bracket is 1 − 2j/J", |words, table| {
            sum(words, table, |j, len, k, d| (1.0 - j / len) - k / d * (1.0 - j / len))
        }),
        wrong("j/J is a fraction: divide floating-point numbers", |words, table| {
            sum(words, table, |j, len, k, d| formula((j / len).floor(), (k / d).floor()))
        }),
        wrong("the vectors are summed", |words, table| {
            sum(words, table, |j, len, k, d| formula(j / len, k / d) / len)
        }),
    ],
};

fn formula(place: f64, entry: f64) -> f64 {
    (1.0 - place) - entry * (1.0 - 2.0 * place)
}

/// A sentence with other weights of place j of J and entry k of d, all counted from 1.
fn sum(words: &[usize], table: &[Vec<f64>], weight: fn(f64, f64, f64, f64) -> f64) -> Vec<f64> {
    let d = table[0].len();
    let entries = (0..d).map(|k| {
        let terms = words.iter().enumerate().map(|(j, word)| {
            let [place, length, entry, d] = [j + 1, words.len(), k + 1, d].map(|n| n as f64);
            weight(place, length, entry, d) * table[*word][k]
        });
        terms.sum()
    });
    entries.collect()
}

fn check(sentence: Sentence) {
    let lengths = hard::LENGTHS.iter().flat_map(|(_, lengths)| lengths.iter().copied());
    for (len, (d, words)) in
        lengths.zip([(4, 5), (3, 7), (5, 2), (1, 3), (6, 9)].into_iter().cycle())
    {
        let table: Vec<Vec<f64>> = (0..words)
            .map(|word| (0..d).map(|k| (1.0 + 2.0 * word as f64 + 3.0 * k as f64).sin()).collect())
            .collect();
        let said: Vec<usize> = (0..len).map(|j| (j * j + 1) % words).collect();
        expect(sentence(&said, &table), solutions::sentence(&said, &table), 1e-9)
            .of(format!(
                "sentence(&{said:?}, table) with a table of {words} words, {d} entries each"
            ))
            .hint("work one entry of this sentence out by hand, and compare")
            .check();
    }
}
