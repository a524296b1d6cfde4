//! 4.10 surprises, 4.11 two explanations: answers without a program

use tests::exercises::{Exercise, Kind, Wrong};

use crate::solutions;

type Perplexities = fn() -> [f64; 3];
type Telling = fn() -> [bool; 6];

pub fn perplexities() -> Exercise<Perplexities> {
    Exercise {
        number: 10,
        title: "surprises",
        kind: Kind::Predict,
        difficulty: 1,
        minutes: 10,
        check: |perplexities| {
            let hints = [
                "the perplexity of a uniform guess is the number of words it guesses among",
                "the mean of −ln p is taken over all words, those of probability 1 among them",
                "−ln 0 is infinite, and so is a mean with it: no model should rule out a word",
            ];
            let right = solutions::perplexities();
            let same = |a: f64, b: f64| a == b || (a - b).abs() < 1e-3 * b.abs();
            let mut wrong = String::new();
            for (i, (found, hint)) in perplexities().iter().zip(hints).enumerate() {
                if !same(*found, right[i]) {
                    wrong += &format!("{i}: not {found}\nhint: {hint}\n");
                }
            }
            assert!(wrong.is_empty(), "{wrong}");
        },
        wrong: &[
            Wrong {
                name: "the cross-entropy",
                hint: "the number of words it guesses among",
                answer: || [600_f64.ln(), 2_f64.ln(), f64::INFINITY],
            },
            Wrong {
                name: "the mean of the perplexities",
                hint: "the mean of −ln p",
                answer: || [600.0, 4.75, f64::INFINITY],
            },
            Wrong {
                name: "one word in a thousand does not matter",
                hint: "infinite",
                answer: || [600.0, 2.0, 1.0],
            },
            Wrong {
                name: "only the uncertain words count",
                hint: "over all words",
                answer: || [600.0, 16.0, f64::INFINITY],
            },
        ],
    }
}

pub fn telling() -> Exercise<Telling> {
    Exercise {
        number: 11,
        title: "two explanations",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 15,
        check: |telling| {
            let hints = [
                "where no gradient arrives, and where nothing can be held, it fails alike",
                "if it succeeds, a plain state can hold a number after all",
                "that the gradient vanishes is agreed; the second explanation does not deny it",
                "weights that hold it refute the second explanation, and say nothing against the first",
                "neither says anything of a GRU that its success would refute",
                "the usual start is the usual start at any size, and a plain state a plain state",
            ];
            let mut wrong = String::new();
            for (i, (found, hint)) in telling().iter().zip(hints).enumerate() {
                if *found != solutions::telling()[i] {
                    wrong += &format!("{i}: you say {found}\nhint: {hint}\n");
                }
            }
            assert!(wrong.is_empty(), "{wrong}");
        },
        wrong: &[
            Wrong {
                name: "a picture of the gradient explains",
                hint: "is agreed",
                answer: || [false, true, true, true, false, false],
            },
            Wrong {
                name: "patience tells",
                hint: "fails alike",
                answer: || [true, true, false, true, false, false],
            },
            Wrong {
                name: "another architecture tells",
                hint: "of a GRU",
                answer: || [false, true, false, true, true, false],
            },
            Wrong {
                name: "only training counts",
                hint: "weights that hold it",
                answer: || [false, true, false, false, false, false],
            },
            Wrong {
                name: "size tells",
                hint: "at any size",
                answer: || [false, true, false, true, false, true],
            },
        ],
    }
}
