//! Printed numbers are the measured ones.

use pulldown_cmark::Event;
use serde_json::Value;

use super::Page;
use super::small::proven;

/// Every `<!--=key-->`: the number before it is the key's value, rounded as printed. Keys are of the
/// page's own `figures/results.json`; of another chapter's as `NN_name:key`, of another file of the
/// page's as `name.json:key`.
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
    let own = page.folder().join("figures");
    let (file, key) = match key.split_once(':') {
        Some((name, key)) if name.ends_with(".json") => (own.join(name), key),
        Some((chapter, key)) => (page.root.join(chapter).join("figures/results.json"), key),
        None => (own.join("results.json"), key),
    };
    let results = std::fs::read_to_string(&file)
        .map_err(|error| format!("has no results: {}: {error}", file.display()))?;
    let results: Value = serde_json::from_str(&results)
        .map_err(|error| format!("has no results: {}: {error}", file.display()))?;
    match named(&results, key) {
        Some(Value::Number(measured)) => {
            let measured = measured.as_f64().expect("a JSON number is a number");
            let printed = Printed::at_end_of(before).ok_or("stands after no number")?;
            if printed.is(measured) {
                Ok(())
            } else {
                Err(format!("stands after {}, but {measured} was measured", printed.value))
            }
        }
        Some(Value::String(word)) if unwrapped(before).ends_with(word) => Ok(()),
        Some(Value::String(word)) => Err(format!("does not stand after “{word}”")),
        Some(_) => Err("names something that is no number".into()),
        None => Err(format!("names no value in {}", file.display())),
    }
}

/// `fits[2].mse` in `{"fits": [{}, {}, {"mse": 0.3}]}`.
fn named<'v>(results: &'v Value, key: &str) -> Option<&'v Value> {
    key.split('.').try_fold(results, |value, step| {
        let mut indices = step.split('[');
        let name = indices.next()?;
        let value = if name.is_empty() { value } else { value.get(name)? };
        indices.try_fold(value, |value, index| {
            value.get(index.strip_suffix(']')?.parse::<usize>().ok()?)
        })
    })
}

/// Text before what closes emphasis, code or a formula.
fn unwrapped(text: &str) -> &str {
    text.trim_end_matches(['*', '_', '`', '$', ')', ']'])
}

/// A number as it is printed, and what one unit of its last digit is worth.
struct Printed {
    value: f64,
    unit: f64,
}

impl Printed {
    /// Reads `0.31`, `−2`, `1,234,567`, `3.1 ×`, `12.5 %`, `1.2e-3` and `1.2·10⁻³`.
    fn at_end_of(text: &str) -> Option<Printed> {
        let text = unwrapped(text);
        let (text, scale) = match text.strip_suffix('%') {
            Some(text) => (text.trim_end(), 0.01),
            None => (text.strip_suffix('×').unwrap_or(text).trim_end(), 1.0),
        };
        let (text, exponent) = power_of_ten(text)?;
        let is_part = |c: char| c.is_ascii_digit() || "+-−.,eE\u{a0}\u{2009}\u{202f}".contains(c);
        let tail = text.trim_end_matches(is_part).len();
        // `0.1,0.2` ends in the number 0.2: the longest end that is a number counts.
        let ends = text[tail..].char_indices().map(|(i, _)| tail + i);
        let is_sign = |c: char| "+-−".contains(c);
        let number = ends
            .filter(|&i| {
                !(text[i..].starts_with(is_sign) && text[..i].ends_with(char::is_alphanumeric))
            })
            .find_map(|i| Printed::parse(&text[i..]))?;
        let scale = scale * 10f64.powi(exponent);
        Some(Printed { value: number.value * scale, unit: number.unit * scale })
    }

    fn parse(text: &str) -> Option<Printed> {
        let text = text.replace('−', "-");
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.trim_start_matches(['+', '-']);
        let separator = digits.find(|c: char| !c.is_ascii_digit());
        if let Some(separator) = separator.and_then(|i| digits[i..].chars().next()) {
            let mut groups = digits.split(separator);
            let first = groups.next()?;
            if !(1..=3).contains(&first.len()) || groups.any(|group| group.len() != 3) {
                return None;
            }
        }
        let plain: String =
            whole.chars().filter(|c| c.is_ascii_digit() || "+-".contains(*c)).collect();
        if digits.is_empty() || !fraction.chars().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let exponent: i32 = exponent.parse().ok()?;
        let unit = 10f64.powi(exponent - fraction.len() as i32);
        Some(Printed { value: format!("{plain}.{fraction}e{exponent}").parse().ok()?, unit })
    }

    /// Whether a measured value, rounded to the printed digits, is what is printed.
    fn is(&self, measured: f64) -> bool {
        (measured - self.value).abs() <= self.unit * (0.5 + 1e-6)
    }
}

/// Splits `1.2·10⁻³` into `1.2` and −3; without such a factor the exponent is 0.
fn power_of_ten(text: &str) -> Option<(&str, i32)> {
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    let rest = text.trim_end_matches(|c| SUPERSCRIPTS.contains(c));
    if rest.len() == text.len() {
        return Some((text, 0));
    }
    let exponent: String = text[rest.len()..]
        .chars()
        .map(|c| match SUPERSCRIPTS.chars().position(|s| s == c) {
            Some(digit @ 0..=9) => char::from(b'0' + digit as u8),
            _ => '-',
        })
        .collect();
    let mantissa = rest.strip_suffix("10")?.trim_end().strip_suffix(['·', '×'])?.trim_end();
    Some((mantissa, exponent.parse().ok()?))
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
