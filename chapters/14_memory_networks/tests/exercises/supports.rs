//! 14.5: which sentences support it?

use super::solutions;
use tests::exercises::{Exercise, bug, wrong};

type Supports = fn(&[&str]) -> Vec<Vec<usize>>;

pub const EXERCISE: Exercise<Supports> = Exercise {
    check,
    wrong: &[
        bug("a question has a number, and is not in memory", |lines| {
            each(lines, |line, _| line - 1)
        }),
        wrong("indices in memory are counted from 0", |lines| {
            each(lines, |line, _| 1 + sentences(&lines[..line - 1]))
        }),
        wrong("only the questions before the fact stand between it and the first line", |lines| {
            each(lines, |line, at| (line - 1).saturating_sub(at - sentences(&lines[..at])))
        }),
    ],
};

fn sentences(lines: &[&str]) -> usize {
    lines.iter().filter(|line| !line.contains('\t')).count()
}

/// Supports with another index of a fact that is on line `line`, from 1; the question is line `at`, from 0.
fn each(lines: &[&str], index: impl Fn(usize, usize) -> usize) -> Vec<Vec<usize>> {
    let facts =
        lines.iter().enumerate().filter_map(|(i, line)| Some((i, line.split('\t').nth(2)?)));
    let indices = facts.map(|(at, facts)| {
        facts.split(' ').map(|fact| index(fact.parse().expect("a number"), at)).collect()
    });
    indices.collect()
}

fn check(supports: Supports) {
    let story = [
        "1 Anna took the apple.",
        "2 Paul went to the hall.",
        "3 Where is Paul?\thall\t2",
        "4 Anna went to the garden.",
        "5 Where is the apple?\tgarden\t1 4",
        "6 Who has the apple?\tanna\t1",
        "7 Nina went to the attic.",
        "8 Paul went to the cellar.",
        "9 Anna went to the attic.",
        "10 Who is with Nina?\tanna\t9 7",
        "11 Paul took the cup.",
        "12 Where is the cup?\tcellar\t11 8",
    ];
    for lines in [&story[..3], &story[..5], &story, &story[..2], &[]] {
        let (found, right) = (supports(lines), solutions::supports(lines));
        let shown: String = lines.iter().map(|line| format!("\n    {line:?}")).collect();
        assert!(
            found == right,
            "you say {found:?}, expected {right:?}\nhint: number the sentences alone, from 0{shown}"
        );
    }
}
