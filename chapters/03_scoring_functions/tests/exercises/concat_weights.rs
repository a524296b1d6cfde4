//! 3.9 spot the bug: minus a million, under the check of 3.2

use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};

use super::masked_softmax::{MaskedSoftmax, check, clamped, minus_a_million, minus_infinity};

pub fn exercise() -> Exercise<MaskedSoftmax> {
    Exercise {
        number: 9,
        title: "spot the bug: minus a million",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "a query that may see nothing",
                answer: minus_a_million,
            },
            Wrong { name: "exponents clamped instead", hint: "clamped", answer: clamped },
            Wrong { name: "minus infinity instead", hint: "0/0", answer: minus_infinity },
        ],
    }
}
