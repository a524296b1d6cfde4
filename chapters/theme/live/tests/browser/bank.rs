//! Chapter 9's figure: words are dragged, and ask each other.

use super::{Browser, click, page_with, same, texts};

const FIGURE: &str = "figure-09_self_attention-river_bank";

/// The table shows the numbers of the Rust function.
#[track_caller]
fn shows(browser: &mut Browser, layer: usize, words: &[f32]) {
    let answer = live::bank(&[&[layer as f32, 0.0][..], words].concat());
    let n = words.len() / 2;
    let heads = if layer == 2 { 2 } else { 1 };
    let mut expected = Vec::new();
    for head in answer[..2 * n * n * heads].chunks(2 * n * n) {
        let (scores, weights) = head.split_at(n * n);
        for key in 0..n {
            expected.extend(
                (0..n).flat_map(|query| [scores[query * n + key], weights[query * n + key]]),
            );
        }
    }
    expected.extend(&answer[2 * n * n * heads..]);
    same(&texts(browser, &format!("#{FIGURE} .live td")), &expected);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn words_ask_each_other() {
    let mut browser = page_with("09_self_attention/index.html", FIGURE);
    shows(&mut browser, 0, &[2.0, 0.0, 1.0, 1.0]);
    click(&mut browser, "three matrices");
    shows(&mut browser, 1, &[2.0, 0.0, 1.0, 1.0]);
    click(&mut browser, "money bank");
    click(&mut browser, "two heads");
    shows(&mut browser, 2, &[0.0, 2.0, 1.0, 1.0]);
    click(&mut browser, "river bank money");
    shows(&mut browser, 2, &[2.0, 0.0, 1.0, 1.0, 0.0, 2.0]);
    click(&mut browser, "none after it");
    let hidden = texts(&mut browser, &format!("#{FIGURE} .live td"));
    assert_eq!(hidden.iter().filter(|cell| *cell == "–").count(), 2 * 3);
    click(&mut browser, "Reset");
    // Bank's area is 48 wide and a unit 55: a drag over the whole of it.
    let bank = format!("#{FIGURE} .live g:nth-of-type(4) .area");
    browser.drag(&bank, [0.5, 0.5], [0.5 + 55.0 / 48.0, 0.5]);
    shows(&mut browser, 0, &[2.0, 0.0, 2.0, 1.0]);
    browser.press("ArrowUp", 38);
    shows(&mut browser, 0, &[2.0, 0.0, 2.0, 1.25]);
    click(&mut browser, "river bank money");
    click(&mut browser, "three matrices");
    browser.resize(390, 844);
    let end = "document.querySelector('.live table').getBoundingClientRect().right <= innerWidth";
    assert_eq!(browser.evaluate(end), true, "a phone shows the whole table");
    browser.fits_and_is_quiet();
}
