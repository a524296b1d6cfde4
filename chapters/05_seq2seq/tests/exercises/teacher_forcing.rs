//! 5.1: what the decoder is given, and what it should answer.

use crate::solutions;
use tests::exercises::{Exercise, Kind, Wrong};

pub type TeacherForcing = fn(&[usize], usize, usize) -> (Vec<usize>, Vec<usize>);

pub fn exercise() -> Exercise<TeacherForcing> {
    Exercise {
        number: 1,
        title: "teacher forcing",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "answers are not shifted",
                hint: "the decoder is first given the begin word",
                answer: |target, _, end| {
                    let closed = [target, &[end]].concat();
                    (closed.clone(), closed)
                },
            },
            Wrong {
                name: "answers begin with the begin word",
                hint: "how else would it learn to stop",
                answer: |target, begin, _| {
                    let opened = [&[begin], target].concat();
                    (opened.clone(), opened)
                },
            },
            Wrong {
                name: "no end word",
                hint: "words given, but",
                answer: |target, begin, _| ([&[begin], target].concat(), target.to_vec()),
            },
            Wrong {
                name: "the sentence backwards",
                hint: "the word that is given next",
                answer: |target, begin, end| {
                    let back: Vec<usize> = target.iter().rev().copied().collect();
                    ([&[begin], &back[..]].concat(), [&back[..], &[end]].concat())
                },
            },
            Wrong {
                name: "begin and end exchanged",
                hint: "first given the begin word 1",
                answer: |target, begin, end| solutions::teacher_forcing(target, end, begin),
            },
            Wrong {
                name: "begin and end are always 1 and 2",
                hint: "given to the function",
                answer: |target, _, _| solutions::teacher_forcing(target, 1, 2),
            },
        ],
    }
}

fn check(teacher_forcing: TeacherForcing) {
    for target in [&[7, 5, 9][..], &[4], &[]] {
        let (given, answers) = teacher_forcing(target, 1, 2);
        let right = ([&[1], target].concat(), [target, &[2]].concat());
        let why = if given.len() != answers.len() {
            format!("{} words given, but {} answers", given.len(), answers.len())
        } else if given.first() != Some(&1) {
            "the decoder is first given the begin word 1".to_owned()
        } else if answers.last() != Some(&2) {
            "the last answer is the end word 2: how else would it learn to stop?".to_owned()
        } else {
            "the answer at every step is the word that is given next".to_owned()
        };
        assert!(
            given == right.0 && answers == right.1,
            "teacher_forcing({target:?}, 1, 2) is ({given:?}, {answers:?}), not {right:?}\nhint: {why}"
        );
    }
    let found = teacher_forcing(&[7, 5], 8, 3);
    let right = (vec![8, 7, 5], vec![7, 5, 3]);
    assert!(
        found == right,
        "teacher_forcing([7, 5], 8, 3) is {found:?}, not {right:?}\nhint: the begin word, here 8, and the end word, \
         here 3, are given to the function"
    );
}
