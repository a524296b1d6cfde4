//! 6.9: what do three seeds decide?

use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Option<bool>; 6];

const RIGHT: [Option<bool>; 6] = [None, Some(true), Some(true), Some(false), Some(false), None];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 9,
        title: "what do three seeds decide?",
        kind: Kind::Judge,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "by the means",
                hint: "the worst seed of A",
                answer: || with(0, Some(true)),
            },
            Wrong {
                name: "the smallest gap overlooked",
                hint: "95.2 − 75.2",
                answer: || with(1, Some(false)),
            },
            Wrong {
                name: "undecided since far apart",
                hint: "the ranges do not overlap",
                answer: || with(2, None),
            },
            Wrong {
                name: "the mean of the rates",
                hint: "with every seed",
                answer: || with(3, Some(true)),
            },
            Wrong {
                name: "a claim that is refuted is not undecided",
                hint: "the ranges do not overlap",
                answer: || with(4, None),
            },
            Wrong {
                name: "together means because",
                hint: "goes together",
                answer: || with(5, Some(true)),
            },
            Wrong {
                name: "a cause refuted by nothing",
                hint: "goes together",
                answer: || with(5, Some(false)),
            },
        ],
    }
}

fn with(claim: usize, verdict: Option<bool>) -> [Option<bool>; 6] {
    let mut verdicts = RIGHT;
    verdicts[claim] = verdict;
    verdicts
}

fn check(verdicts: Verdicts) {
    let why = [
        "compare the worst seed of A with the best of B; means do not decide",
        "the smallest difference is 95.2 − 75.2",
        "16 % is A's worst and 19 % B's best: the ranges do not overlap",
        "at most 30 % *with every seed*, and one has 35 %",
        "the ranges do not overlap, and C's is the lower one: the claim is refuted, which is more than undecided",
        "the better alignment goes together with the better translation; no run changed one of them alone",
    ];
    for (claim, ((found, right), why)) in verdicts().iter().zip(RIGHT).zip(why).enumerate() {
        assert!(*found == right, "claim {claim} is judged {found:?}\nhint: {why}");
    }
}
