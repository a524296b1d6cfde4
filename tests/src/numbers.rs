//! Numbers that pages quote, and the records they are quoted from.
//!
//! `0.31<!--=key-->` is the value of `key` in the page's own `figures/results.json`, rounded as printed;
//! `NN_name:key` is of another chapter's, `name.json:key` of another file of the page's. In a table the number is
//! written by [`filled`] from its mark; in a sentence a person writes it, and a test compares.

use serde_json::Value;
use std::ops::Range;
use std::path::Path;

/// The value that a mark on a page in `folder` names, in a book whose source is `root`.
///
/// # Errors
/// When there is no such record, or nothing of this name in it.
pub fn recorded(folder: &Path, root: &Path, key: &str) -> Result<Value, String> {
    let own = folder.join("figures");
    let (file, key) = match key.split_once(':') {
        Some((name, key)) if name.ends_with(".json") => (own.join(name), key),
        Some((chapter, key)) => (root.join(chapter).join("figures/results.json"), key),
        None => (own.join("results.json"), key),
    };
    let no_results =
        |error: &dyn std::fmt::Display| format!("has no results: {}: {error}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|error| no_results(&error))?;
    let results: Value = serde_json::from_str(&text).map_err(|error| no_results(&error))?;
    named(&results, key).cloned().ok_or_else(|| format!("names no value in {}", file.display()))
}

/// A page with every marked number of its tables as the record has it, in the digits that it is printed with.
/// What names nothing is left for the test of the pages.
pub fn filled(markdown: &str, page: &Path) -> String {
    let folder = page.parent().expect("a file lies in a folder");
    let root =
        folder.ancestors().find(|folder| folder.join("SUMMARY.md").exists()).unwrap_or(folder);
    let cell = |cell: &str| {
        let Some((before, key)) = cell.rsplit_once("<!--=") else { return cell.to_owned() };
        let Ok(Value::Number(measured)) = recorded(folder, root, key) else {
            return cell.to_owned();
        };
        let measured = measured.as_f64().expect("a JSON number is a number");
        match Printed::at_end_of(before) {
            Some(printed) if !printed.is(measured) => {
                let Range { start, end } = printed.place.clone();
                [&before[..start], &printed.write(measured), &before[end..], "<!--=", key].concat()
            }
            _ => cell.to_owned(),
        }
    };
    let mut lines: Vec<String> = markdown.split('\n').map(str::to_owned).collect();
    for line in lines.iter_mut().filter(|line| line.starts_with('|')) {
        *line = line.split("-->").map(cell).collect::<Vec<_>>().join("-->");
    }
    lines.join("\n")
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
pub fn unwrapped(text: &str) -> &str {
    text.trim_end_matches(['*', '_', '`', '$', ')', ']'])
}

/// A number as it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// The number that it says.
    pub value: f64,
    /// The worth of one unit of its last digit.
    unit: f64,
    /// Where its digits stand, and what a unit of them is worth: 0.01 before `%`.
    place: Range<usize>,
    scale: f64,
}

impl Printed {
    /// Reads `0.31`, `−2`, `1,234,567`, `3.1 ×`, `12.5 %`, `1.2e-3` and `1.2·10⁻³`.
    pub fn at_end_of(text: &str) -> Option<Printed> {
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
        let mut whole = ends.filter(|i| {
            let signed = text[*i..].starts_with(['+', '-', '−']);
            !(signed && text[..*i].ends_with(char::is_alphanumeric))
        });
        let (begin, (value, unit)) = whole.find_map(|i| Some((i, Printed::parse(&text[i..])?)))?;
        let scale = scale * 10f64.powi(exponent);
        let place = begin..text.len();
        Some(Printed { value: value * scale, unit: unit * scale, place, scale })
    }

    /// Value and unit of the last digit.
    fn parse(text: &str) -> Option<(f64, f64)> {
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
        Some((format!("{plain}.{fraction}e{exponent}").parse().ok()?, unit))
    }

    /// The digits of another value, as many after the point as here; in groups of three from 10,000 on.
    fn write(&self, measured: f64) -> String {
        let decimals = (-(self.unit / self.scale).log10().round()).max(0.0) as usize;
        let text = format!("{:.decimals$}", (measured / self.scale).abs());
        let (whole, fraction) =
            text.split_once('.').map_or((&text[..], ""), |(a, _)| (a, &text[a.len()..]));
        let groups =
            whole.as_bytes().rchunks(3).rev().map(|three| str::from_utf8(three).expect("digits"));
        let separator = if whole.len() > 4 { "," } else { "" };
        let sign =
            if measured < 0.0 && text.contains(|c| ('1'..='9').contains(&c)) { "−" } else { "" };
        [sign, &groups.collect::<Vec<_>>().join(separator), fraction].concat()
    }

    /// Whether a measured value, rounded to the printed digits, is what is printed.
    pub fn is(&self, measured: f64) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_get_the_numbers_of_their_marks_and_sentences_do_not() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("figures")).unwrap();
        let record = r#"{"a": 0.4567, "b": [-12345.6], "n": 7}"#;
        std::fs::write(folder.path().join("figures/results.json"), record).unwrap();
        let page = folder.path().join("README.md");
        let filled = |text: &str| filled(text, &page);
        assert_eq!(
            filled(
                "| x | 0.31<!--=a-->, **12 %**<!--=a--> | 1<!--=b[0]--> (0.46<!--=a-->) |\nand 0.31<!--=a-->\n"
            ),
            "| x | 0.46<!--=a-->, **46 %**<!--=a--> | −12,346<!--=b[0]--> (0.46<!--=a-->) |\nand 0.31<!--=a-->\n"
        );
        assert_eq!(filled("| 0.3<!--=c--> | one <!--=n--> |"), "| 0.3<!--=c--> | one <!--=n--> |");
    }
}
