//! 12.6: what a bag of words can tell. The check writes all texts down and looks for equal bags.

use super::solutions;
use tests::exercises::{Exercise, check_answers, unhinted, with};

type BagCan = fn() -> [bool; 6];

pub const EXERCISE: Exercise<BagCan> = Exercise {
    check,
    wrong: &[
        unhinted("the words of a bite say who bites", || with(solutions::bag_can(), 0, true)),
        unhinted("no negation without order", || with(solutions::bag_can(), 1, false)),
        unhinted("equality is no sum of weights", || with(solutions::bag_can(), 2, false)),
        unhinted("red is named", || with(solutions::bag_can(), 3, true)),
        unhinted("the order is all that is lost, so nothing is known of rows", || {
            with(solutions::bag_can(), 4, false)
        }),
        unhinted("most rows begin with what is frequent", || with(solutions::bag_can(), 5, true)),
    ],
};

/// All texts of each task whose answer is yes, and all whose answer is no.
const TASKS: [[&str; 2]; 6] = [
    [
        "dog bites cat / dog bites man",
        "cat bites dog / cat bites man / man bites dog / man bites cat",
    ],
    ["good / not bad", "bad / not good"],
    ["cup and cup / book and book", "cup and book / book and cup"],
    ["red , not blue", "blue , not red"],
    ["x x x / x x y / x y x / x y y / y x x / y x y / y y x", "y y y"],
    ["x x x / x x y / x y x / x y y", "y x x / y x y / y y x / y y y"],
];

const WHY: [&str; 6] = [
    "“dog bites man” has the words of “man bites dog”, where the man does",
    "the four texts have four different bags of one or two words: any table of them is right",
    "“cup twice” is another bag than “one of each”; no sum of weights distinguishes them, but any classifier may",
    "both are named, in either order",
    "a count of x above 0 is all that is asked",
    "“x y y” and “y x y” have the same words; it has to be right on all texts",
];

fn check(bag_can: BagCan) {
    let bag = |text: &'static str| {
        let mut words: Vec<&str> = text.split(' ').collect();
        words.sort_unstable();
        words
    };
    let expected = TASKS.map(|texts| {
        let [yes, no] = texts.map(|texts| texts.split(" / ").map(bag).collect::<Vec<_>>());
        yes.iter().all(|bag| !no.contains(bag))
    });
    check_answers(bag_can(), expected, WHY);
}
