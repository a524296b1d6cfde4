//! Chapter 6's figure: two small models, one with attention, translate what is typed.

use super::{Browser, click_in, close, page_with, same, texts};
use crate::parameters::Pair;

const PAGE: &str = "06_bahdanau/index.html";
const FIGURE: &str = "figure-06_bahdanau-side_by_side";
const BOX: &str = "#figure-06_bahdanau-side_by_side";
const FIRST: &str = "did the queen show him the beautiful garden?";

fn of(part: &str) -> String {
    format!("{BOX} {part}")
}

/// The page shows both translations, the lines of the second, and the largest weights of one of its words.
#[track_caller]
fn shows(browser: &mut Browser, pair: &Pair, english: &str, word: usize) {
    let both = pair.translate(&corpora::tokenize(english));
    assert_eq!(texts(browser, &of(".one")), both.one);
    assert_eq!(texts(browser, &of(".look")), both.look);
    let drawn = browser.attributes(&of(".line"), "stroke-opacity");
    let mut weights = both.weights[word].clone();
    let lines: Vec<f32> = weights.iter().copied().filter(|weight| *weight > 0.01).collect();
    close(&drawn, &lines, 0.000_6);
    let says = texts(browser, &of(".readout")).remove(0);
    weights.sort_by(|a, b| b.total_cmp(a));
    let percent: Vec<f32> = weights[..3].iter().map(|weight| 100.0 * weight).collect();
    let (_, looks) = says.split_once(" looks at ").expect(&says);
    let now: String = looks
        .split(" (before")
        .map(|part| part.split_once(')').map_or(part, |(_, rest)| rest))
        .collect();
    same([&now], &percent);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn pointer_finger_and_keys_choose_a_word_and_what_is_typed_is_translated_twice() {
    let mut browser = page_with(PAGE, FIGURE);
    let pair = Pair::new();
    shows(&mut browser, &pair, FIRST, 7);
    let column = of(".area"); // the first one: French with attention
    let count = pair.translate(&corpora::tokenize(FIRST)).look.len() as f64;
    browser.drag(&column, [0.5, 0.5 / count], [0.5, 3.5 / count]);
    shows(&mut browser, &pair, FIRST, 3);
    browser.press("ArrowDown", 40);
    shows(&mut browser, &pair, FIRST, 4);
    browser.types(&of("input"), "The girl took the red apple and ate it");
    let apple = "the girl took the red apple and ate it.";
    shows(&mut browser, &pair, apple, 4);
    browser.resize(390, 844);
    let count = pair.translate(&corpora::tokenize(apple)).look.len() as f64;
    browser.swipe(&column, [0.5, 0.5 / count], [0.5, 6.5 / count]);
    shows(&mut browser, &pair, apple, 6);
    browser.fits();
    browser.types(&of("input"), "the kat sees");
    let alert = texts(&mut browser, &of("[role=alert]")).remove(0);
    assert!(alert.starts_with("They know 537 words, and “kat” is none of them."), "{alert}");
    shows(&mut browser, &pair, apple, 6);
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_word_is_exchanged_and_a_long_sentence_written_word_by_word() {
    let mut browser = page_with(PAGE, FIGURE);
    let pair = Pair::new();
    let instead = texts(&mut browser, &of(".instead button"));
    assert_eq!(instead, pair.nearest("queen")[..8]);
    click_in(&mut browser, BOX, &instead[0]);
    let exchanged = FIRST.replace("queen", &instead[0]);
    shows(&mut browser, &pair, &exchanged, 7);
    let before = pair.translate(&corpora::tokenize(FIRST)).look;
    let new: Vec<String> = pair.translate(&corpora::tokenize(&exchanged)).look;
    let new: Vec<String> = new.into_iter().filter(|word| !before.contains(word)).collect();
    assert_eq!(texts(&mut browser, &of(".look[font-weight=bold]")), new);
    click_in(&mut browser, BOX, "long");
    let long =
        "the famous queen is not going to meet my uncle but she is going to wake up next week.";
    shows(&mut browser, &pair, long, 7);
    let count = texts(&mut browser, &of(".look")).len();
    click_in(&mut browser, BOX, "Write them word by word");
    assert!(texts(&mut browser, &of(".look")).len() < 3);
    let look = of(".look");
    browser.until(&format!("document.querySelectorAll('{look}').length === {count}"));
    click_in(&mut browser, BOX, "Reset");
    shows(&mut browser, &pair, FIRST, 7);
    browser.is_quiet();
}
