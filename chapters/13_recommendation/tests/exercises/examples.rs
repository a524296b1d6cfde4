//! 13.5: a model that knows everything.

use super::solutions;
use tests::exercises::{Exercise, bug, wrong};

type Examples = fn(&[(usize, bool)], usize) -> Vec<(Vec<usize>, usize)>;

pub const EXERCISE: Exercise<Examples> = Exercise {
    check,
    wrong: &[
        bug("the history ends with the very item that is asked for", |actions, longest| {
            with(actions, |at| (at + 1).saturating_sub(longest)..at + 1)
        }),
        wrong("all of the last `longest` actions", |actions, longest| {
            with(actions, |at| (at + 1).saturating_sub(longest).min(at)..at)
        }),
        wrong("an item may stand in its own history: somebody looked at it", |actions, longest| {
            let mut examples = solutions::examples(actions, longest);
            examples.iter_mut().for_each(|(history, item)| history.retain(|one| one != item));
            examples
        }),
        wrong("every action belongs to the history", |actions, longest| {
            let bought: Vec<_> = actions.iter().copied().filter(|action| action.1).collect();
            solutions::examples(&bought, longest)
        }),
        wrong("a short history is one, too", |actions, longest| {
            let mut examples = solutions::examples(actions, longest);
            examples.retain(|(history, _)| history.len() == longest);
            examples
        }),
    ],
};

fn with(
    actions: &[(usize, bool)],
    range: impl Fn(usize) -> std::ops::Range<usize>,
) -> Vec<(Vec<usize>, usize)> {
    let bought = (1..actions.len()).filter(|at| actions[*at].1);
    bought.map(|at| (actions[range(at)].iter().map(|one| one.0).collect(), actions[at].0)).collect()
}

fn check(examples: Examples) {
    let actions = [
        (4, true),
        (7, false),
        (2, false),
        (7, true),
        (3, false),
        (4, true),
        (9, true),
        (1, false),
    ];
    let twice = [(4, true), (7, true), (2, false), (2, false), (9, true)];
    for longest in [3, 2, 1, 10, 0] {
        for actions in [&actions[..], &twice, &actions[..4], &actions[..1], &[]] {
            let (found, right) =
                (examples(actions, longest), solutions::examples(actions, longest));
            assert!(
                found == right,
                "examples({actions:?}, {longest}) are {found:?}, they should be {right:?}\n\
                 hint: which actions lie before the purchase, and how many of them count?"
            );
        }
    }
}
