//! What a chapter has committed: its measured results and its page of attentions.

use serde::de::DeserializeOwned;
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

/// Asserts that the committed `figures/attention.html` is the page that `draw` makes of the data in it:
/// the weights are those of a training, all around them is what the viewer writes today.
/// `REDRAW=1` writes it instead.
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
