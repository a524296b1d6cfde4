//! 4.10 surprises: answers without a program

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Perplexities = fn() -> [f64; 3];

pub const EXERCISE: Exercise<Perplexities> = Exercise {
    check,
    wrong: &[
        unhinted("the cross-entropy", || [600_f64.ln(), 2_f64.ln(), f64::INFINITY]),
        unhinted("the mean of the perplexities", || [600.0, 4.75, f64::INFINITY]),
        unhinted("one word in a thousand does not matter", || [600.0, 2.0, 1.0]),
        unhinted("only the uncertain words count", || [600.0, 16.0, f64::INFINITY]),
    ],
};

fn check(found: Perplexities) {
    let why = [
        "the perplexity of a uniform guess is the number of words it guesses among",
        "the mean of −ln p is taken over all words, those of probability 1 among them",
        "−ln 0 is infinite, and so is a mean with it: no model should rule out a word",
    ];
    for (i, (found, right)) in found().into_iter().zip(solutions::perplexities()).enumerate() {
        let near = found == right || (found - right).abs() < 1e-3 * right.abs();
        assert!(near, "{i}: not {found}\nhint: {}", why[i]);
    }
}
