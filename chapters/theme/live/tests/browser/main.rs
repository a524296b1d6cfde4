//! The built book's live figures in Chromium. After `mdbook build`, and by name:
//! `cargo test -p live --test browser -- --ignored`.

mod driver;
#[path = "../parameters/mod.rs"]
mod parameters;

use driver::Browser;

/// A page with its figure in the middle of the window, alive.
fn page_with(page: &str, figure: &str) -> Browser {
    let mut browser = Browser::open(page);
    browser.show(&format!("#{figure}"));
    browser.until(&format!("!!document.querySelector('#{figure} .live')"));
    browser
}

/// What elements show as text.
fn texts(browser: &mut Browser, elements: &str) -> Vec<String> {
    let all =
        format!("Array.from(document.querySelectorAll('{elements}'), (one) => one.textContent)");
    serde_json::from_value(browser.evaluate(&all)).expect("texts")
}

/// The numbers in these texts are the expected ones, as far as their digits go.
#[track_caller]
fn same<'t>(texts: impl IntoIterator<Item = &'t String>, expected: &[f32]) {
    let texts: Vec<String> = texts.into_iter().map(|text| text.replace('−', "-")).collect();
    let numbers = texts
        .iter()
        .flat_map(|text| text.split(|c: char| !(c.is_ascii_digit() || ".-".contains(c))));
    let shown: Vec<(f64, f64)> = numbers
        .filter_map(|number| {
            let number = number.trim_end_matches('.');
            let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
            Some((number.parse().ok()?, 0.500_01 * 0.1_f64.powi(digits as i32)))
        })
        .collect();
    let close = shown.iter().zip(expected).all(|((shown, half_a_digit), expected)| {
        (shown - f64::from(*expected)).abs() <= *half_a_digit
    });
    assert!(shown.len() == expected.len() && close, "{texts:?} for {expected:?}");
}

/// Numbers are the expected ones, as far as this.
#[track_caller]
fn close(shown: &[f32], expected: &[f32], tolerance: f32) {
    let mut pairs = shown.iter().zip(expected);
    let near = pairs.all(|(shown, expected)| (shown - expected).abs() < tolerance);
    assert!(shown.len() == expected.len() && near, "{shown:?} for {expected:?}");
}

/// The weights that these cells are shaded by.
#[track_caller]
fn shades(browser: &mut Browser, cells: &str, expected: &[f32], tolerance: f32) {
    close(&browser.attributes(cells, "fill-opacity"), expected, tolerance);
}

/// Presses the button with this text.
fn click(browser: &mut Browser, text: &str) {
    click_in(browser, ".live", text);
}

/// The same, of one figure among several.
fn click_in(browser: &mut Browser, figure: &str, text: &str) {
    let button = format!(
        "Array.from(document.querySelectorAll('{figure} button')).find((one) => one.textContent === '{text}')"
    );
    browser.evaluate(&format!("{button}.click()"));
}

mod bank;
mod captions;
mod copying;
mod estimating;
mod filling;
mod gates;
mod geometry;
mod induction;
mod landscape;
mod letters;
mod looks;
mod memory;
mod pages;
mod pair;
mod questions;
mod recommending;
mod regression;
mod resolving;
mod tape;
mod translating;
mod tuning;
mod window;
mod writing;

mod desk {
    use super::*;

    pub const PAGE: &str = "index.html";
    pub const FIGURE: &str = "figure-chapters-desk";
    const PLANE: &str = ".live .area";
    const KEYS: [f32; 10] = [1.0, 0.0, 0.0, 0.5, 0.0, 0.25, 0.0, 0.25, 0.0, 1.0];

    /// The page shows the numbers of the Rust function for this query.
    #[track_caller]
    fn shows(browser: &mut Browser, query: [f32; 2]) {
        let answer = live::desk(&[&query[..], &KEYS].concat());
        let (scores, weights) = answer.split_at(5);
        let shown = texts(browser, ".live text");
        let written = format!("{:.2}, {:.2}", query[0], query[1]);
        assert!(shown.contains(&written), "no `{written}` among {shown:?}");
        same(shown.iter().filter(|text| text.starts_with("score ")), scores);
        let percent: Vec<f32> = weights.iter().map(|weight| 100.0 * weight).collect();
        same(shown.iter().filter(|text| text.ends_with(" %")), &percent);
    }

    #[test]
    #[ignore = "needs Chromium and the built book"]
    fn pointer_finger_and_keys_move_the_query() {
        let mut browser = page_with(PAGE, FIGURE);
        shows(&mut browser, [4.0, 0.0]);
        browser.drag(PLANE, [0.9, 0.9], [0.5, 0.5]);
        shows(&mut browser, [2.0, 2.0]);
        browser.press("ArrowLeft", 37);
        browser.press("ArrowUp", 38);
        shows(&mut browser, [1.75, 2.25]);
        browser.resize(390, 844);
        browser.show(PLANE);
        let before = browser.evaluate("scrollY");
        browser.swipe(PLANE, [0.75, 0.9], [0.25, 0.0]);
        shows(&mut browser, [1.0, 4.0]);
        assert_eq!(browser.evaluate("scrollY"), before, "the finger moves the query, not the page");
        browser.fits();
        click(&mut browser, "Reset");
        shows(&mut browser, [4.0, 0.0]);
        let says = "weights: cup 93.2 %, newspaper 1.7 %, sheet 1.7 %, notebook 1.7 %, book 1.7 %";
        browser.until(&format!("document.querySelector('.live .heard').textContent === '{says}'"));
        assert_eq!(
            browser.evaluate("location.hash + location.pathname.split('/').pop()"),
            "index.html"
        );
        browser.is_quiet();
    }

    #[test]
    #[ignore = "needs Chromium and the built book"]
    fn paper_has_the_drawing() {
        let mut browser = page_with(PAGE, FIGURE);
        let shown = |browser: &mut Browser| {
            browser.evaluate(&format!(
                "Array.from(document.querySelectorAll('#{FIGURE} > :is(.drawing, .live)'), (one) => one.checkVisibility())"
            ))
        };
        assert_eq!(shown(&mut browser), serde_json::json!([false, true]));
        browser.send("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" }));
        assert_eq!(shown(&mut browser), serde_json::json!([true, false]));
    }
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_browser_would_tell_of_an_error_and_of_a_request() {
    let mut browser = Browser::open("index.html");
    browser.evaluate("void setTimeout(() => nowhere.to())");
    browser.evaluate("void (new Image().src = 'http://localhost:1/')");
    browser.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    let complaints = browser.complaints().join("\n");
    assert!(complaints.contains("nowhere is not defined"), "{complaints}");
    assert!(complaints.contains("http://localhost:1/"), "{complaints}");
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn without_its_mathematics_a_figure_stays_as_it_is_printed() {
    let mut browser = Browser::start();
    let urls = serde_json::json!({ "urls": ["*/mathematics.js"] });
    browser.send("Network.setBlockedURLs", urls);
    browser.go(desk::PAGE);
    let drawing = format!("#{} > .drawing", desk::FIGURE);
    browser.show(&drawing);
    let says_so = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        browser.complaints().iter().any(|text| text.contains("stays as it is printed"))
    });
    assert!(says_so, "{:?}", browser.complaints());
    let visible = format!("document.querySelector('{drawing}').checkVisibility()");
    assert_eq!(browser.evaluate(&visible), true);
}
