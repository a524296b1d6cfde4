//! What a chapter has committed: its measured results and its page.

use serde::de::DeserializeOwned;
use std::fs::read_to_string;

/// `figures/results.json` of the chapter in `folder`, which is `env!("CARGO_MANIFEST_DIR")` there.
///
/// # Panics
/// When it is not there, or not of this form.
pub fn results<T: DeserializeOwned>(folder: &str) -> T {
    let path = format!("{folder}/figures/results.json");
    let text = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Asserts that the chapter's page lists every claim, word for word, with its outcome.
///
/// # Panics
/// When it does not.
pub fn page_tells<'a>(folder: &str, claims: impl IntoIterator<Item = (&'a str, bool)>) {
    let path = format!("{folder}/README.md");
    let page = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    for (claim, holds) in claims {
        let row = format!("| {claim} | {} |", if holds { "held" } else { "**failed**" });
        assert!(page.contains(&row), "the page does not say: {row}");
    }
}
