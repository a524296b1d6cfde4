//! Chapter 8's figure: looks, one after the other, and a baseline.

use super::{Browser, click, page_with, same, texts};

/// The page shows the Rust function's variance, mean and gradient.
#[track_caller]
fn shows(browser: &mut Browser, [seed, count, b]: [f32; 3]) {
    let answer = live::looks(&[seed, count, b]);
    let mut expected = vec![b, answer[3], count];
    if count > 0.0 {
        expected.extend(&answer[answer.len() - 3..]);
    }
    expected.extend(&answer[..3]);
    same(&texts(browser, ".live p")[1..2], &expected);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn looks_are_taken() {
    let mut browser = page_with("08_hard_attention/index.html", "figure-08_hard_attention-arrows");
    shows(&mut browser, [0.0, 0.0, 0.0]);
    click(&mut browser, "Look");
    shows(&mut browser, [0.0, 1.0, 0.0]);
    click(&mut browser, "100 looks");
    shows(&mut browser, [0.0, 101.0, 0.0]);
    let best = live::looks(&[0.0, 0.0, 0.0])[5];
    click(&mut browser, "the best b");
    shows(&mut browser, [0.0, 101.0, best]);
    click(&mut browser, "Other looks");
    shows(&mut browser, [1.0, 101.0, best]);
    click(&mut browser, "Reset");
    shows(&mut browser, [0.0, 0.0, 0.0]);
    browser.evaluate("document.querySelector('.live input').focus()");
    browser.press("ArrowRight", 39);
    shows(&mut browser, [0.0, 0.0, 0.03]);
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}
