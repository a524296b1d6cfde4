//! 12.7: what does the difference show?

use super::solutions;
use tests::exercises::{Exercise, unhinted, with};

type Comparisons = fn() -> [Option<[usize; 2]>; 6];

#[rustfmt::skip]
pub const EXERCISE: Exercise<Comparisons> = Exercise {
    check,
    wrong: &[
        unhinted("with all that pre-training gives", || with(solutions::comparisons(), 0, Some([0, 2]))),
        unhinted("pieces and parameters at once", || with(solutions::comparisons(), 1, Some([0, 2]))),
        unhinted("a random encoder, frozen or not", || with(solutions::comparisons(), 3, Some([1, 4]))),
        unhinted("a long start against pre-training", || with(solutions::comparisons(), 4, Some([0, 5]))),
        unhinted("one seed is enough", || with(solutions::comparisons(), 5, Some([6, 7]))),
    ],
};

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

/// The difference between the runs of each question, and what should be so in both.
type Question = (&'static str, fn(Run) -> bool, &'static str);

const QUESTIONS: [Question; 6] = [
    (WHAT[0], |run| !run.2, "all is to be trained"),
    (WHAT[1], |_| true, ""),
    (WHAT[0], |run| run.2, "only the new layer is trained"),
    (WHAT[2], |run| run.0, "the question is about the pre-trained encoder"),
    (WHAT[4], |run| !run.0, "the question is about random parameters"),
    (WHAT[0], |run| run.3 == 1000, "the question is about 1000 examples"),
];

/// What speaks against two runs as an answer.
fn fault((asked, fits, what): Question, [a, b]: [usize; 2]) -> Option<String> {
    let (Some(&a), Some(&b)) = (RUNS.get(a), RUNS.get(b)) else {
        return Some("there are the runs 0 to 7".to_owned());
    };
    let differ = [a.0 != b.0, a.1 != b.1, a.2 != b.2, a.3 != b.3, a.4 != b.4];
    let found: Vec<&str> =
        WHAT.into_iter().zip(differ).filter(|(_, d)| *d).map(|(w, _)| w).collect();
    if found != [asked] {
        return Some(format!("they differ in {found:?}; the question is about {asked}"));
    }
    if !fits(a) || !fits(b) {
        return Some(what.to_owned());
    }
    (a.5.min(b.5) < 3)
        .then(|| "one of them has one seed, and nobody knows how far another would be".to_owned())
}

fn check(comparisons: Comparisons) {
    // The first fault alone: all of them would say which questions have an answer.
    for ((i, answer), question) in comparisons().into_iter().enumerate().zip(QUESTIONS) {
        let mut pairs = (0..8).flat_map(|a| (0..a).map(move |b| [a, b]));
        let fault = match answer {
            Some(runs) => fault(question, runs),
            None => pairs
                .find(|runs| fault(question, *runs).is_none())
                .map(|_| "among these runs there are two that answer it".to_owned()),
        };
        let fault = fault.unwrap_or_default();
        assert!(fault.is_empty(), "question {i}: you say the runs {answer:?}\nhint: {fault}");
    }
}
