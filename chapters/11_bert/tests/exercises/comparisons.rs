//! 11.11: one change a comparison.

use tests::exercises::{Exercise, Kind, Wrong};

type Comparisons = fn() -> [Option<[usize; 2]>; 6];

pub fn exercise() -> Exercise<Comparisons> {
    Exercise {
        number: 11,
        title: "one change a comparison",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "with the next text against without",
                hint: "what a sequence is",
                answer: || with(0, Some([0, 1])),
            },
            Wrong { name: "one run is enough", hint: "one seed", answer: || with(1, Some([0, 3])) },
            Wrong {
                name: "one text with one loss, two texts with two",
                hint: "the losses",
                answer: || with(2, Some([0, 1])),
            },
            Wrong {
                name: "larger batches, as many steps",
                hint: "how much is read",
                answer: || with(3, Some([1, 6])),
            },
            Wrong {
                name: "batches and masks at once",
                hint: "how masks are drawn",
                answer: || with(3, Some([4, 5])),
            },
            Wrong {
                name: "anew, and more of everything",
                hint: "pieces a step",
                answer: || with(4, Some([1, 5])),
            },
            Wrong {
                name: "the other long run",
                hint: "how masks are drawn",
                answer: || with(5, Some([3, 7])),
            },
            Wrong {
                name: "what holds for short runs",
                hint: "200,000 steps",
                answer: || with(5, Some([0, 2])),
            },
            Wrong {
                name: "steps and batches both make it longer",
                hint: "among these runs",
                answer: || with(3, None),
            },
            Wrong {
                name: "a run against itself",
                hint: "itself",
                answer: || with(4, Some([5, 5])),
            },
            Wrong {
                name: "no two runs for any question",
                hint: "question 0: you say no two runs",
                answer: || [None; 6],
            },
        ],
    }
}

fn with(question: usize, answer: Option<[usize; 2]>) -> [Option<[usize; 2]>; 6] {
    let mut answers = crate::solutions::comparisons();
    answers[question] = answer;
    answers
}

/// A row of the table.
struct Run {
    next_text: bool,
    texts: usize,
    steps: usize,
    pieces: usize,
    anew: bool,
    seeds: usize,
}

const fn run(
    next_text: bool,
    texts: usize,
    steps: usize,
    pieces: usize,
    anew: bool,
    seeds: usize,
) -> Run {
    Run { next_text, texts, steps, pieces, anew, seeds }
}

const RUNS: [Run; 8] = [
    run(true, 2, 100_000, 8192, false, 3),
    run(false, 1, 100_000, 8192, false, 3),
    run(false, 2, 100_000, 8192, false, 3),
    run(true, 2, 200_000, 8192, false, 1),
    run(false, 1, 200_000, 8192, false, 3),
    run(false, 1, 100_000, 16_384, true, 3),
    run(false, 1, 100_000, 16_384, false, 3),
    run(false, 2, 200_000, 8192, true, 3),
];

const LOSSES: &str = "the losses";
const SEQUENCE: &str = "what a sequence is";
const STEPS: &str = "the number of steps";
const BATCH: &str = "the pieces a step";
const READ: &str = "how much is read in all";
const MASKS: &str = "how masks are drawn";

/// In what two runs differ.
fn differences(a: &Run, b: &Run) -> Vec<&'static str> {
    [
        (LOSSES, a.next_text != b.next_text),
        (SEQUENCE, a.texts != b.texts),
        (STEPS, a.steps != b.steps),
        (BATCH, a.pieces != b.pieces),
        (READ, a.steps * a.pieces != b.steps * b.pieces),
        (MASKS, a.anew != b.anew),
    ]
    .into_iter()
    .filter_map(|(what, differs)| differs.then_some(what))
    .collect()
}

/// What is asked: in what the two runs must differ, and how long both must be.
const QUESTIONS: [(&[&str], Option<usize>); 6] = [
    (&[LOSSES], Some(100_000)),
    (&[STEPS, READ], None),
    (&[SEQUENCE], None),
    (&[STEPS, BATCH], None),
    (&[MASKS], None),
    (&[LOSSES], Some(200_000)),
];

/// What speaks against two runs as an answer to a question.
fn fault(question: usize, [a, b]: [usize; 2]) -> Option<String> {
    let (asked, steps) = QUESTIONS[question];
    if a >= RUNS.len() || b >= RUNS.len() {
        return Some("there are the runs 0 to 7".into());
    }
    if a == b {
        return Some(format!("run {a} differs in nothing from itself"));
    }
    let found = differences(&RUNS[a], &RUNS[b]);
    if found != asked {
        return Some(format!("they differ in {}", found.join(" and ")));
    }
    if let Some(steps) = steps.filter(|steps| RUNS[a].steps != *steps) {
        let told = if steps == 100_000 { "100,000" } else { "200,000" };
        return Some(format!("the question is about {told} steps"));
    }
    let single = [a, b].into_iter().find(|run| RUNS[*run].seeds < 3);
    single.map(|run| format!("run {run} has one seed, and nobody knows how far another would be"))
}

fn check(comparisons: Comparisons) {
    for (question, answer) in comparisons().into_iter().enumerate() {
        let fault = match answer {
            Some(runs) => fault(question, runs),
            None => {
                let mut pairs = (0..8).flat_map(|a| (0..a).map(move |b| [a, b]));
                let found = pairs.any(|runs| fault(question, runs).is_none());
                found.then(|| "among these runs there are two that answer it".into())
            }
        };
        if let Some(fault) = fault {
            let told = answer.map_or("no two runs".into(), |[a, b]| format!("runs {a} and {b}"));
            // The first fault alone: all of them would say which questions have an answer.
            panic!("question {question}: you say {told}\nhint: {fault}");
        }
    }
}
