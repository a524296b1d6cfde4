//! Chapter 16's figure: two blocks learn to copy in the page.

use super::{Browser, click_in, page_with, shades, texts};
use live::Induction;

const PAGE: &str = "16_language_model/index.html";
const FIGURE: &str = "figure-16_language_model-copying";
const BOX: &str = "#figure-16_language_model-copying";
const SAYS: &str =
    "document.querySelector('#figure-16_language_model-copying .readout').textContent";

/// The loss and the weights of the heads that are drawn; a browser sums in another order.
#[track_caller]
fn shows(browser: &mut Browser, step: usize, loss: f32, model: &Induction) {
    let said = browser.evaluate(SAYS);
    let said = said.as_str().unwrap();
    let nats = said.strip_prefix(&format!("Seed 0, step {step}: ")).expect(said);
    let nats: f32 = nats.split_once(' ').unwrap().0.parse().unwrap();
    assert!((nats - loss).abs() < 0.002, "{said} for {loss}");
    let (text, _, weights) = model.look();
    let n = text.len();
    let seen = |(place, weight): (usize, f32)| (place % n <= place / n % n).then_some(weight);
    let lower: Vec<f32> = weights.into_iter().enumerate().filter_map(seen).collect();
    let cells = format!("{BOX} g:not([visibility=hidden]) > .weight");
    shades(browser, &cells, &lower, 0.002);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_page_trains_as_the_function_does_and_learns_to_copy() {
    let mut browser = page_with(PAGE, FIGURE);
    for (name, model) in [("two blocks", 0), ("one block", 1)] {
        click_in(&mut browser, BOX, name);
        let mut induction = Induction::new(model, 0);
        for step in [10, 20] {
            click_in(&mut browser, BOX, "10 steps");
            let losses: Vec<_> = (0..10).map(|_| induction.train()).collect();
            shows(&mut browser, step, losses[9], &induction);
        }
    }
    click_in(&mut browser, BOX, "Reset");
    assert_eq!(browser.evaluate(&format!("{SAYS}.startsWith('Seed 0, step 0.')")), true);
    click_in(&mut browser, BOX, "Train");
    browser.until(&format!("Number({SAYS}.match(/([\\d.]+) % are right/)[1]) > 90"));
    click_in(&mut browser, BOX, "Pause");
    let paused = browser.evaluate(SAYS);
    browser.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    assert_eq!(browser.evaluate(SAYS), paused, "it rests");
    assert!(texts(&mut browser, &format!("{BOX} .shaded span")).len() == 24);
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}
