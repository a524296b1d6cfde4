//! What a chapter has committed: its measured results and its page.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;
use std::fs::{read_to_string, write};

/// `figures/results.json` of the chapter in `folder`, which is `env!("CARGO_MANIFEST_DIR")` there.
///
/// # Panics
/// When it is not there, or not of this form.
pub fn results<T: DeserializeOwned>(folder: &str) -> T {
    let path = format!("{folder}/figures/results.json");
    let text = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Asserts that the committed `figures/NAME.svg` are these, drawn from the recorded results.
///
/// `REDRAW=1 cargo test -p CHAPTER --test checks drawn` writes them instead: after a change of the
/// drawing no long experiment needs to run again.
///
/// # Panics
/// When a committed figure is another, or cannot be read or written.
pub fn figures(folder: &str, drawn: impl IntoIterator<Item = (impl AsRef<str>, impl Display)>) {
    for (name, figure) in drawn {
        let path = format!("{folder}/figures/{}.svg", name.as_ref());
        let figure = figure.to_string();
        if std::env::var_os("REDRAW").is_some() {
            write(&path, &figure).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let committed = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(
            same(&committed, &figure),
            "{path} is not what the results give; REDRAW=1 writes it"
        );
    }
}

/// Whether two drawings differ by no more than a unit in the whole numbers of their coordinates: processors
/// add up in different order.
fn same(one: &str, other: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let apart = |svg: &str| -> (Vec<String>, Vec<i64>) {
        let words = svg.split(is_digit).filter(|word| !word.is_empty()).map(String::from);
        let numbers = svg.split(|c| !is_digit(c)).filter_map(|number| number.parse().ok());
        (words.collect(), numbers.collect())
    };
    let ((words, numbers), (others, other_numbers)) = (apart(one), apart(other));
    words == others
        && numbers.len() == other_numbers.len()
        && numbers.iter().zip(&other_numbers).all(|(a, b)| (a - b).abs() <= 1)
}

/// Asserts that the committed `figures/attention.html` is the page that `draw` makes of the data in it:
/// the weights are those of a training, all around them is what the viewer writes today.
/// `REDRAW=1` writes it, as it does [`figures`].
///
/// # Panics
/// When it is another, or cannot be read or written.
pub fn attentions(folder: &str, draw: impl Fn(&str) -> String) {
    let path = format!("{folder}/figures/attention.html");
    let committed = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (_, data) = committed.split_once(r#"id="data">"#).expect("data");
    let page = draw(data.split_once("</script>").expect("the end of the data").0);
    if std::env::var_os("REDRAW").is_some() {
        return write(&path, &page).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    assert!(page == committed, "{path} is not what the viewer writes; REDRAW=1 writes it");
}

/// `figures/results.json`, which must be what `judge` makes of the numbers recorded in it: differences,
/// intervals, verdicts.
///
/// `REJUDGE=1 cargo test -p CHAPTER --test checks judged` writes it instead: after a change of the
/// judging no long experiment needs to run again.
///
/// # Panics
/// When it is not so, or the file cannot be read or written.
pub fn judged<T: Serialize + DeserializeOwned>(folder: &str, judge: impl Fn(T) -> T) -> T {
    let path = format!("{folder}/figures/results.json");
    let judged = judge(results(folder));
    let text = serde_json::to_string_pretty(&judged).expect("numbers") + "\n";
    if std::env::var_os("REJUDGE").is_some() {
        write(&path, &text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let committed = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let is_numbers = |line: &&str| !line.starts_with("  \"program\": ");
    let numbers: String = committed.split_inclusive('\n').filter(is_numbers).collect();
    assert!(numbers == text, "{path} is not what its own numbers give; REJUDGE=1 writes it");
    judged
}

/// Asserts that `judged`, which claims hold by the committed numbers, is what `results.json` says
/// under `claims`, and that the page has a row for every claim, word for word, with its outcome.
/// `judged` is by name an object with the fields `claim` and `holds`.
///
/// # Panics
/// When it is not so.
pub fn claims(folder: &str, judged: &impl Serialize) {
    let judged = serde_json::to_value(judged).expect("claims by name");
    let committed: Value = results(folder);
    assert_eq!(judged, committed["claims"], "the claims do not follow from the numbers");
    claims_on_page(folder, &judged);
}

/// The chapter's text: its page, and its measurements where they have a page of their own.
///
/// # Panics
/// When there is no page.
pub fn pages(folder: &str) -> String {
    let path = format!("{folder}/README.md");
    let page = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    page + &read_to_string(format!("{folder}/measurements.md")).unwrap_or_default()
}

/// Asserts that the pages have a row for every claim of `judged`, word for word, with its outcome.
///
/// # Panics
/// When it is not so.
pub fn claims_on_page(folder: &str, judged: &impl Serialize) {
    let judged = serde_json::to_value(judged).expect("claims by name");
    let page = pages(folder);
    let claims = judged.as_object().expect("claims by name");
    assert!(!claims.is_empty(), "no claims");
    for claim in claims.values() {
        let holds = match claim["holds"].as_bool() {
            Some(true) => "held",
            Some(false) => "**failed**",
            None => "not decided",
        };
        let row = format!("| {} | {holds} |", claim["claim"].as_str().expect("a sentence"));
        assert!(page.contains(&row), "the pages do not say: {row}");
    }
}

/// Asserts that results measured again are those recorded: the same names, the same words, and numbers that
/// differ by no more than such a part of themselves. What begins with one of the `noisy` places, such as
/// `.descents.`, may have any value.
///
/// # Panics
/// When they are not.
pub fn alike(place: &str, then: &Value, now: &Value, part: f64, noisy: &[&str]) {
    match (then, now) {
        _ if noisy.iter().any(|noisy| place.starts_with(noisy)) => {}
        (Value::Object(then), Value::Object(now)) => {
            assert!(then.keys().eq(now.keys()), "{place}: {then:?} and {now:?}");
            let each =
                then.iter().map(|(name, then)| (format!("{place}.{name}"), then, &now[name]));
            each.for_each(|(place, then, now)| alike(&place, then, now, part, noisy));
        }
        (Value::Array(then), Value::Array(now)) => {
            assert_eq!(then.len(), now.len(), "{place}");
            then.iter().zip(now).for_each(|(then, now)| alike(place, then, now, part, noisy));
        }
        (Value::Number(then), Value::Number(now)) => {
            let [then, now] = [then, now].map(|number| number.as_f64().expect("a number"));
            let close = (then - now).abs() <= part * then.abs() + 1e-9;
            assert!(close, "{place}: {then} before, {now} now");
        }
        _ => assert_eq!(then, now, "{place}"),
    }
}
