//! 12.7: what does the difference show?

use crate::support::with;
use tests::exercises::{Exercise, Kind, Wrong};

type Answers = [Option<[usize; 2]>; 6];
type Comparisons = fn() -> Answers;

pub fn exercise() -> Exercise<Comparisons> {
    Exercise {
        number: 7,
        title: "what does the difference show?",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "with everything that pre-training gives",
                hint: "pieces",
                answer: || changed(0, Some([0, 2])),
            },
            Wrong {
                name: "pieces and parameters at once",
                hint: "parameters",
                answer: || changed(1, Some([0, 2])),
            },
            Wrong {
                name: "frozen against trained from scratch",
                hint: "what is trained",
                answer: || changed(2, Some([1, 3])),
            },
            Wrong {
                name: "training a random encoder",
                hint: "the parameters",
                answer: || changed(3, Some([1, 0])),
            },
            Wrong {
                name: "with more examples",
                hint: "examples",
                answer: || changed(4, Some([1, 7])),
            },
            Wrong {
                name: "a long start from scratch against pre-training",
                hint: "the parameters and the epochs",
                answer: || changed(4, Some([0, 5])),
            },
            Wrong {
                name: "one seed is enough",
                hint: "one seed",
                answer: || changed(5, Some([6, 7])),
            },
            Wrong {
                name: "what holds for 200",
                hint: "1000 examples",
                answer: || changed(5, Some([0, 1])),
            },
            Wrong { name: "nothing shows it", hint: "there are two", answer: || changed(0, None) },
            Wrong {
                name: "a random encoder, frozen or not",
                hint: "pre-trained",
                answer: || changed(3, Some([1, 4])),
            },
            Wrong {
                name: "no two runs for any question",
                hint: "question 0: you say no two runs",
                answer: || [None; 6],
            },
        ],
    }
}

fn changed(question: usize, answer: Option<[usize; 2]>) -> Answers {
    with(crate::solutions::comparisons(), question, answer)
}

/// A row of the table: pre-trained, pieces of the big corpus, encoder frozen, examples, epochs, seeds.
type Run = (bool, bool, bool, usize, usize, usize);

const RUNS: [Run; 8] = [
    (true, true, false, 200, 24, 3),
    (false, true, false, 200, 24, 3),
    (false, false, false, 200, 24, 3),
    (true, true, true, 200, 24, 3),
    (false, true, true, 200, 24, 3),
    (false, true, false, 200, 240, 3),
    (true, true, false, 1000, 24, 3),
    (false, true, false, 1000, 24, 1),
];

const WHAT: [&str; 5] =
    ["the parameters", "the pieces", "what is trained", "the examples", "the epochs"];

/// In what two runs differ.
fn differences(a: Run, b: Run) -> Vec<&'static str> {
    let differ = [a.0 != b.0, a.1 != b.1, a.2 != b.2, a.3 != b.3, a.4 != b.4];
    WHAT.into_iter().zip(differ).filter_map(|(what, differs)| differs.then_some(what)).collect()
}

/// What speaks against two runs as an answer.
fn fault(question: usize, [a, b]: [usize; 2]) -> Option<String> {
    let Some((a, b)) = RUNS.get(a).copied().zip(RUNS.get(b).copied()) else {
        return Some("there are the runs 0 to 7".to_owned());
    };
    let asked = [0, 1, 0, 2, 4, 0][question];
    let found = differences(a, b);
    if found != [WHAT[asked]] {
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(" and ") };
        return Some(format!("they differ in {found}; the question is about {}", WHAT[asked]));
    }
    let condition = match question {
        0 => (!a.2, "all is to be trained"),
        2 => (a.2, "only the new layer is trained"),
        5 => (a.3 == 1000, "the question is about 1000 examples"),
        3 => (a.0, "the question is about the pre-trained encoder"),
        4 => (!a.0, "the question is about random parameters"),
        _ => (true, ""),
    };
    if !condition.0 {
        return Some(condition.1.to_owned());
    }
    (a.5.min(b.5) < 3)
        .then(|| "one of them has one seed, and nobody knows how far another would be".to_owned())
}

fn check(comparisons: Comparisons) {
    for (question, answer) in comparisons().into_iter().enumerate() {
        let fault = match answer {
            Some(runs) => fault(question, runs),
            None => {
                let mut pairs = (0..8).flat_map(|a| (0..a).map(move |b| [a, b]));
                let found = pairs.any(|runs| fault(question, runs).is_none());
                found.then(|| "among these runs there are two that answer it".to_owned())
            }
        };
        if let Some(fault) = fault {
            let told =
                answer.map_or("no two runs".to_owned(), |[a, b]| format!("runs {a} and {b}"));
            // The first fault alone: all of them would say which questions have an answer.
            panic!("question {question}: you say {told}\nhint: {fault}");
        }
    }
}
