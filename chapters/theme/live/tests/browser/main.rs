//! The built book's live figures in Chromium. After `mdbook build`, and by name:
//! `cargo test -p live --test browser -- --ignored`.

mod driver;

use driver::Browser;

/// A page with its figure in the middle of the window, alive.
fn page_with(page: &str, figure: &str) -> Browser {
    let mut browser = Browser::open(page);
    let show = format!("document.querySelector('#{figure}').scrollIntoView({{ block: 'center' }})");
    browser.evaluate(&show);
    browser.until(&format!("!!document.querySelector('#{figure} .live')"));
    browser.evaluate(&show);
    browser
}

/// What elements show as text.
fn texts(browser: &mut Browser, elements: &str) -> Vec<String> {
    let all =
        format!("Array.from(document.querySelectorAll('{elements}'), (one) => one.textContent)");
    serde_json::from_value(browser.evaluate(&all)).expect("texts")
}

/// The shown numbers between `before` and `after` are these, as far as their digits go.
#[track_caller]
fn same(texts: &[String], before: &str, after: &str, expected: &[f32], scale: f64) {
    let number = |text: &String| {
        let number = text.strip_prefix(before)?.strip_suffix(after)?;
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        Some((number.parse::<f64>().ok()?, 0.500_01 * 0.1_f64.powi(digits as i32)))
    };
    let shown: Vec<_> = texts.iter().filter_map(number).collect();
    let close = |((shown, half_a_digit), expected): (&(f64, f64), &f32)| {
        (shown - scale * f64::from(*expected)).abs() <= *half_a_digit
    };
    assert!(
        shown.len() == expected.len() && shown.iter().zip(expected).all(close),
        "{before}…{after}: {shown:?} for {expected:?}"
    );
}

mod desk {
    use super::*;

    const PAGE: &str = "index.html";
    const FIGURE: &str = "figure-chapters-desk";
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
        same(&shown, "score ", "", scores, 1.0);
        same(&shown, "", " %", weights, 100.0);
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
        browser.evaluate(&format!(
            "document.querySelector('{PLANE}').scrollIntoView({{ block: 'center' }})"
        ));
        let before = browser.evaluate("scrollY");
        browser.swipe(PLANE, [0.75, 0.9], [0.25, 0.0]);
        shows(&mut browser, [1.0, 4.0]);
        assert_eq!(browser.evaluate("scrollY"), before, "the finger moves the query, not the page");
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
        browser.evaluate("[...document.querySelectorAll('.live button')].at(-1).click()");
        shows(&mut browser, [4.0, 0.0]);
        let says = "weights: cup 93.2 %, newspaper 1.7 %, sheet 1.7 %, notebook 1.7 %, book 1.7 %";
        browser.until(&format!("document.querySelector('.live .heard').textContent === '{says}'"));
        assert_eq!(
            browser.evaluate("location.hash + location.pathname.split('/').pop()"),
            "index.html"
        );
        assert_eq!(browser.complaints(), [""; 0]);
    }

    #[test]
    #[ignore = "needs Chromium and the built book"]
    fn coffee_and_novel_are_level_for_a_query_of_both() {
        let answer = live::desk(&[&[2.0, 2.0], &KEYS[..]].concat());
        assert_eq!(answer[5], answer[9]);
        let mut browser = page_with(PAGE, FIGURE);
        browser.drag(PLANE, [0.1, 0.1], [0.5, 0.5]);
        let level =
            texts(&mut browser, ".live text").iter().filter(|text| **text == "35.5 %").count();
        assert_eq!(level, 2);
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
