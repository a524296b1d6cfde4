//! 9.11: what five seeds decide.

use super::attempts::Verdict::{self, Holds, Refuted, Undecided};
use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Verdicts = fn() -> [Verdict; 5];

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    check,
    wrong: &[
        unhinted("means compared", || [Holds, Holds, Holds, Undecided, Refuted]),
        unhinted("nothing ever decided", || [Undecided; 5]),
        unhinted("two models said to be incomparable", || {
            [Undecided, Holds, Undecided, Undecided, Refuted]
        }),
        unhinted("two changes at once", || [Undecided, Holds, Holds, Holds, Refuted]),
        unhinted("another cause taken for proven", || [Undecided, Holds, Holds, Refuted, Refuted]),
        unhinted("weights as explanations", || [Undecided, Holds, Holds, Undecided, Holds]),
    ],
};

fn check(verdicts: Verdicts) {
    let why = [
        "79 … 90 and 80 … 91 overlap almost wholly: a sixth seed may turn the means round",
        "B and C differ in the positions alone, and 80 … 91 and 51 … 55 are far apart",
        "79 … 90 and 92 … 96 do not meet; the claim is one of the models, not of a cause",
        "D has more heads, but its number of parameters was changed as well",
        "what head 3 saw was taken away in E, and of every run hardly anything was lost",
    ];
    for (i, (found, right)) in verdicts().into_iter().zip(solutions::verdicts()).enumerate() {
        assert!(found == right, "claim {}: you say it is {found:?}\nhint: {}", i + 1, why[i]);
    }
}
