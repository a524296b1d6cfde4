//! Chapter 3's figure: scores in the plane, and a factor on them.

use super::{Browser, click, page_with, same, texts};

const VECTORS: [f32; 8] = [0.8, 0.4, 0.5, 2.0, 2.6, 0.1, 1.6, 0.8];

/// The page shows the Rust function's scores, weights, entropy and Jacobian.
#[track_caller]
fn shows(browser: &mut Browser, [kind, turn, d]: [f32; 3], vectors: &[f32]) {
    let answer = live::geometry(&[&[kind, turn, d.sqrt()][..], vectors].concat());
    let shown = texts(browser, ".live text");
    same(shown.iter().filter(|text| text.starts_with("score ")), &answer[..3]);
    same(&texts(browser, ".live svg rect + text"), &answer[3..6]);
    same(&texts(browser, ".live p")[1..2], &answer[18..]);
}

/// Sets one of the figure's sliders, as a hand does.
fn slide(browser: &mut Browser, slider: usize, to: &str) {
    browser.evaluate(&format!(
        "{{ const input = document.querySelectorAll('.live input')[{slider}]; input.value = {to}; input.dispatchEvent(new Event('input')); }}"
    ));
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn query_score_and_factor_are_chosen() {
    let mut browser =
        page_with("03_scoring_functions/index.html", "figure-03_scoring_functions-geometry");
    shows(&mut browser, [0.0, 25.0, 1.0], &VECTORS);
    click(&mut browser, "scaled dot");
    shows(&mut browser, [1.0, 25.0, 1.0], &VECTORS);
    click(&mut browser, "cosine");
    shows(&mut browser, [2.0, 25.0, 1.0], &VECTORS);
    slide(&mut browser, 1, "Math.log(16)");
    let steps = (f64::ln(16.0) / (f64::ln(4096.0) / 200.0)).round();
    let d = (steps * f64::ln(4096.0) / 200.0).exp() as f32;
    shows(&mut browser, [2.0, 25.0, d], &VECTORS);
    click(&mut browser, "general");
    slide(&mut browser, 0, "-90");
    shows(&mut browser, [3.0, -90.0, d], &VECTORS);
    click(&mut browser, "dot");
    slide(&mut browser, 1, "Math.log(4096)");
    let told = texts(&mut browser, ".live p").remove(1);
    assert_eq!(told, "Entropy 0.000 nats; norm of the Jacobian below 0.001.");
    click(&mut browser, "Reset");
    // The query's area is 48 wide and a unit 57: a drag by (−1, 1).
    let unit = 57.0 / 48.0;
    browser.drag(".live g:nth-of-type(5) .area", [0.5, 0.5], [0.5 - unit, 0.5 - unit]);
    let mut vectors = VECTORS;
    vectors[..2].copy_from_slice(&[-0.2, 1.4]);
    shows(&mut browser, [0.0, 25.0, 1.0], &vectors);
    browser.press("ArrowDown", 40);
    vectors[1] = 1.3;
    shows(&mut browser, [0.0, 25.0, 1.0], &vectors);
    browser.resize(390, 844);
    let at = |x: f64, y: f64| [0.5 + 57.0 * x / 356.0, 0.5 - 57.0 * y / 356.0]; // of the drawing
    browser.swipe(".live svg", at(-0.2, 1.3), at(0.8, 0.3));
    vectors[..2].copy_from_slice(&[0.8, 0.3]);
    shows(&mut browser, [0.0, 25.0, 1.0], &vectors);
    let told = texts(&mut browser, ".live p").remove(1);
    browser
        .until(&format!("document.querySelector('.live .heard').textContent.endsWith('{told}')"));
    browser.fits_and_is_quiet();
}
