//! 12.6: what a bag can tell. The check writes all texts down and looks for equal bags.

use crate::support::{check_answers, with};
use std::collections::HashMap;
use tests::exercises::{Exercise, Kind, Wrong};

type BagCan = fn() -> [bool; 6];

pub fn exercise() -> Exercise<BagCan> {
    Exercise {
        number: 6,
        title: "what a bag can tell",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the words of a bite tell who bites",
                hint: "the man",
                answer: || with(crate::solutions::bag_can(), 0, true),
            },
            Wrong {
                name: "no negation without order",
                hint: "two words",
                answer: || with(crate::solutions::bag_can(), 1, false),
            },
            Wrong {
                name: "equality is no sum of weights",
                hint: "any classifier",
                answer: || with(crate::solutions::bag_can(), 2, false),
            },
            Wrong {
                name: "red is named",
                hint: "both are named",
                answer: || with(crate::solutions::bag_can(), 3, true),
            },
            Wrong {
                name: "places are all that is lost, so nothing is told of rows",
                hint: "a count",
                answer: || with(crate::solutions::bag_can(), 4, false),
            },
            Wrong {
                name: "most rows begin with what is frequent",
                hint: "on all texts",
                answer: || with(crate::solutions::bag_can(), 5, true),
            },
        ],
    }
}

/// All texts of a task, with their answers.
type Texts = Vec<(String, bool)>;

fn pairs(
    words: &[&str],
    text: impl Fn(&str, &str) -> String,
    answer: impl Fn(&str, &str) -> Option<bool>,
) -> Texts {
    let all = words.iter().flat_map(|a| words.iter().map(move |b| (*a, *b)));
    all.filter_map(|(a, b)| Some((text(a, b), answer(a, b)?))).collect()
}

fn rows(answer: impl Fn(&[char]) -> bool) -> Texts {
    let letter = |bits: usize, i: usize| if bits >> i & 1 == 1 { 'x' } else { 'y' };
    let row = |bits: usize| [0, 1, 2].map(|i| letter(bits, i));
    let text = |row: [char; 3]| row.map(String::from).join(" ");
    (0..8).map(|bits| (text(row(bits)), answer(&row(bits)))).collect()
}

fn tasks() -> [Texts; 6] {
    let praise = [("good", true), ("bad", false), ("not good", false), ("not bad", true)];
    [
        pairs(
            &["dog", "cat", "man"],
            |a, b| format!("{a} bites {b}"),
            |a, b| (a != b).then_some(a == "dog"),
        ),
        praise.map(|(text, answer)| (text.to_owned(), answer)).to_vec(),
        pairs(&["cup", "book"], |a, b| format!("{a} and {b}"), |a, b| Some(a == b)),
        pairs(
            &["red", "blue"],
            |a, b| format!("{a} , not {b}"),
            |a, b| (a != b).then_some(a == "red"),
        ),
        rows(|row| row.contains(&'x')),
        rows(|row| row[0] == 'x'),
    ]
}

/// Whether equal bags have equal answers.
fn can(texts: &Texts) -> bool {
    let mut bags: HashMap<Vec<&str>, bool> = HashMap::new();
    texts.iter().all(|(text, answer)| {
        let mut bag: Vec<&str> = text.split(' ').collect();
        bag.sort_unstable();
        *bags.entry(bag).or_insert(*answer) == *answer
    })
}

fn check(bag_can: BagCan) {
    check_answers(
        bag_can(),
        tasks().each_ref().map(can),
        [
            "“dog bites man” has the words of “man bites dog”, where the man does",
            "the four texts have four different bags of one or two words: any table of them is right",
            "“cup twice” is another bag than “one of each”; no sum of weights tells it, but any classifier may",
            "both are named, in either order",
            "a count of x above 0 is all that is asked",
            "“x y y” and “y x y” have the same words; it has to be right on all texts",
        ],
    );
}
