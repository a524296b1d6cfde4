//! 4.10 surprises, 4.11 two explanations: answers without a program

use crate::solutions;
use tests::exercises::{Exercise, unhinted};

type Perplexities = fn() -> [f64; 3];
type Distinguishing = fn() -> [bool; 6];

pub const SURPRISES: Exercise<Perplexities> = Exercise {
    check: perplexities,
    wrong: &[
        unhinted("the cross-entropy", || [600_f64.ln(), 2_f64.ln(), f64::INFINITY]),
        unhinted("the mean of the perplexities", || [600.0, 4.75, f64::INFINITY]),
        unhinted("one word in a thousand does not matter", || [600.0, 2.0, 1.0]),
        unhinted("only the uncertain words count", || [600.0, 16.0, f64::INFINITY]),
    ],
};

fn perplexities(perplexities: Perplexities) {
    let why = [
        "the perplexity of a uniform guess is the number of words it guesses among",
        "the mean of −ln p is taken over all words, those of probability 1 among them",
        "−ln 0 is infinite, and so is a mean with it: no model should rule out a word",
    ];
    for (i, (found, right)) in perplexities().into_iter().zip(solutions::perplexities()).enumerate()
    {
        let near = found == right || (found - right).abs() < 1e-3 * right.abs();
        assert!(near, "{i}: not {found}\nhint: {}", why[i]);
    }
}

pub const EXPLANATIONS: Exercise<Distinguishing> = Exercise {
    check: distinguishing,
    wrong: &[
        unhinted("a picture of the gradient explains", || [false, true, true, true, false, false]),
        unhinted("patience decides", || [true, true, false, true, false, false]),
        unhinted("another architecture decides", || [false, true, false, true, true, false]),
        unhinted("only training counts", || [false, true, false, false, false, false]),
        unhinted("size decides", || [false, true, false, true, false, true]),
    ],
};

fn distinguishing(distinguishing: Distinguishing) {
    let why = [
        "where no gradient arrives, and where nothing can be held, it fails alike",
        "if it succeeds, a plain state can hold a number after all",
        "that the gradient vanishes is agreed; the second explanation does not deny it",
        "weights that hold it refute the second explanation, and say nothing against the first",
        "neither says anything of a GRU that its success would refute",
        "the usual start is the usual start at any size, and a plain state a plain state",
    ];
    for (i, (found, right)) in
        distinguishing().into_iter().zip(solutions::distinguishing()).enumerate()
    {
        assert!(found == right, "{i}: you say {found}\nhint: {}", why[i]);
    }
}
