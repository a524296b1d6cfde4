//! 8.11: which run tells them apart?

use tests::exercises::{Exercise, unhinted};

type DistinguishingRuns = fn() -> [(usize, bool, bool); 3];

pub const EXERCISE: Exercise<DistinguishingRuns> = Exercise {
    check,
    wrong: &[
        unhinted("more seeds", || [(0, true, true), (1, false, true), (2, false, true)]),
        unhinted("two changes at once", || [(3, false, false), (3, false, true), (3, false, true)]),
        unhinted("the remedy", || [(4, false, false), (1, false, true), (2, false, true)]),
        unhinted("random answers for draws against large steps", || {
            [(1, false, true), (2, true, true), (2, false, true)]
        }),
        unhinted("no draws for answers against large steps", || {
            [(1, false, true), (1, false, true), (1, true, true)]
        }),
        unhinted("random answers are thought to still the draws", || {
            [(2, false, true), (1, false, true), (2, false, true)]
        }),
        unhinted("large steps are thought to need answers", || {
            [(1, false, true), (1, false, true), (2, false, false)]
        }),
    ],
};

/// Whether A, B and C predict sharp alignments in run 1 and in run 2.
const PREDICTED: [[bool; 3]; 2] = [[false, true, true], [true, false, true]];

fn check(distinguishing_runs: DistinguishingRuns) {
    let pairs = [('A', 0, 'B', 1), ('A', 0, 'C', 2), ('B', 1, 'C', 2)];
    for ((run, first, second), (a, i, b, j)) in distinguishing_runs().into_iter().zip(pairs) {
        let pair = format!("for {a} and {b} you chose run {run}");
        let predicted = match run {
            1 | 2 => PREDICTED[run - 1],
            0 => panic!("{pair}\nhint: it says more exactly what happens, and nothing of why"),
            3 => panic!("{pair}\nhint: it changes two things: which of them made the difference?"),
            4 => panic!("{pair}\nhint: a bonus opens alignments whatever sharpens them"),
            _ => panic!("{pair}: there are runs 0 to 4"),
        };
        for (name, said, right) in [(a, first, predicted[i]), (b, second, predicted[j])] {
            let (word, cause) = if right { ("sharp", "still there") } else { ("open", "gone") };
            assert!(
                said == right,
                "{pair}\nhint: {name} predicts {word} alignments there: what it blames is {cause}"
            );
        }
        assert!(
            predicted[i] != predicted[j],
            "{pair}\nhint: {a} and {b} agree about run {run}: its outcome could not tell them apart"
        );
    }
}
