//! Chapter 17's figure: eight estimators, a query, points.

use super::{Browser, click, page_with, same, texts};

const FIGURE: &str = "figure-17_full_circle-estimators";
const PLOT: &str = ".live .area";

/// The page shows the Rust function's answer of this estimator, at the query that it names.
#[track_caller]
fn shows(browser: &mut Browser, points: &[f32], kind: f32, query: f32) {
    let readout = texts(browser, ".live p").remove(1);
    let parameter = live::chosen(points)[kind as usize];
    let input = [&[kind, parameter, query, 0.0][..], points].concat();
    same([&readout], &[query, live::estimate(&input)[0]]);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn estimator_and_query_are_chosen_and_points_dragged() {
    let fifty = live::points(&[]);
    let mut browser = page_with("17_full_circle/index.html", FIGURE);
    shows(&mut browser, &fifty, 3.0, 4.8);
    for (kind, name) in
        [(2.0, "Nadaraya–Watson"), (7.0, "least squares"), (0.0, "mean"), (5.0, "delta rule")]
    {
        click(&mut browser, name);
        shows(&mut browser, &fifty, kind, 4.8);
    }
    browser.drag(PLOT, [0.2, 0.5], [0.8, 0.1]);
    browser.press("ArrowLeft", 37);
    shows(&mut browser, &fifty, 5.0, 3.95);
    click(&mut browser, "moves a point");
    let before = texts(&mut browser, ".live p").remove(1);
    browser.drag(PLOT, [0.8, 0.5], [0.8, 0.1]);
    let after = texts(&mut browser, ".live p").remove(1);
    assert_ne!(before, after, "the point near the query counts");
    click(&mut browser, "Reset");
    shows(&mut browser, &fifty, 3.0, 4.8);
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}
