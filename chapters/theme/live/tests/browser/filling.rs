//! Chapter 11's figure: the trained model predicts whatever piece is masked.

use super::{Browser, click, page_with, same, texts};
use crate::parameters::Filler;

const PAGE: &str = "11_bert/index.html";
const FIGURE: &str = "figure-11_bert-fill";
const TEXT: &str = "lucy has a gentle black puppy . she takes the puppy for a walk .";

/// The page shows what may stand at the mask, and how probable what stood there is.
#[track_caller]
fn shows(browser: &mut Browser, text: &str, hidden: usize) {
    let filler = Filler::new();
    let (best, original) = filler.fill(text, hidden);
    let names: Vec<&str> = best.iter().map(|(piece, _)| *piece).collect();
    assert_eq!(texts(browser, &format!("#{FIGURE} .piece")), names);
    let percent: Vec<f32> = best.iter().map(|(_, p)| 100.0 * p).collect();
    same(&texts(browser, &format!("#{FIGURE} .share")), &percent);
    let says = texts(browser, &format!("#{FIGURE} .readout"));
    same(&says, &[100.0 * original, percent[0]]);
    let pressed = texts(browser, &format!("#{FIGURE} .pieces [aria-pressed=true]"));
    assert_eq!(pressed, [text.split(' ').nth(hidden).unwrap()]);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn pointer_finger_and_keys_move_the_mask() {
    let mut browser = page_with(PAGE, FIGURE);
    shows(&mut browser, TEXT, 7);
    let piece = |place: usize| format!("#{FIGURE} .pieces button:nth-child({})", place + 1);
    browser.drag(&piece(3), [0.5, 0.5], [0.5, 0.5]);
    shows(&mut browser, TEXT, 3);
    browser.resize(390, 844);
    browser.tap(&piece(5));
    shows(&mut browser, TEXT, 5);
    browser.evaluate(&format!("document.querySelector('{}').focus()", piece(0)));
    browser.press(" ", 32);
    shows(&mut browser, TEXT, 0);
    browser.fits_and_is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_name_is_exchanged_and_what_cannot_be_cut_is_refused() {
    let mut browser = page_with(PAGE, FIGURE);
    click(&mut browser, "bruno for lucy");
    shows(&mut browser, &TEXT.replace("lucy", "bruno"), 7);
    click(&mut browser, "Mask the next");
    shows(&mut browser, &TEXT.replace("lucy", "bruno"), 8);
    let types = |browser: &mut Browser, text: &str| {
        browser.types(&format!("#{FIGURE} input"), text);
        texts(browser, &format!("#{FIGURE} [role=alert]")).remove(0)
    };
    assert_eq!(
        types(&mut browser, "the 犬 barks"),
        "“犬” cannot be cut into the pieces that it knows."
    );
    assert_eq!(types(&mut browser, ""), "One to 62 pieces, please: these are 0.");
    assert_eq!(types(&mut browser, "The dog is very big."), "");
    shows(&mut browser, "the dog is very big .", 5);
    click(&mut browser, "Reset");
    browser.evaluate("document.activeElement.blur()");
    shows(&mut browser, TEXT, 7);
    browser.is_quiet();
}
