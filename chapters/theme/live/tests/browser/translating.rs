//! Chapter 10's figure: the trained model translates what is typed.

use super::{Browser, click_in, page_with, same, shades, texts};
use crate::parameters::Translator;

const PAGE: &str = "10_transformer/index.html";
const FIGURE: &str = "figure-10_transformer-translate";
const BOX: &str = "#figure-10_transformer-translate";
const INPUT: &str = "#figure-10_transformer-translate input";
const FRENCH: &str = "#figure-10_transformer-translate .french";
const FIRST: &str = "the black cat does not see the old man's white horse.";

/// The page shows the translation, the heads' weights and the largest mean ones of a French word.
#[track_caller]
fn shows(browser: &mut Browser, english: &str, width: f32, word: usize) {
    let sentence = corpora::tokenize(english);
    let found = Translator::new().translate(width, &sentence);
    assert_eq!(texts(browser, FRENCH), found.words);
    let expected: Vec<f32> = found.heads.iter().flat_map(|head| head[word].clone()).collect();
    shades(browser, &format!("{BOX} .weight"), &expected, 0.000_6);
    let says = texts(browser, &format!("#{FIGURE} .readout")).remove(0);
    let mut mean = found.mean[word].clone();
    mean.sort_by(|a, b| b.total_cmp(a));
    let percent: Vec<f32> = mean[..3].iter().map(|weight| 100.0 * weight).collect();
    let (_, looks) = says.split_once(" looks at ").expect(&says);
    same([&looks.to_owned()], &percent);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn pointer_finger_and_keys_choose_a_word_and_what_is_typed_is_translated() {
    let mut browser = page_with(PAGE, FIGURE);
    shows(&mut browser, FIRST, 1.0, 2);
    let column = format!("#{FIGURE} .area");
    browser.drag(&column, [0.5, 0.5 / 13.0], [0.5, 3.5 / 13.0]);
    shows(&mut browser, FIRST, 1.0, 3);
    browser.press("ArrowDown", 40);
    shows(&mut browser, FIRST, 1.0, 4);
    click_in(&mut browser, BOX, "beam of 4");
    shows(&mut browser, FIRST, 4.0, 4);
    browser.types(INPUT, "The girl took the red apple and ate it");
    let apple = "the girl took the red apple and ate it.";
    shows(&mut browser, apple, 4.0, 4);
    browser.resize(390, 844);
    browser.swipe(&column, [0.5, 0.5 / 12.0], [0.5, 6.5 / 12.0]);
    shows(&mut browser, apple, 4.0, 6);
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_word_is_exchanged_for_one_like_it_and_an_unknown_one_refused() {
    let mut browser = page_with(PAGE, FIGURE);
    let instead = texts(&mut browser, &format!("#{FIGURE} .instead button"));
    assert_eq!(instead, Translator::new().alike("old")[..8]);
    click_in(&mut browser, BOX, &instead[0]);
    shows(&mut browser, &FIRST.replace("old", &instead[0]), 1.0, 2);
    browser.types(INPUT, "the kat sees");
    let alert = texts(&mut browser, &format!("#{FIGURE} [role=alert]")).remove(0);
    assert!(alert.starts_with("It knows 537 words, and “kat” is none of them."), "{alert}");
    shows(&mut browser, &FIRST.replace("old", &instead[0]), 1.0, 2);
    click_in(&mut browser, BOX, "Reset");
    shows(&mut browser, FIRST, 1.0, 2);
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn it_is_written_word_by_word_unless_no_motion_is_wanted() {
    let mut browser = page_with(PAGE, FIGURE);
    click_in(&mut browser, BOX, "Write it word by word");
    let count = |browser: &mut Browser| texts(browser, FRENCH).len();
    assert!(count(&mut browser) < 3);
    browser.until(&format!("document.querySelectorAll('{FRENCH}').length === 13"));
    browser.wants_no_motion();
    click_in(&mut browser, BOX, "Write it word by word");
    assert_eq!(count(&mut browser), 13);
    browser.is_quiet();
}
