//! Chapter 7's figure: a window over a sentence is moved and widened.

use super::{Browser, click, page_with, same, texts};

const PARTS: [f32; 9] = [4.0, 7.0, 5.0, 10.0, 18.0, 55.0, 5.0, 5.0, 3.0];

/// The page shows the Rust function's weights, their sum and the derivative.
#[track_caller]
fn shows(browser: &mut Browser, p: f32, d: f32) {
    let answer = live::window(&[&[p, d, 5.0][..], &PARTS.map(f32::ln)].concat());
    let (first, end) = (answer[0] as usize, answer[1] as usize);
    for (row, from) in [("before", 4), ("after", 13)] {
        let shown = texts(browser, &format!(".live .{row}"));
        same(&shown, &answer[from + first..from + end]);
        assert!(shown.iter().enumerate().all(|(j, text)| (first..end).contains(&j) || text == "–"));
    }
    let mut told = vec![answer[0], answer[1] - 1.0, answer[3]];
    if (first..end).contains(&5) {
        told.extend([answer[18], answer[2]]);
    }
    same(&texts(browser, ".live p")[1..2], &told);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn position_and_width_are_dragged() {
    let mut browser = page_with("07_luong/index.html", "figure-07_luong-local_p");
    shows(&mut browser, 3.6, 3.0);
    let at = |p: f64| [(76.0 + 46.0 * p) / 480.0, 0.5]; // of the drawing
    browser.drag(".live svg rect.area", at(3.6), at(1.5));
    shows(&mut browser, 1.5, 3.0);
    assert!(texts(&mut browser, ".live p")[1].contains("out of sight"));
    browser.press("ArrowRight", 39);
    shows(&mut browser, 1.6, 3.0);
    // The grip is 48 wide, a word 46.
    browser.drag(".live circle.area", [0.5, 0.5], [0.5 + 2.0 * 46.0 / 48.0, 0.5]);
    shows(&mut browser, 1.6, 5.0);
    browser.press("ArrowLeft", 37);
    shows(&mut browser, 1.6, 4.0);
    browser.resize(390, 844);
    browser.swipe(".live svg rect.area", at(1.6), at(6.0));
    shows(&mut browser, 6.0, 4.0);
    let told = texts(&mut browser, ".live p").remove(1);
    assert!(told.ends_with("to the left."), "{told}");
    browser.until(&format!("document.querySelector('.live .heard').textContent === '{told}'"));
    browser.fits();
    click(&mut browser, "Reset");
    shows(&mut browser, 3.6, 3.0);
    browser.is_quiet();
}
