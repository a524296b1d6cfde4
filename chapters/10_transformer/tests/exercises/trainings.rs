//! 10.14: which trainings decide it?

use crate::attempts::Training;
use tests::exercises::{Exercise, Kind, Wrong};

type Trainings = fn() -> Vec<Training>;

pub fn exercise() -> Exercise<Trainings> {
    Exercise {
        number: 14,
        title: "which trainings decide it?",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "none", hint: "claim 1", answer: Vec::new },
            Wrong {
                name: "the two that differ least from those at hand",
                hint: "claim 3",
                answer: || vec![of("TsW"), of("Ts-")],
            },
            Wrong {
                name: "the Transformer alone",
                hint: "claim 3",
                answer: || vec![of("TsW"), of("Ts-"), of("TS-")],
            },
            Wrong {
                name: "a recurrent model with a warm-up",
                hint: "claim 3",
                answer: || vec![of("TsW"), of("Ts-"), of("TS-"), of("RSW")],
            },
            Wrong {
                name: "A against B for the second claim",
                hint: "claim 2",
                answer: || vec![of("TsW"), of("TS-"), of("RS-")],
            },
            Wrong {
                name: "all of them",
                hint: "no claim needs it",
                answer: || all().into_iter().filter(|t| !given().contains(t)).collect(),
            },
            Wrong {
                name: "what is there already",
                hint: "is there already",
                answer: || vec![of("TsW"), of("Ts-"), of("TS-"), of("RS-"), of("Rs-")],
            },
        ],
    }
}

/// `TSW`: a Transformer, smoothed labels, warm-up; `Rs-`: recurrent, sharp labels, no warm-up.
fn of(letters: &str) -> Training {
    let has = |letter| letters.contains(letter);
    Training { recurrent: has('R'), smoothed: has('S'), warm_up: has('W') }
}

fn all() -> Vec<Training> {
    ["TSW", "TS-", "TsW", "Ts-", "RSW", "RS-", "RsW", "Rs-"].map(of).to_vec()
}

/// A and B.
fn given() -> [Training; 2] {
    [of("TSW"), of("Rs-")]
}

/// What each claim compares, and why these.
fn claims() -> [(Vec<Training>, &'static str); 3] {
    [
        (
            [of("TSW"), of("TsW")].to_vec(),
            "compares two Transformers with warm-up that differ in the labels alone",
        ),
        (
            [of("Ts-"), of("Rs-")].to_vec(),
            "compares B with a model that differs from it in recurrence alone",
        ),
        (
            [of("TS-"), of("Ts-"), of("RS-"), of("Rs-")].to_vec(),
            "compares two differences: labels alone in the Transformer, and labels alone in the recurrent model, \
             all without warm-up",
        ),
    ]
}

fn check(trainings: Trainings) {
    let chosen = trainings();
    let told = |t: &Training| {
        format!(
            "({}, {} labels, {} warm-up)",
            if t.recurrent { "recurrent" } else { "Transformer" },
            if t.smoothed { "smoothed" } else { "sharp" },
            if t.warm_up { "with" } else { "no" },
        )
    };
    for (number, (needed, why)) in (1..).zip(claims()) {
        let missing = needed.iter().find(|t| !chosen.contains(t) && !given().contains(t));
        assert!(
            missing.is_none(),
            "claim {number} is not decided by A, B and {} more\nhint: claim {number} {why}",
            chosen.len()
        );
    }
    for (place, training) in chosen.iter().enumerate() {
        assert!(
            !given().contains(training) && !chosen[..place].contains(training),
            "{} is there already",
            told(training)
        );
        let needed = claims().iter().any(|(needed, _)| needed.contains(training));
        assert!(needed, "{}: no claim needs it\nhint: the fewest are asked for", told(training));
    }
}
