//! 12.9: three seeds, four ways.

use crate::support::{check_answers, with};
use tests::exercises::{Exercise, Kind, Wrong};

type Verdicts = fn() -> [Option<bool>; 6];

pub fn exercise() -> Exercise<Verdicts> {
    Exercise {
        number: 9,
        title: "three seeds, four ways",
        kind: Kind::Judge,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "by the means",
                hint: "overlap",
                answer: || with(crate::solutions::verdicts(), 0, Some(true)),
            },
            Wrong { name: "nothing is decided", hint: "all three", answer: || [None; 6] },
            Wrong {
                name: "what is not shown is open",
                hint: "below all three",
                answer: || with(crate::solutions::verdicts(), 1, None),
            },
            Wrong {
                name: "a difference is all that counts",
                hint: "below all three",
                answer: || with(crate::solutions::verdicts(), 1, Some(true)),
            },
            Wrong {
                name: "the middle seeds agree",
                hint: "overlap",
                answer: || with(crate::solutions::verdicts(), 2, Some(false)),
            },
            Wrong {
                name: "mostly is always",
                hint: "70.2",
                answer: || with(crate::solutions::verdicts(), 3, Some(false)),
            },
            Wrong {
                name: "beyond the table",
                hint: "more than 1000",
                answer: || with(crate::solutions::verdicts(), 4, Some(true)),
            },
            Wrong {
                name: "above chance is above chance",
                hint: "3 points",
                answer: || with(crate::solutions::verdicts(), 5, Some(false)),
            },
        ],
    }
}

const PRE_TRAINED: [[f64; 3]; 2] = [[71.2, 74.9, 78.3], [93.1, 93.4, 93.8]];
const FROZEN: [[f64; 3]; 2] = [[70.1, 72.6, 75.0], [78.9, 79.3, 79.6]];
const FROM_SCRATCH: [f64; 3] = [70.2, 79.1, 88.0];
const COUNTED: [f64; 3] = [51.0, 51.4, 52.2];

fn check(verdicts: Verdicts) {
    let more = |a: &[f64], b: &[f64]| workbench::smaller(b, a);
    check_answers(
        verdicts(),
        [
            more(&PRE_TRAINED[0], &FROZEN[0]),
            more(&FROZEN[1], &PRE_TRAINED[1]),
            more(&FROM_SCRATCH, &FROZEN[1]),
            more(&PRE_TRAINED[0], &FROM_SCRATCH),
            None,
            Some(COUNTED.iter().all(|share| *share <= 53.0)),
        ],
        [
            "the seeds overlap, from 71.2 to 75.0",
            "all three seeds of the frozen encoder lie below all three of the trained one",
            "the seeds overlap: 70.2 is below, 88.0 above",
            "the seeds overlap: 70.2 without lies below all with, 79.1 and 88.0 above",
            "the table says nothing about more than 1000 examples",
            "52.2 is less than 3 points above 50",
        ],
    );
}
