//! Chapter 16's figure: the trained model writes on.

use super::{Browser, click_in, page_with, same, texts};
use crate::parameters::Writer;

const PAGE: &str = "16_language_model/index.html";
const FIGURE: &str = "figure-16_language_model-writer";
const BOX: &str = "#figure-16_language_model-writer";
const BEGINNING: &str = "there is a coin in the hall . there is a cup in the attic . anna went to the attic . where is the cup ? the cup is in the";

/// The page shows the most probable words after this text.
#[track_caller]
fn shows(browser: &mut Browser, text: &str, temperature: f32) {
    let writer = Writer::new();
    let next = writer.next(text, temperature, 1.0);
    let names: Vec<&str> = next.iter().take(6).map(|(word, ..)| *word).collect();
    let shown = texts(browser, &format!("{BOX} .next"));
    assert_eq!(shown[..2], names[..2], "{text}");
    let shares = next.iter().take(6).map(|(_, model, _)| 100.0 * model);
    same(&texts(browser, &format!("{BOX} .share")), &shares.collect::<Vec<_>>());
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_word_is_foreseen_and_a_text_written() {
    let mut browser = page_with(PAGE, FIGURE);
    shows(&mut browser, BEGINNING, 1.0);
    click_in(&mut browser, BOX, "One word");
    let shown = texts(&mut browser, &format!("{BOX} .shaded")).remove(0);
    let drawn = texts(&mut browser, &format!("{BOX} .shaded b")).remove(0);
    assert_eq!(shown.trim(), format!("{BEGINNING} {drawn}"));
    shows(&mut browser, shown.trim(), 1.0);
    click_in(&mut browser, BOX, "Write on");
    let words = format!("document.querySelectorAll('{BOX} .shaded b').length");
    browser.until(&format!("{words} > 5"));
    click_in(&mut browser, BOX, "Pause");
    let paused = browser.evaluate(&words);
    browser.evaluate("new Promise((resolve) => setTimeout(resolve, 300))");
    assert_eq!(browser.evaluate(&words), paused, "it rests");
    browser.wants_no_motion();
    click_in(&mut browser, BOX, "Write on");
    let all = texts(&mut browser, &format!("{BOX} .shaded")).remove(0);
    assert_eq!(all.split_whitespace().count(), 120, "all at once for those who want no motion");
    browser.resize(390, 844);
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn an_answer_follows_what_is_typed_and_strange_words_are_refused() {
    let mut browser = page_with(PAGE, FIGURE);
    let other = BEGINNING.replace("attic .", "cellar .");
    browser.types(&format!("{BOX} input[type=text]"), &other);
    shows(&mut browser, &other, 1.0);
    click_in(&mut browser, BOX, "Anna carries it");
    let carried = BEGINNING.replace("where", "anna took the cup . anna went to the garden . where");
    shows(&mut browser, &carried, 1.0);
    browser.types(&format!("{BOX} input[type=text]"), "Anna went to the zoo.");
    let alert = texts(&mut browser, &format!("{BOX} [role=alert]")).remove(0);
    assert!(alert.starts_with("“zoo” is no word of this world. It has: . ? there"), "{alert}");
    browser.types(&format!("{BOX} input[type=text]"), "");
    shows(&mut browser, "", 1.0);
    browser.evaluate(&format!(
        "(() => {{ const t = document.querySelector('{BOX} input[type=range]'); t.value = 0; t.dispatchEvent(new Event('input')); }})()"
    ));
    shows(&mut browser, "", 0.0);
    browser.is_quiet();
}
