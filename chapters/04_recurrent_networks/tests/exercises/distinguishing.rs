//! 4.11 two explanations: answers without a program

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Distinguishing = fn() -> [bool; 6];

pub const EXERCISE: Exercise<Distinguishing> = Exercise {
    check,
    wrong: &[
        unhinted("a picture of the gradient explains", || [false, true, true, true, false, false]),
        unhinted("patience decides", || [true, true, false, true, false, false]),
        unhinted("another architecture decides", || [false, true, false, true, true, false]),
        unhinted("only training counts", || [false, true, false, false, false, false]),
        unhinted("size decides", || [false, true, false, true, false, true]),
    ],
};

fn check(found: Distinguishing) {
    let why = [
        "where no gradient arrives, and where nothing can be held, it fails alike",
        "if it succeeds, a plain state can hold a number after all",
        "that the gradient vanishes is agreed; the second explanation does not deny it",
        "weights that hold it refute the second explanation, and say nothing against the first",
        "neither says anything of a GRU that its success would refute",
        "the usual start is the usual start at any size, and a plain state a plain state",
    ];
    for (i, (found, right)) in found().into_iter().zip(solutions::distinguishing()).enumerate() {
        assert!(found == right, "{i}: you say {found}\nhint: {}", why[i]);
    }
}
