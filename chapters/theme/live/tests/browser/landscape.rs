//! Chapter 2's figure: a width on the landscape of the loss.

use super::{Browser, click, page_with, same, texts};

/// The page shows the loss and its slope at a width, and returns the width after one step.
#[track_caller]
fn shows(browser: &mut Browser, itself: f32, w: f32) -> f32 {
    let answer = live::descent(&[&[itself, w, 0.5][..], &live::points(&[])].concat());
    same([&texts(browser, ".live p").remove(1)], &[w, answer[0], answer[1]]);
    answer[2]
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_dot_descends() {
    let mut browser =
        page_with("02_parametric_attention/index.html", "figure-02_parametric_attention-landscape");
    let start = 0.36906734; // the textbook's
    let mut w = start;
    for _ in 0..3 {
        w = shows(&mut browser, 0.0, w);
        click(&mut browser, "One step of descent, η = ½");
    }
    click(&mut browser, "Reset");
    click(&mut browser, "itself, too");
    shows(&mut browser, 1.0, start);
    browser.drag(".live .area", [0.1, 0.5], [0.5, 0.5]);
    let before = texts(&mut browser, ".live p").remove(1);
    browser.press("ArrowRight", 39);
    assert_ne!(texts(&mut browser, ".live p").remove(1), before);
    browser.is_quiet();
}
