//! Chapter 14's figure: lines of a story are taken away, and the question is answered again.

use super::{Browser, click, page_with, texts};

fn said(browser: &mut Browser) -> String {
    texts(browser, ".live svg text[font-weight=bold]").join(" ")
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn an_answer_follows_its_story() {
    let mut browser = page_with("14_memory_networks/index.html", "figure-14_memory_networks-hops");
    assert!(said(&mut browser).starts_with("where is the apple? "), "{}", said(&mut browser));
    let before = said(&mut browser);
    for line in ["anna went to the cellar", "anna left the apple", "anna walked to the kitchen"] {
        click(&mut browser, line);
    }
    let after = said(&mut browser);
    assert!(after.starts_with("where is the apple? garden"), "{before}, then {after}");
    click(&mut browser, "where is the cup?");
    assert!(said(&mut browser).starts_with("where is the cup? attic"), "{}", said(&mut browser));
    click(&mut browser, "Reset");
    assert_eq!(said(&mut browser), before);
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}
