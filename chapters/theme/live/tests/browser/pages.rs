//! Every page of the built book: for those who listen, for those with a keyboard, on a phone; search, zoom, size.

use super::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/book")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().expect("run `mdbook build` first");
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect();
    all.sort();
    all
}

/// The pages that are read on a screen: `print.html` is for paper, `toc.html` for those without JavaScript, and
/// `404.html` finds its scripts on a server alone.
pub fn pages() -> Vec<String> {
    let book = book();
    let mut all = Vec::new();
    for path in files(&book) {
        let page = path.strip_prefix(&book).expect("inside").to_str().expect("a name");
        let name = page.rsplit('/').next().unwrap_or(page); // of any language
        if page.ends_with(".html") && !["print.html", "toc.html", "404.html"].contains(&name) {
            all.push(page.to_owned());
        }
    }
    assert!(all.len() > 30, "{all:?}");
    all
}

/// Sets the theme by the book's own button, and for pages without one as the reader's machine asks for.
fn theme(browser: &mut Browser, name: &str) {
    let scheme = if name == "light" { "light" } else { "dark" };
    let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
    browser.send("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    browser.evaluate(&format!("document.querySelector('#mdbook-theme-{name}')?.click()"));
    settle(browser);
}

/// Lets the page follow a change.
fn settle(browser: &mut Browser) {
    let frames =
        "new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen(0))))";
    browser.evaluate(frames);
}

/// Opens what is folded and brings every live figure to life.
fn unfold(browser: &mut Browser) {
    browser.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    let figures = browser.evaluate(
        "Array.from(document.querySelectorAll('figure[data-live]'), (figure) => figure.id)",
    );
    for id in figures.as_array().expect("figures") {
        let id = id.as_str().expect("an id");
        browser.show(&format!("#{id}"));
        browser.until(&format!("!!document.querySelector('#{id}.alive')"));
    }
}

/// What else is a page of its own, `iframes`, is tested as one.
const AXE: &str = "axe.run(document, { resultTypes: ['violations'], iframes: false, preload: false, ...how }).then(({ violations }) =>
    violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 240)}`)))";

/// Two browsers share the pages: this takes longer than all other tests of the book.
#[test]
#[ignore = "needs Chromium, the built book and axe"]
fn axe_finds_nothing_serious_on_any_page() {
    let (odd, even): (Vec<_>, Vec<_>) =
        pages().into_iter().enumerate().partition(|(i, _)| i % 2 == 1);
    let faults = std::thread::scope(|scope| {
        let halves = [odd, even].map(|half| scope.spawn(|| faults_of(half)));
        halves.map(|half| half.join().expect("no panic")).concat()
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

fn faults_of(pages: Vec<(usize, String)>) -> Vec<String> {
    let axe = book().join("../axe/axe_playwright_python/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("tests/axe.txt tells how axe comes there");
    let mut browser = Browser::start();
    let mut faults = Vec::new();
    for (_, page) in pages {
        browser.resize(1280, 800);
        browser.go(&page);
        unfold(&mut browser);
        browser.evaluate(&format!("{axe}; 0"));
        // In the second theme the colours alone differ, on the narrow window everything but these.
        let colours = "{ runOnly: ['color-contrast', 'link-in-text-block'] }";
        let shape = "{ rules: { 'color-contrast': { enabled: false } } }";
        for (name, width, how) in
            [("light", 1280, "{}"), ("navy", 1280, colours), ("light", 390, shape)]
        {
            browser.resize(width, 800);
            theme(&mut browser, name);
            let found = browser.evaluate(&format!("how = {how}; {AXE}"));
            let found = found.as_array().expect("violations");
            faults.extend(found.iter().map(|fault| format!("{page} {name} {width}: {fault}")));
        }
    }
    faults
}

/// What sticks out of its box; what scrolls without a name or without a keyboard. A field of one line scrolls as one writes.
const WIDE: &str = "(() => {
    const faults = [];
    const say = (element, what) => faults.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
    for (const element of document.querySelectorAll('body *')) {
        if (element.closest('math, svg, input, .sidebar') || !element.checkVisibility()) continue;
        if (element.scrollWidth <= element.clientWidth + 2 || element.clientWidth === 0) continue;
        const { overflowX, display, clipPath } = getComputedStyle(element);
        if (display === 'inline' || clipPath !== 'none') continue;
        // A formula may be wider than the text around it, within the page's column.
        if (element.matches('p, li, blockquote, details') && element.querySelector('.display')) continue;
        if (overflowX === 'visible') say(element, 'wider than its box');
        else if (overflowX !== 'auto' && overflowX !== 'scroll') say(element, 'cut off');
        else if (element.tabIndex < 0 || !element.ariaLabel || !element.role) say(element, 'scrolls unnamed');
    }
    return faults;
})()";

#[test]
#[ignore = "needs Chromium and the built book"]
fn nothing_is_wider_than_its_box() {
    let mut browser = Browser::start();
    let mut faults = Vec::new();
    for page in pages() {
        browser.go(&page);
        unfold(&mut browser);
        for (width, name) in [1280, 1024, 390].into_iter().flat_map(|w| [(w, "light"), (w, "navy")])
        {
            browser.resize(width, 800);
            theme(&mut browser, name);
            let found: Value = browser.evaluate(WIDE);
            let found = found.as_array().expect("faults");
            faults.extend(found.iter().map(|fault| format!("{page} {name} {width}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_search_finds_chinese_and_english_words() {
    let mut browser = Browser::open("index.html");
    browser.evaluate("document.querySelector('#mdbook-search-toggle').click()");
    for (word, page) in [
        ("注意力", "words.html"),
        ("软注意力", "words.html"),
        ("苹果", "04_recurrent_networks"),
        ("bandwidth", "01_kernel_regression"),
    ] {
        let bar = "document.querySelector('#mdbook-searchbar')";
        let typed = "dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }))";
        browser.evaluate(&format!("{bar}.value = '{word}'; {bar}.{typed}"));
        let found =
            "Array.from(document.querySelectorAll('#mdbook-searchresults a'), (one) => one.href)";
        browser.until(&format!("{found}.some((link) => link.includes('{page}'))"));
    }
    // In the address: the index may be there before the words of the pages are in it.
    for page in ["index.html", "the_desk.html", "epilogue.html", "index.html"] {
        browser.go(&format!("{page}?search=%E6%B3%A8%E6%84%8F%E5%8A%9B"));
        browser.until("document.querySelectorAll('#mdbook-searchresults a').length > 0");
    }
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_figure_is_enlarged_by_a_key_and_by_a_click() {
    let mut browser = Browser::open("the_desk.html");
    for (width, height) in [(1280, 800), (390, 800)] {
        browser.resize(width, height);
        let figure = "#figure-chapters-wishes";
        let wide = format!("document.querySelector('{figure} svg').clientWidth");
        let before = browser.evaluate(&wide).as_f64().expect("a width");
        for click in [false, true] {
            browser.evaluate("document.activeElement.blur()");
            browser.show(&format!("{figure} .drawing"));
            if click {
                browser.drag(&format!("{figure} .drawing"), [0.3, 0.5], [0.3, 0.5]);
            } else {
                browser.evaluate(&format!("document.querySelector('{figure} .enlarge').focus()"));
                browser.press("Enter", 13);
            }
            browser.until("document.querySelector('dialog.zoom').open");
            let large = browser.evaluate("document.querySelector('dialog.zoom svg').clientWidth");
            assert!(large.as_f64().expect("a width") > 1.1 * before, "{large} after {before}");
            browser.press("ArrowRight", 39);
            browser.press("Escape", 27);
            browser.until("!document.querySelector('dialog.zoom').open");
            let focus = "document.activeElement.closest('figure')?.id";
            assert_eq!(browser.evaluate(focus), figure[1..], "the focus is where it was");
        }
    }
    let live = "document.querySelectorAll('figure[data-live] .enlarge').length";
    browser.go("index.html");
    assert_eq!(browser.evaluate(live), 0);
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn the_contents_hold_the_headings_of_the_page() {
    let mut browser = Browser::open("the_desk.html");
    let shown = texts(&mut browser, "#mdbook-sidebar .on-this-page a");
    let headings = texts(&mut browser, "main h2");
    assert!(headings.len() > 2 && headings.iter().all(|one| shown.contains(one)), "{shown:?}");
}
