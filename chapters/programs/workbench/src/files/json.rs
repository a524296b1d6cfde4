//! JSON as records have it.

use crate::folders::as_written;
use serde::Serialize;
use serde_json::Value;

/// How long a line may be that holds a whole array or object.
const WIDTH: usize = 100;

/// A value as indented JSON, in which an array of nothing but numbers, and whatever fits, stands on one line.
///
/// What was written, read and written again is the same text.
///
/// ```
/// use workbench::files::json_text;
/// let value = serde_json::json!({"seeds": [1, 2.5, null], "long": vec!["one after another"; 9]});
/// let text = json_text(&value);
/// assert!(text.starts_with("{\n  \"seeds\": [1, 2.5, null],\n  \"long\": [\n    \"one"), "{text}");
/// let again: serde_json::Value = serde_json::from_str(&text)?;
/// assert_eq!(json_text(&again), text);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Panics
/// When a key of a map is neither a text nor a number.
pub fn json_text(value: &impl Serialize) -> String {
    let value = as_written(value).expect("keys are texts or numbers");
    match &value {
        Value::Object(_) => object(&value, "\n", false) + "\n", // what marks a record has a line of its own
        _ => indented(&value, "\n") + "\n",
    }
}

/// `line`: the end of a line and the blanks that the next one begins with.
fn indented(value: &Value, line: &str) -> String {
    match value {
        Value::Array(items) => {
            let numbers = items.iter().all(|item| item.is_number() || item.is_null());
            let inner = format!("{line}  ");
            let items: Vec<String> = items.iter().map(|item| indented(item, &inner)).collect();
            block(["[", "]"], &items, line, numbers)
        }
        Value::Object(_) => object(value, line, true),
        _ => value.to_string(),
    }
}

fn object(value: &Value, line: &str, may_be_short: bool) -> String {
    let inner = format!("{line}  ");
    let mut fields = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        fields.push(format!("{}: {}", Value::from(name.as_str()), indented(value, &inner)));
    }
    if may_be_short || fields.is_empty() {
        return block(["{", "}"], &fields, line, false);
    }
    format!("{{{inner}{}{line}}}", fields.join(&format!(",{inner}")))
}

/// Items between brackets: on one line where they must, or fit, or there are none.
fn block([open, close]: [&str; 2], items: &[String], line: &str, on_one_line: bool) -> String {
    let short = format!("{open}{}{close}", items.join(", "));
    if on_one_line || !short.contains('\n') && short.len() <= WIDTH {
        return short;
    }
    format!("{open}{line}  {}{line}{close}", items.join(&format!(",{line}  ")))
}
