//! 5.1: what the decoder is given, and what it should answer.

use super::solutions;
use tests::exercises::{Exercise, wrong};

pub type TeacherForcing = fn(&[usize], usize, usize) -> (Vec<usize>, Vec<usize>);

const BEGINS: &str = "the decoder is first given the begin word";
const ENDS: &str = "the last answer is the end word: how else would it learn to stop?";

pub const EXERCISE: Exercise<TeacherForcing> = Exercise {
    check,
    wrong: &[
        wrong(BEGINS, |target, _, end| {
            let closed = [target, &[end]].concat();
            (closed.clone(), closed)
        }),
        wrong(ENDS, |target, begin, _| {
            let opened = [&[begin], target].concat();
            (opened.clone(), opened)
        }),
        wrong(ENDS, |target, begin, _| ([&[begin], target].concat(), target.to_vec())),
        wrong("each answer is what is given next", |target, begin, end| {
            let back: Vec<usize> = target.iter().rev().copied().collect();
            solutions::teacher_forcing(&back, begin, end)
        }),
        wrong(BEGINS, |target, begin, end| solutions::teacher_forcing(target, end, begin)),
        wrong("the begin and the end word are given to the function", |target, _, _| {
            solutions::teacher_forcing(target, 1, 2)
        }),
    ],
};

fn check(teacher_forcing: TeacherForcing) {
    for (target, begin, end) in [(&[7, 5, 9][..], 1, 2), (&[4], 1, 2), (&[], 1, 2), (&[7, 5], 8, 3)]
    {
        let found = teacher_forcing(target, begin, end);
        let right = solutions::teacher_forcing(target, begin, end);
        assert!(
            found == right,
            "teacher_forcing({target:?}, {begin}, {end}) is {found:?}, not {right:?}"
        );
    }
}
