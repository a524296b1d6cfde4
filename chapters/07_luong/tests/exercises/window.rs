//! 7.1: a window and its borders.

use crate::solutions;
use shared::Float;
use std::ops::Range;
use tests::exercises::{Exercise, Kind, Wrong};

type Window = fn(Float, usize, usize) -> Range<usize>;

pub fn exercise() -> Exercise<Window> {
    Exercise {
        number: 1,
        title: "a window and its borders",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the last word is missing",
                hint: "a range ends before its end",
                answer: |center, width, words| {
                    let right = solutions::window(center, width, words);
                    right.start..right.end - 1
                },
            },
            Wrong {
                name: "beyond the end",
                hint: "the sentence has no word",
                answer: |center, width, _| {
                    let width = width as Float;
                    (center - width).ceil().max(0.0) as usize..(center + width).floor() as usize + 1
                },
            },
            Wrong {
                name: "negative positions wrap",
                hint: "before the first word",
                answer: |center, width, words| {
                    let first = (center - width as Float).ceil() as isize as usize;
                    first..solutions::window(center, width, words).end
                },
            },
            Wrong {
                name: "the center is rounded first",
                hint: "is farther than",
                answer: |center, width, words| {
                    let center = center.round() as usize;
                    center.saturating_sub(width)..(center + width + 1).min(words)
                },
            },
            Wrong {
                name: "a fraction below a hundredth is not seen",
                hint: "is farther than",
                answer: |center, width, words| {
                    let width = width as Float;
                    let first = (center - width + 0.99).max(0.0) as usize;
                    first..((center + width) as usize + 1).min(words)
                },
            },
            Wrong {
                name: "at least one word",
                hint: "no position is near enough",
                answer: |center, width, words| {
                    let right = solutions::window(center, width, words);
                    let start = right.start.min(words - 1);
                    start..right.end.max(start + 1)
                },
            },
            Wrong {
                name: "a width of at least one",
                hint: "is farther than",
                answer: |center, width, words| solutions::window(center, width.max(1), words),
            },
            Wrong {
                name: "nothing when the center is the sentence's end",
                hint: "",
                answer: |center, width, words| {
                    if center < words as Float {
                        solutions::window(center, width, words)
                    } else {
                        words..words
                    }
                },
            },
        ],
    }
}

fn check(window: Window) {
    let cases = [
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
    ];
    for (center, width, words, expected) in cases {
        let found = window(center, width, words);
        let call = format!("window({center}, {width}, {words}) is {found:?}");
        assert!(found.start <= words, "{call}: positions before the first word wrap around");
        assert!(found.end <= words, "{call}: the sentence has no word {}", found.end - 1);
        assert!(
            expected.is_empty() || found.end + 1 != expected.end || found.start != expected.start,
            "{call}, without position {}: a range ends before its end",
            found.end
        );
        let far = found.clone().find(|s| (*s as Float - center).abs() > width as Float);
        if let Some(s) = far {
            let none = if expected.is_empty() { "; no position is near enough" } else { "" };
            panic!("{call}: position {s} is farther than {width} from {center}{none}");
        }
        let empty = if expected.is_empty() { ": no position is so near" } else { "" };
        assert!(
            found == expected || (found.is_empty() && expected.is_empty()),
            "{call}, not {expected:?}{empty}"
        );
    }
}
