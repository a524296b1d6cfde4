//! Chapter 13's figure: what a customer did is changed, and a candidate asks it.

use super::{Browser, click_in, page_with, same, texts};
use crate::parameters::Shop;

const PAGE: &str = "13_recommendation/index.html";
const FIGURE: &str = "figure-13_recommendation-asks";

fn within(part: &str) -> String {
    format!("#{FIGURE} .live {part}")
}

/// The page shows the numbers of the Rust function for this candidate.
#[track_caller]
fn shows(browser: &mut Browser, candidate: &str, story: &[&str]) {
    let told = Shop::new().ask(candidate, story);
    let title = format!("What speaks for {candidate}? (place {} of 180)", told.place);
    assert_eq!(texts(browser, &within(".weighed p")), [title]);
    assert_eq!(texts(browser, &within(".weighed li:not([hidden]) [aria-pressed=true]")), story);
    let percent: Vec<f32> = told.weights.iter().map(|weight| 100.0 * weight).collect();
    same(&texts(browser, &within(".weighed li:not([hidden]) .share")), &percent);
    let best: Vec<&str> = told.best.iter().map(|(item, ..)| &**item).collect();
    assert_eq!(texts(browser, &within(".best button")), best);
    let because = told.best.iter().map(|(_, reason, weight)| {
        format!("because of {}, {:.0}\u{a0}%", story[*reason], 100.0 * weight)
    });
    let because: Vec<String> = because.collect();
    assert_eq!(texts(browser, &within(".best li span")), because);
}

fn focus(browser: &mut Browser, part: &str) {
    browser.evaluate(&format!("document.querySelector('{}').focus()", within(part)));
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_history_is_changed_and_asked() {
    let mut browser = page_with(PAGE, FIGURE);
    let (start, candidate) = (Shop::start(), Shop::constant("candidate"));
    shows(&mut browser, candidate, &start);
    click_in(&mut browser, &format!("#{FIGURE} .best"), "Salt 2");
    shows(&mut browser, "Salt 2", &start);
    // By keyboard: the fifth action, which is the purchase of the printer, is taken away.
    focus(&mut browser, ".weighed li:nth-child(5) button");
    browser.press(" ", 32);
    let without: Vec<&str> =
        start.iter().copied().filter(|action| *action != "printer B").collect();
    shows(&mut browser, "Salt 2", &without);
    let held = format!("document.activeElement.matches('{}')", within("li:nth-child(5) button"));
    assert_eq!(browser.evaluate(&held), true, "the focus stays");
    browser.press(" ", 32);
    shows(&mut browser, "Salt 2", &start);
    click_in(&mut browser, &format!("#{FIGURE}"), "Ask about it");
    shows(&mut browser, "ink for printer A", &start);
    let choose = |browser: &mut Browser, item: &str| {
        let select = format!("document.querySelector('{}')", within("select"));
        browser.evaluate(&format!("{{ const all = {select}; all.value = Array.from(all.options).find((one) => one.text === '{item}').value; all.dispatchEvent(new Event('change')) }}"));
    };
    choose(&mut browser, "printer A");
    click_in(&mut browser, &format!("#{FIGURE}"), "Buy it");
    choose(&mut browser, "puzzle 2");
    (0..6).for_each(|_| click_in(&mut browser, &format!("#{FIGURE}"), "View it"));
    let later = [&start[..], &["printer A"], &["puzzle 2 (view)"; 6]].concat();
    shows(&mut browser, "ink for printer A", &later);
    click_in(&mut browser, &format!("#{FIGURE}"), "Into the basket");
    let full = [&later[..], &["puzzle 2 (basket)"]].concat();
    shows(&mut browser, "ink for printer A", &full);
    let disabled = texts(&mut browser, &within("button:disabled"));
    assert_eq!(disabled, ["View it", "Into the basket", "Buy it"], "no row is left");
    click_in(&mut browser, &format!("#{FIGURE}"), "Reset");
    shows(&mut browser, candidate, &start);
    browser.is_quiet();
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn one_action_is_always_left_and_a_phone_shows_all() {
    let mut browser = page_with(PAGE, FIGURE);
    browser.resize(390, 844);
    browser.show(&within(".weighed"));
    let start = Shop::start();
    browser.tap(&within(".weighed li:nth-child(3) button"));
    let without: Vec<&str> =
        start.iter().copied().filter(|action| *action != "printer B (basket)").collect();
    shows(&mut browser, Shop::constant("candidate"), &without);
    browser.evaluate(&format!(
        "document.querySelectorAll('{}').forEach((one) => one.click())",
        within(".weighed li:not([hidden]) [aria-pressed=true]")
    ));
    shows(&mut browser, Shop::constant("candidate"), &start[9..]);
    for part in [".weighed", ".best", "select"] {
        let end = format!(
            "document.querySelector('{}').getBoundingClientRect().right <= innerWidth",
            within(part)
        );
        assert_eq!(browser.evaluate(&end), true, "{part}");
    }
    browser.fits_and_is_quiet();
}
