//! 14.1: the weight of a word's place.

use crate::solutions;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

pub type WordPlace = fn(usize, usize, usize, usize) -> f64;

pub const EXERCISE: Exercise<WordPlace> = Exercise {
    number: 1,
    title: "the weight of a word's place",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong("counts words from 0", "the first word has j = 1 in the formula", |j, len, k, d| {
            formula(j as f64 / len as f64, (k + 1) as f64 / d as f64)
        }),
        wrong(
            "counts entries from 0",
            "the first entry has k = 1 in the formula",
            |j, len, k, d| formula((j + 1) as f64 / len as f64, k as f64 / d as f64),
        ),
        wrong("without the 2", "the bracket is 1 − 2j/J", |j, len, k, d| {
            let (place, entry) = ((j + 1) as f64 / len as f64, (k + 1) as f64 / d as f64);
            (1.0 - place) - entry * (1.0 - place)
        }),
        wrong(
            "whole numbers divided",
            "j/J is a fraction: divide floating-point numbers",
            |j, len, k, d| formula(((j + 1) / len) as f64, ((k + 1) / d) as f64),
        ),
    ],
};

fn formula(place: f64, entry: f64) -> f64 {
    (1.0 - place) - entry * (1.0 - 2.0 * place)
}

fn check(word_place: WordPlace) {
    for (j, len, k, d) in [(0, 2, 0, 4), (1, 3, 2, 5), (0, 5, 3, 4), (4, 5, 0, 3), (0, 1, 1, 6)] {
        expect(word_place(j, len, k, d), solutions::word_place(j, len, k, d), 1e-9)
            .of(format!("word_place({j}, {len}, {k}, {d})"))
            .check();
    }
}
