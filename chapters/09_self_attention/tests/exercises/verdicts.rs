//! 9.11: what five seeds decide.

use crate::attempts::Verdict::{self, Holds, Refuted, Undecided};
use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Verdict; 5];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 11,
        title: "what five seeds decide",
        kind: Kind::Judge,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "means compared",
                hint: "overlap",
                answer: || [Holds, Holds, Holds, Undecided, Refuted],
            },
            Wrong {
                name: "no difference taken for a proof",
                hint: "overlap",
                answer: || [Refuted, Holds, Holds, Undecided, Refuted],
            },
            Wrong { name: "nothing ever decided", hint: "far apart", answer: || [Undecided; 5] },
            Wrong {
                name: "two models said to be incomparable",
                hint: "the models, not of a cause",
                answer: || [Undecided, Holds, Undecided, Undecided, Refuted],
            },
            Wrong {
                name: "two changes at once",
                hint: "changed as well",
                answer: || [Undecided, Holds, Holds, Holds, Refuted],
            },
            Wrong {
                name: "another cause taken for proven",
                hint: "changed as well",
                answer: || [Undecided, Holds, Holds, Refuted, Refuted],
            },
            Wrong {
                name: "weights as explanations",
                hint: "taken away",
                answer: || [Undecided, Holds, Holds, Undecided, Holds],
            },
        ],
    }
}

/// Accuracies of the five seeds.
const A: [u32; 5] = [81, 90, 84, 88, 79];
const B: [u32; 5] = [86, 83, 91, 80, 89];
const C: [u32; 5] = [52, 55, 51, 54, 53];
const D: [u32; 5] = [93, 95, 92, 96, 94];
const E: [u32; 5] = [86, 83, 90, 80, 89];

fn check(verdicts: Verdicts) {
    let overlap = |x: [u32; 5], y: [u32; 5]| x.iter().max() >= y.iter().min();
    assert!(overlap(A, B) && overlap(B, A) && !overlap(C, B) && !overlap(A, D));
    let most = A.iter().zip(B).map(|(a, b)| a.abs_diff(b)).max();
    assert!(B.iter().zip(E).all(|(b, e)| b.abs_diff(e) <= 1) && most > Some(5));

    let right = [
        (
            Undecided,
            "79 … 90 and 80 … 91 overlap almost wholly: a sixth seed may turn the means round",
        ),
        (Holds, "B and C differ in the positions alone, and 80 … 91 and 51 … 55 are far apart"),
        (Holds, "79 … 90 and 92 … 96 do not meet; the claim is one of the models, not of a cause"),
        (Undecided, "D has more heads, but its number of parameters was changed as well"),
        (Refuted, "what head 3 saw was taken away in E, and of every run hardly anything was lost"),
    ];
    for (number, (found, (right, why))) in (1..).zip(verdicts().into_iter().zip(right)) {
        assert!(found == right, "claim {number}: you say it is {found:?}\nhint: {why}");
    }
}
