//! Chapter 12's figure: a reader's ten labels teach a new layer.

use super::{Browser, click, close, page_with, same, texts};
use crate::parameters::{FEW, Tuner};

const PAGE: &str = "12_fine_tuning/index.html";
const FIGURE: &str = "figure-12_fine_tuning-tune";

/// The page shows the bars of both encoders.
#[track_caller]
fn shows(browser: &mut Browser, tuner: &Tuner) {
    let [trained, random] = tuner.answer();
    let first = [0].into_iter().chain(1 + FEW..1 + FEW + 5);
    let bars: Vec<f32> = first.flat_map(|i| [100.0 * trained[i], 100.0 * random[i]]).collect();
    let shown = texts(browser, &format!("#{FIGURE} .share")).into_iter();
    let shown: Vec<f32> = shown.map(|text| text.trim_end_matches(" %").parse().unwrap()).collect();
    close(&shown, &bars, 0.2); // a browser sums in another order, and every step adds to the difference
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn ten_taps_teach_the_new_layers_as_the_function_does() {
    let mut browser = page_with(PAGE, FIGURE);
    let tuner = Tuner::new();
    shows(&mut browser, &tuner);
    let button = |row: usize, class: f32| {
        let [row, class] = [row + 1, class as usize + 1];
        format!("#{FIGURE} .labelled li:nth-child({row}) button:nth-child({class})")
    };
    browser.resize(390, 844);
    browser.drag(&button(0, tuner.labels[0]), [0.5, 0.5], [0.5, 0.5]);
    for (row, label) in tuner.labels[..FEW].iter().enumerate().skip(1) {
        browser.tap(&button(row, *label));
    }
    browser.fits();
    click(&mut browser, "10 steps");
    let losses = tuner.train(10, &tuner.labels[..FEW]);
    shows(&mut browser, &tuner);
    let says = texts(&mut browser, &format!("#{FIGURE} .readout")).remove(0);
    let [_, said] = says.split("The losses are ").collect::<Vec<_>>()[..] else { panic!("{says}") };
    same(&[said.to_owned()], &losses);

    // Another label, by the keyboard: what was learnt is forgotten.
    let mut labels = tuner.labels[..FEW].to_vec();
    labels[3] = 1.0 - labels[3];
    browser.evaluate(&format!("document.querySelector('{}').focus()", button(3, labels[3])));
    browser.press(" ", 32);
    live::tune_start(&[0.0]);
    shows(&mut browser, &tuner);
    click(&mut browser, "Train");
    tuner.train(100, &labels);
    let trained = "Array.from(document.querySelectorAll('.live button'), (one) => one.textContent).includes('Trained')";
    browser.until(trained);
    shows(&mut browser, &tuner);
    click(&mut browser, "Reset");
    live::tune_start(&[0.0]);
    shows(&mut browser, &tuner);
    browser.is_quiet();
}
