//! Printed numbers are the measured ones.

use pulldown_cmark::Event;
use serde_json::Value;
use tests::numbers::{Printed, recorded, unwrapped};

use super::Page;
use super::small::proven;

/// Every `<!--=key-->`: the number before it is the key's value, rounded as printed: see [`tests::numbers`].
pub fn numbers(page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    for (event, range) in page.events() {
        let (Event::Html(_) | Event::InlineHtml(_)) = event else { continue };
        for (within, _) in page.text[range.clone()].match_indices("<!--") {
            let at = range.start + within;
            let comment = page.text[at + 4..].split("-->").next().unwrap_or_default();
            if let Some(key) = comment.trim().strip_prefix('=')
                && let Err(what) = quoted(page, &page.text[..at], key)
            {
                faults.push(page.fault(at, format!("`<!--{comment}-->` {what}")));
            }
        }
    }
    faults
}

/// Compares what stands before a mark with what the mark names.
fn quoted(page: &Page, before: &str, key: &str) -> Result<(), String> {
    match recorded(page.folder(), &page.root, key)? {
        Value::Number(measured) => {
            let measured = measured.as_f64().expect("a JSON number is a number");
            let printed = Printed::at_end_of(before).ok_or("stands after no number")?;
            if printed.is(measured) {
                Ok(())
            } else {
                Err(format!("stands after {}, but {measured} was measured", printed.value))
            }
        }
        Value::String(word) if unwrapped(before).ends_with(&word) => Ok(()),
        Value::String(word) => Err(format!("does not stand after “{word}”")),
        _ => Err("names something that is no number".into()),
    }
}

#[test]
fn numbers_that_differ_are_found() {
    proven(
        numbers,
        &[
            "0.31<!--=h-->, 0.315<!--=h-->, **0.3146**<!--=h-->, $h = 0.315$<!--=h-->, `0.3`<!--=h-->",
            "1,234,567<!--=n-->, 1\u{202f}234\u{202f}567<!--=n-->, 1.235e6<!--=n-->, 1.23·10⁶<!--=n-->",
            "12.5 %<!--=share-->, 13 %<!--=share-->, 12%<!--=share-->",
            "1.2e-3<!--=loss-->, 1.23 × 10⁻³<!--=loss-->, 0.0012<!--=loss-->",
            "−2.0<!--=drop-->, (-2.04)<!--=drop-->, 1.3×<!--=fits[1].mse-->, 0.5<!--=fits[0].mse-->",
            "0.1,1.3<!--=fits[1].mse-->, up to1.3<!--=fits[1].mse-->",
            "**Gaussian**<!--=best-->, <!-- an ordinary comment -->, `0.9<!--=h-->`",
            "0.31<!--=01_one:h-->, 7<!--=more.json:n-->\n\n![](figures/x.svg)\\\n<sub>At 0.31<!--=h--> it bends</sub>",
        ],
        &[
            (
                "one\n\n0.32<!--=h-->",
                "README.md:3: `<!--=h-->` stands after 0.32, but 0.3146 was measured",
            ),
            ("0.314<!--=h-->", "stands after 0.314"),
            ("![](figures/x.svg)\\\n<sub>At 0.32<!--=h--> it bends</sub>", "stands after 0.32"),
            ("| a |\n|---|\n| 0.32<!--=h--> |", "README.md:3:"),
            ("1,234,568<!--=n-->", "stands after 1234568"),
            ("1,23<!--=h-->", "stands after 23"),
            ("12.6 %<!--=share-->", "stands after 0.126"),
            ("0.125 %<!--=share-->", "stands after 0.00125"),
            ("1.3e-3<!--=loss-->", "stands after 0.0013"),
            ("1.2·10⁻²<!--=loss-->", "stands after 0.012"),
            ("2.0<!--=drop-->", "but -2.04 was measured"),
            ("h<!--=h-->", "stands after no number"),
            ("0.31<!--=width-->", "names no value"),
            ("0.31<!--=fits[2].mse-->", "names no value"),
            ("0.31<!-- =width -->", "names no value"),
            ("0.31<!--=none-->", "no number"),
            ("Boxcar<!--=best-->", "does not stand after “Gaussian”"),
            ("0.31<!--=02_two:h-->", "has no results"),
        ],
    );
}
