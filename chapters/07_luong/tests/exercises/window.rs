//! 7.1: a window and its borders.

use super::solutions;
use shared::Float;
use std::ops::Range;
use tests::exercises::{Exercise, wrong};

type Window = fn(Float, usize, usize) -> Range<usize>;

pub const EXERCISE: Exercise<Window> = Exercise {
    check,
    wrong: &[
        wrong("a range ends before its end", |center, width, words| {
            let right = solutions::window(center, width, words);
            right.start..right.end - 1
        }),
        wrong("the sentence has no such words", |center, width, _| {
            solutions::window(center, width, 100)
        }),
        wrong("cut at 0 before the cast", |center, width, words| {
            let first = (center - width as Float).ceil() as isize as usize;
            first..solutions::window(center, width, words).end
        }),
        wrong("the distance is from the center itself", |center, width, words| {
            solutions::window(center.round(), width, words)
        }),
        wrong("none is near: an empty window", |center, width, words| {
            let right = solutions::window(center, width, words);
            let start = right.start.min(words - 1);
            start..right.end.max(start + 1)
        }),
        wrong("width 0 is the center alone", |center, width, words| {
            solutions::window(center, width.max(1), words)
        }),
        wrong("words before a center after the last one are near, too", |center, width, words| {
            let right = solutions::window(center, width, words);
            if center < words as Float { right } else { words..words }
        }),
    ],
};

fn check(window: Window) {
    for (center, width, words, expected) in [
        (3.0, 2, 9, 1..6),
        (2.4, 1, 9, 2..4),
        (2.6, 1, 9, 2..4),
        (0.0, 2, 9, 0..3),
        (2.005, 1, 9, 2..4),
        (8.7, 2, 9, 7..9),
        (9.0, 2, 9, 7..9),
        (4.0, 3, 5, 1..5),
        (0.5, 9, 4, 0..4),
        (2.0, 0, 5, 2..3),
        (5.0, 0, 5, 5..5),
        (2.5, 0, 5, 3..3),
    ] {
        let found = window(center, width, words);
        assert!(
            found == expected || found.is_empty() && expected.is_empty(),
            "window({center}, {width}, {words}) is {found:?}, not {expected:?}"
        );
    }
}
