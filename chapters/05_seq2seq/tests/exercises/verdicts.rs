//! 5.10: which claims a table of seeds and intervals bears out.

use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Option<bool>; 6];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 10,
        title: "judge: four systems",
        kind: Kind::Judge,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the larger mean wins",
                hint: "claim 2",
                answer: || {
                    [Some(true), Some(true), Some(true), Some(true), Some(false), Some(true)]
                },
            },
            Wrong {
                name: "intervals that overlap decide nothing",
                hint: "claim 3",
                answer: || [Some(true), None, None, None, Some(false), None],
            },
            Wrong {
                name: "seeds and sentences taken for one",
                hint: "claim 2",
                answer: || [Some(true), Some(true), Some(true), None, Some(false), None],
            },
            Wrong {
                name: "what is not decided does not hold",
                hint: "claim 2",
                answer: || {
                    [Some(true), Some(false), Some(true), Some(false), Some(false), Some(false)]
                },
            },
            Wrong {
                name: "a difference above 0 is one of 1",
                hint: "claim 6",
                answer: || [Some(true), None, Some(true), None, Some(false), Some(true)],
            },
        ],
    }
}

fn check(verdicts: Verdicts) {
    let seeds = "a claim about a kind of training: do the seeds of the two overlap?";
    let sentences = "a claim about these models: where does the interval of the difference lie?";
    let right = [
        (Some(true), seeds),
        (None, seeds),
        (Some(true), sentences),
        (None, sentences),
        (Some(false), sentences),
        (None, sentences),
    ];
    for (number, (verdict, (right, hint))) in (1..).zip(verdicts().into_iter().zip(right)) {
        assert!(verdict == right, "claim {number} is not {}\nhint: {hint}", told(verdict));
    }
}

fn told(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "held",
        Some(false) => "refuted",
        None => "undecided",
    }
}
