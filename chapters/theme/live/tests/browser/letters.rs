//! The letters of every drawing lie inside of it, with the fonts that a bare Linux has, on a screen and on a phone.

use super::*;
use crate::pages::pages;

/// Debian's two families of sans-serif letters: a page's `sans-serif` is usually one of them there, and DejaVu Sans is
/// wider than what macOS and Windows have.
const FONTS: [&str; 2] = ["DejaVu Sans", "Liberation Sans"];

/// Drawings whose letters leave them by more than a pixel. What is drawn over others on purpose has `overflow: visible`.
const OUTSIDE: &str = "
    Array.from(document.querySelectorAll('svg text'), (text) => {
        const drawing = text.ownerSVGElement.closest('figure svg') ?? text.ownerSVGElement;
        const [inner, outer] = [text.getBoundingClientRect(), drawing.getBoundingClientRect()];
        const out = Math.max(outer.left - inner.left, inner.right - outer.right);
        return inner.width > 0 && outer.width > 0 && out > 1 ? `${text.textContent.trim()}: ${out.toFixed(1)}` : '';
    }).filter((fault) => fault)";

#[test]
#[ignore = "needs Chromium and the built book"]
fn letters_stay_inside_of_their_drawings() {
    let mut browser = Browser::start();
    let mut faults = Vec::new();
    for page in pages() {
        browser.go(&page);
        for font in FONTS {
            let fonts = browser.evaluate(&format!("document.fonts.check('16px \"{font}\"')"));
            assert_eq!(fonts, true, "{font} is not installed: run .ci/setup");
            browser.evaluate(&format!(
                "document.head.insertAdjacentHTML('beforeend', '<style>svg, svg text {{ font-family: \"{font}\" !important }}</style>')"
            ));
            for width in [1440, 390] {
                browser.resize(width, 844);
                let outside = browser.evaluate(OUTSIDE);
                for fault in outside.as_array().expect("a list") {
                    faults.push(format!("{page}, {font}, {width}: {fault}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}
