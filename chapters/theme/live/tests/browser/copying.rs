//! Chapter 10's figure: a model is trained in the page, and writes.

use super::{Browser, click_in, page_with, shades, texts};
use live::Copying;

const PAGE: &str = "10_transformer/index.html";
const FIGURE: &str = "figure-10_transformer-backwards";
const BOX: &str = "#figure-10_transformer-backwards";
const SAYS: &str =
    "document.querySelector('#figure-10_transformer-backwards .readout').textContent";

/// The weights that the drawing shows are these, and so is the loss. The browser sums in another order than
/// this processor, and every step of the training multiplies the difference; ten steps change the loss by 0.1.
#[track_caller]
fn shows(browser: &mut Browser, step: usize, loss: f32, weights: &[f32]) {
    let said = browser.evaluate(SAYS);
    let said = said.as_str().unwrap();
    let nats = said.strip_prefix(&format!("Seed 0, step {step}: ")).expect(said);
    let nats: f32 = nats.split_once(' ').unwrap().0.parse().unwrap();
    assert!((nats - loss).abs() < 0.002, "{said} for {loss}");
    shades(browser, &format!("{BOX} .weight"), weights, 0.002);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_page_trains_as_the_function_does_and_writes_what_it_learnt() {
    let mut browser = page_with(PAGE, FIGURE);
    let mut copying = Copying::new(0);
    let letters: Vec<usize> = (0..8).collect();
    for step in [10, 20] {
        click_in(&mut browser, BOX, "10 steps");
        let losses: Vec<_> = (0..10).map(|_| copying.train()).collect();
        shows(&mut browser, step, losses[9], &copying.look(&letters)[..72]);
    }
    browser.types(&format!("{BOX} input"), "BADGE");
    assert_eq!(texts(&mut browser, &format!("{BOX} .weight")).len(), 5 * (5 + 1));
    click_in(&mut browser, BOX, "Reset");
    assert_eq!(browser.evaluate(&format!("{SAYS}.startsWith('Seed 0, step 0.')")), true);

    click_in(&mut browser, BOX, "Train");
    browser.until(&format!("{SAYS}.includes('hgfedcba, which is right')"));
    click_in(&mut browser, BOX, "Pause");
    let paused = browser.evaluate(SAYS);
    browser.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    assert_eq!(browser.evaluate(SAYS), paused, "it rests");
    browser.wants_no_motion();
    click_in(&mut browser, BOX, "Write it backwards");
    assert_eq!(browser.evaluate(SAYS), paused, "all at once for those who want no motion");
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn it_trains_while_it_is_seen_and_not_longer() {
    let mut browser = page_with(PAGE, FIGURE);
    click_in(&mut browser, BOX, "Train");
    browser.until(&format!("!{SAYS}.includes('step 0')"));
    browser.evaluate("scrollTo(0, document.body.scrollHeight)");
    // The observer answers after a frame.
    let rests = "new Promise((resolve) => setTimeout(resolve, 300))";
    browser.evaluate(rests);
    let left = browser.evaluate(SAYS);
    browser.evaluate(rests);
    assert_eq!(browser.evaluate(SAYS), left, "out of sight it waits");
    browser.show(&format!("#{FIGURE}"));
    browser.until(&format!("{SAYS} !== {left}"));
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn what_is_no_list_of_letters_is_refused() {
    let mut browser = page_with(PAGE, FIGURE);
    for bad in ["ab", "abk", "a b", ""] {
        browser.types(&format!("{BOX} input"), bad);
        let alert = texts(&mut browser, &format!("{BOX} [role=alert]"));
        assert_eq!(alert, ["Three to eight letters from a to j."], "{bad}");
    }
    browser.is_quiet();
}
