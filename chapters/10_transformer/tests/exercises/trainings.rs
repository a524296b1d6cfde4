//! 10.14: which trainings decide it?

use super::attempts::Training;
use tests::exercises::{Exercise, unhinted};

type Trainings = fn() -> Vec<Training>;

pub const EXERCISE: Exercise<Trainings> = Exercise {
    check,
    wrong: &[
        unhinted("none", Vec::new),
        unhinted("the two that differ least from those at hand", || of("TsW Ts-")),
        unhinted("the Transformer alone", || of("TsW Ts- TS-")),
        unhinted("a recurrent model with a warm-up", || of("TsW Ts- TS- RSW")),
        unhinted("A against B for the second claim", || of("TsW TS- RS-")),
        unhinted("all of them", || of("TS- TsW Ts- RSW RS- RsW")),
        unhinted("what is there already", || of("TsW Ts- TS- RS- Rs-")),
    ],
};

/// `TSW`: a Transformer, smoothed labels, warm-up; `Rs-`: recurrent, sharp labels, no warm-up.
fn of(trainings: &str) -> Vec<Training> {
    let trainings = trainings.split(' ').map(|letters| {
        let has = |letter| letters.contains(letter);
        Training { recurrent: has('R'), smoothed: has('S'), warm_up: has('W') }
    });
    trainings.collect()
}

/// What each claim compares, and why these.
const CLAIMS: [(&str, &str); 3] = [
    ("TSW TsW", "two Transformers with warm-up that differ in the labels alone"),
    ("Ts- Rs-", "B with a model that differs from it in recurrence alone"),
    (
        "TS- Ts- RS- Rs-",
        "two differences: labels alone in the Transformer, and labels alone in the recurrent model, \
         all without warm-up",
    ),
];

fn check(trainings: Trainings) {
    let (chosen, given) = (trainings(), of("TSW Rs-"));
    for (number, (needed, why)) in (1..).zip(CLAIMS) {
        let known = |training: &Training| chosen.contains(training) || given.contains(training);
        assert!(
            of(needed).iter().all(known),
            "claim {number} is not decided by A, B and {} more\nhint: claim {number} compares {why}",
            chosen.len()
        );
    }
    for (place, training) in chosen.iter().enumerate() {
        let twice = given.contains(training) || chosen[..place].contains(training);
        assert!(!twice, "{training:?} is there already");
        let needed = CLAIMS.iter().any(|(needed, _)| of(needed).contains(training));
        assert!(needed, "{training:?}: no claim needs it\nhint: the fewest are asked for");
    }
}
