//! The appendix's figure: a tape is stepped forwards and backwards.

use super::{Browser, click, page_with, same, texts};

/// All nodes with their values, or after the way back all gradients, are those of the Rust function.
#[track_caller]
fn shows(browser: &mut Browser, expression: f32, w: f32) {
    let answer = live::tape(&[expression, w]);
    let mut numbers = answer[1..].iter().copied();
    let mut take = |count: usize| -> Vec<f32> { numbers.by_ref().take(count).collect() };
    let mut values = Vec::new();
    for _ in 0..answer[0] as usize {
        let size = take(1)[0] as usize;
        values.push(take(size));
    }
    same(&texts(browser, ".live .value"), &values.concat());
    let mut gradients = vec![Vec::new(); values.len()];
    gradients[values.len() - 1] = vec![1.0];
    while let [_, to] = take(2)[..] {
        let size = values[to as usize].len();
        gradients[to as usize] = take(2 * size).split_off(size);
    }
    for _ in 0..values.len() {
        click(browser, "Hand back");
    }
    let shown = texts(browser, ".live .gradient");
    same(shown.iter().filter(|text| *text != "–"), &gradients.concat());
    assert!(texts(browser, ".live .value").iter().all(|text| text == "freed"));
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_tape_is_written_and_read_back() {
    let mut browser = page_with("appendix/how_gradients_flow.html", "figure-appendix-tape");
    for _ in 0..3 {
        click(&mut browser, "Write a node");
    }
    shows(&mut browser, 0.0, 3.0);
    let told = texts(&mut browser, ".live p").remove(1);
    assert_eq!(told, "Node 0, w, is an input: its gradient is the answer, 12.");
    browser.until(&format!("document.querySelector('.live .heard').textContent === '{told}'"));
    click(&mut browser, "One back");
    assert_eq!(texts(&mut browser, ".live p")[1], "Node 1, a, hands back 6 to w.");
    click(&mut browser, "the loss with two neighbours");
    // By keyboard: the button, and the slider.
    browser.evaluate("Array.from(document.querySelectorAll('.live button')).find((one) => one.textContent === 'Write a node').focus()");
    for _ in 0..10 {
        browser.press(" ", 32);
    }
    shows(&mut browser, 1.0, 1.0);
    browser.evaluate("document.querySelector('.live input').focus()");
    browser.press("ArrowRight", 39);
    for _ in 0..10 {
        click(&mut browser, "One back");
    }
    shows(&mut browser, 1.0, 0.5 + 3.0 * 34.0 / 200.0);
    browser.resize(390, 844);
    browser.show(".live button");
    browser.swipe(".live button", [0.5, 0.5], [0.5, 0.5]); // a tap
    browser.until("document.querySelectorAll('.live p')[1].textContent === 'An empty tape.'");
    browser.fits_and_is_quiet();
}
