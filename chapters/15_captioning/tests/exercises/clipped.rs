//! 15.4: many true captions.

use super::solutions;
use tests::exercises::{Exercise, bug, wrong};

type Clipped = fn(&[&str], &[&[&str]]) -> usize;

pub const EXERCISE: Exercise<Clipped> = Exercise {
    check,
    wrong: &[
        bug("no caption has it as often as all of them together", |said, captions| {
            solutions::clipped(said, &[&captions.concat()])
        }),
        wrong("each word may have a caption of its own", |said, captions| {
            captions.iter().map(|caption| solutions::clipped(said, &[caption])).max().unwrap_or(0)
        }),
        wrong("all captions are true", |said, captions| {
            solutions::clipped(said, &captions[..captions.len().min(1)])
        }),
        wrong("a caption may have a word twice", |said, captions| {
            let said: std::collections::BTreeSet<&str> = said.iter().copied().collect();
            solutions::clipped(&said.into_iter().collect::<Vec<_>>(), captions)
        }),
    ],
};

const CAPTIONS: [&str; 8] = [
    "ring",
    "red cross above red square",
    "red ring left",
    "cross",
    "red ring",
    "red square",
    "a red ring left of a blue ring",
    "a blue ring right of a red ring",
];
const SAID: [&str; 6] = [
    "red red red red red ring left square",
    "red red ring square",
    "a a red ring ring ring left right",
    "blue blue",
    "",
    "a cross",
];

fn check(clipped: Clipped) {
    let captions = CAPTIONS.map(|caption| caption.split(' ').collect::<Vec<_>>());
    let captions: Vec<&[&str]> = captions.iter().map(Vec::as_slice).collect();
    for captions in [&captions[..4], &captions[4..6], &captions[6..], &captions, &[]] {
        for said in SAID {
            let words: Vec<&str> = said.split_whitespace().collect();
            let (found, right) = (clipped(&words, captions), solutions::clipped(&words, captions));
            assert!(
                found == right,
                "“{said}” counts {found}, it should be {right}, beside {captions:?}\n\
                 hint: take one word of it: how often does each caption have it?"
            );
        }
    }
}
