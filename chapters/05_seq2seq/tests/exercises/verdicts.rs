//! 5.10: which claims a table of seeds and intervals bears out.

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Verdicts = fn() -> [Option<bool>; 6];

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

pub const EXERCISE: Exercise<Verdicts> = Exercise {
    check,
    wrong: &[
        unhinted("the larger mean wins", || [YES, YES, YES, YES, NO, YES]),
        unhinted("intervals that overlap decide nothing", || [YES, None, None, None, NO, None]),
        unhinted("seeds and sentences taken for one", || [YES, YES, YES, None, NO, None]),
        unhinted("what is not decided does not hold", || [YES, NO, YES, NO, NO, NO]),
        unhinted("a difference above 0 is one of 1", || [YES, None, YES, None, NO, YES]),
    ],
};

fn check(verdicts: Verdicts) {
    for (number, (verdict, right)) in (1..).zip(verdicts().into_iter().zip(solutions::verdicts())) {
        let told = match verdict {
            YES => "held",
            NO => "refuted",
            None => "undecided",
        };
        let why = match number {
            1 | 2 => "a claim about a kind of training: do the seeds of the two overlap?",
            _ => "a claim about these models: where does the interval of the difference lie?",
        };
        assert!(verdict == right, "claim {number} is not {told}\nhint: {why}");
    }
}
