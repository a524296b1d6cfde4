//! Chapter 15's figure: a scene is built, captioned, and every word shows where the model looked.

use super::{Browser, click_in, page_with, same, shades, texts};
use crate::parameters::{Captioner, Seen};

const PAGE: &str = "15_captioning/index.html";
const FIGURE: &str = "figure-15_captioning-looks";
const BOX: &str = "#figure-15_captioning-looks";

/// The page shows what the model says of these things, and the weights of this word.
#[track_caller]
fn shows(browser: &mut Browser, things: &[[u8; 5]], word: usize) -> Seen {
    let seen = Captioner::new().see(things);
    assert_eq!(texts(browser, &format!("{BOX} .pieces button")), seen.said);
    let pressed = texts(browser, &format!("{BOX} .pieces [aria-pressed=true]"));
    assert_eq!(pressed, [seen.said[word].clone()]);
    let (weights, shares) = &seen.looks[word];
    let largest = weights.iter().copied().fold(0.0, f32::max);
    let dark: Vec<f32> = weights.iter().map(|weight| 0.8 * (1.0 - weight / largest)).collect();
    shades(browser, &format!("{BOX} .shade"), &dark, 0.001);
    let says = texts(browser, &format!("{BOX} .readout")).remove(0);
    let (judged, shared) = says.split_once(" “").expect(&says);
    same([&shared.to_owned()], &shares.iter().map(|share| 100.0 * share).collect::<Vec<_>>());
    assert_eq!(judged == "Its caption is right.", seen.clear && seen.said == seen.right, "{says}");
    assert_eq!(judged.starts_with("Here the grammar has no clear caption"), !seen.clear, "{says}");
    seen
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_scene_is_built_by_pointer_finger_and_keys() {
    let mut browser = page_with(PAGE, FIGURE);
    let mut things = vec![[0, 5, 4, 16, 10], [4, 0, 17, 11, 6]];
    shows(&mut browser, &things, 3);
    let area = format!("{BOX} .area");
    let at = |x: f64, y: f64| [x / 32.0, y / 32.0];
    browser.drag(&area, at(20.5, 14.5), at(24.5, 2.5)); // the cross, up and to the right
    things[1] = [4, 0, 21, 0, 6];
    let seen = shows(&mut browser, &things, 3);
    assert_eq!(seen.right.join(" "), "a large black square below a small red cross");
    browser.press("ArrowDown", 40);
    browser.press("ArrowLeft", 37);
    things[1] = [4, 0, 20, 1, 6];
    shows(&mut browser, &things, 3);
    for (group, number) in [("Size", 1), ("Colour", 2), ("Shape", 2)] {
        browser.evaluate(&format!(
            "document.querySelectorAll('{BOX} [aria-label^={group}] button')[{number}].click()"
        ));
    }
    things[1] = [2, 2, 20, 1, 10];
    browser.resize(390, 844);
    browser.tap(&format!("{BOX} .pieces button:nth-child(1)"));
    let seen = shows(&mut browser, &things, 0);
    assert!(seen.said.contains(&"blue".to_owned()), "{:?}", seen.said);
    click_in(&mut browser, BOX, "Next word");
    shows(&mut browser, &things, 1);
    browser.swipe(&area, at(25.0, 6.0), at(9.0, 21.0)); // on the square
    things[1] = [2, 2, 4, 16, 10];
    assert!(!shows(&mut browser, &things, 1).clear);
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn things_come_and_go_and_another_scene_is_captioned() {
    let mut browser = page_with(PAGE, FIGURE);
    let first = [[0, 5, 4, 16, 10], [4, 0, 17, 11, 6]];
    click_in(&mut browser, BOX, "Add a thing");
    shows(&mut browser, &[first[0], first[1], [1, 2, 1, 1, 6]], 3);
    click_in(&mut browser, BOX, "Take it away");
    shows(&mut browser, &first, 3);
    let disabled = format!("document.querySelectorAll('{BOX} button:disabled').length");
    assert_eq!(browser.evaluate(&disabled), 1, "two things stay");
    for seed in [1, 2] {
        click_in(&mut browser, BOX, "Another scene");
        let things: Vec<u8> = live::scene(&[seed as f32]).iter().map(|x| *x as u8).collect();
        shows(&mut browser, things.as_chunks().0, 3);
    }
    click_in(&mut browser, BOX, "Reset");
    shows(&mut browser, &first, 3);
    browser.is_quiet();
}
