//! Chapter 3's questions are answered wrongly, then rightly, the page loaded again: right answers are kept.

use super::{Browser, texts};

const PAGE: &str = "03_scoring_functions/index.html";

/// Presses what is at a place of a question; what it replies.
fn press(browser: &mut Browser, id: &str, button: &str) -> String {
    browser.evaluate(&format!("document.querySelector('#question-{id} {button}').click()"));
    texts(browser, &format!("#question-{id} .reply")).remove(0)
}

#[track_caller]
fn answered(browser: &mut Browser, count: usize) {
    let progress = texts(browser, ".progress").remove(0);
    assert!(progress.starts_with(&format!("You have answered {count} of ")), "{progress}");
    assert_eq!(texts(browser, ".question.answered").len(), count);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_reader_answers_and_finds_the_answers_kept() {
    let mut browser = Browser::open(PAGE);
    answered(&mut browser, 0);
    assert!(press(&mut browser, "3d", "li:nth-child(1) button").starts_with("No. "));
    assert!(press(&mut browser, "3d", "li:nth-child(2) button").starts_with("Right. "));
    let pressed = texts(&mut browser, "#question-3d [aria-pressed=true]");
    assert_eq!(pressed, ["The scores, and so the queries and keys."]);
    for (number, reply) in [
        ("0", "No. A weight of 0 takes"),
        ("7", "No. Try another."),
        ("", "No. Try another."),
        ("0,334", "Right. Its score is now 0"),
    ] {
        browser.types("#question-3b input", number);
        let said = press(&mut browser, "3b", "form button");
        assert!(said.starts_with(reply), "{number}: {said}");
    }
    answered(&mut browser, 2);
    let said = press(&mut browser, "3a", "form button");
    assert!(said.starts_with("No. This is the order of the lengths."), "{said}");
    let said = press(&mut browser, "3a", "li:nth-child(3) [aria-label=\"Move up\"]");
    assert_eq!(said, "The order is now 1, 3, 2.");
    assert!(press(&mut browser, "3a", "form button").starts_with("Right. "));
    browser.go(PAGE);
    answered(&mut browser, 3);
    browser.is_quiet();
}
