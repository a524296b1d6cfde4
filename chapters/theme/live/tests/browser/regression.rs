//! Chapter 1's figure: bandwidth, kernel, query, points.

use super::{Browser, click, page_with, same, texts};

const PAGE: &str = "01_kernel_regression/index.html";
const FIGURE: &str = "figure-01_kernel_regression-bandwidths";
const PLOT: &str = ".live .area";
const DOTS: &str = ".live g[fill=currentColor] circle";

/// The page shows the Rust functions' numbers for these points, kernel and bandwidth, at the query that it names.
#[track_caller]
fn shows(browser: &mut Browser, points: &[f32], [kernel, bandwidth]: [f32; 2], query: f32) {
    let readout = texts(browser, ".live p").remove(1);
    let regression = live::regression(&[&[kernel, bandwidth, query, 0.0][..], points].concat());
    let error = live::errors(&[&[kernel, 1.0, bandwidth][..], points].concat())[0];
    same([&readout], &[query, regression[0], regression[1], error]);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn query_kernel_and_bandwidth_are_chosen() {
    let fifty = live::points(&[]);
    let mut browser = page_with(PAGE, FIGURE);
    shows(&mut browser, &fifty, [0.0, 0.3], 1.6);
    browser.drag(PLOT, [0.2, 0.5], [0.8, 0.1]);
    browser.press("ArrowLeft", 37);
    let query = texts(&mut browser, ".live p").remove(1);
    let query: f32 = query["x = ".len()..].split_once(':').unwrap().0.parse().unwrap();
    assert!((query - 3.95).abs() < 0.02, "dragged to 4, then a step to the left: {query}");
    shows(&mut browser, &fifty, [0.0, 0.3], query);
    click(&mut browser, "boxcar");
    shows(&mut browser, &fifty, [1.0, 0.3], query);
    let before = texts(&mut browser, ".live p").remove(1);
    browser.evaluate("document.querySelector('.live input').focus()");
    browser.press("ArrowRight", 39);
    assert_ne!(texts(&mut browser, ".live p").remove(1), before, "another bandwidth");
    assert_eq!(
        browser.evaluate("location.pathname.endsWith('/01_kernel_regression/index.html')"),
        true
    );
    click(&mut browser, "Reset");
    shows(&mut browser, &fifty, [0.0, 0.3], 1.6);
    browser.resize(390, 844);
    browser.swipe(PLOT, [0.8, 0.5], [0.2, 0.5]);
    let query = texts(&mut browser, ".live p").remove(1);
    assert!(query.starts_with("x = 1.0"), "a finger across moves the query: {query}");
    browser.show(PLOT);
    let before = browser.evaluate("scrollY").as_f64().unwrap();
    browser.swipe(PLOT, [0.2, 0.9], [0.2, 0.1]);
    assert!(
        browser.evaluate("scrollY").as_f64().unwrap() > before + 50.0,
        "a finger upwards scrolls the page"
    );
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn points_are_added_and_read() {
    let mut browser = page_with(PAGE, FIGURE);
    assert_eq!(texts(&mut browser, DOTS).len(), 50);
    click(&mut browser, "adds a point");
    browser.drag(PLOT, [0.3, 0.9], [0.6, 0.9]);
    assert_eq!(texts(&mut browser, DOTS).len(), 51);
    let draw = |browser: &mut Browser, text: &str| {
        browser.evaluate(&format!("document.querySelector('.live textarea').value = `{text}`"));
        click(browser, "Draw them");
        texts(browser, ".live [role=alert]").remove(0)
    };
    let thermometer = [9.0, 10.0, 13.0, 14.0, 17.0, 20.0];
    assert_eq!(draw(&mut browser, "hour,degrees\n9,14\n\n10; 17\n13\t20\n"), "");
    shows(&mut browser, &thermometer, [0.0, 0.06 * 4.0], 11.0);
    for (text, fault) in [
        ("9,14\nten,17", "Line 2: two numbers are expected, not “ten,17”."),
        ("x,y\n9,14\n9,1e99", "Line 3: two numbers are expected, not “9,1e99”."),
        ("9,14\n9,17", "At least two different x are needed."),
        ("${'1,2\\n'.repeat(301)}", "301 points; at most 300 are drawn here."),
        ("${'1,2\\n'.repeat(9999)}", "More than 20,000 characters."),
    ] {
        assert_eq!(draw(&mut browser, text), fault);
        shows(&mut browser, &thermometer, [0.0, 0.06 * 4.0], 11.0);
    }
    browser.is_quiet();
}
