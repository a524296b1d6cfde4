//! JSON as records have it.

use crate::folders::as_written;
use serde::Serialize;
use serde_json::Value;

/// A value as indented JSON, in which an array of nothing but numbers stands on one line.
///
/// What was written, read and written again is the same text.
///
/// ```
/// use workbench::files::json_text;
/// let text = json_text(&serde_json::json!({"seeds": [1, 2.5, null], "names": ["a"], "rest": {}}));
/// assert_eq!(text, "{\n  \"seeds\": [1, 2.5, null],\n  \"names\": [\n    \"a\"\n  ],\n  \"rest\": {}\n}\n");
/// let again: serde_json::Value = serde_json::from_str(&text)?;
/// assert_eq!(json_text(&again), text);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Panics
/// When a key of a map is neither a text nor a number.
pub fn json_text(value: &impl Serialize) -> String {
    let value = as_written(value).expect("keys are texts or numbers");
    indented(&value, "\n") + "\n"
}

/// `line`: the end of a line and the blanks that the next one begins with.
fn indented(value: &Value, line: &str) -> String {
    let inner = format!("{line}  ");
    let block = |[open, close]: [&str; 2], items: Vec<String>| match &items[..] {
        [] => format!("{open}{close}"),
        _ => format!("{open}{inner}{}{line}{close}", items.join(&format!(",{inner}"))),
    };
    match value {
        Value::Array(items) if items.iter().all(|item| item.is_number() || item.is_null()) => {
            format!("[{}]", items.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            block(["[", "]"], items.iter().map(|item| indented(item, &inner)).collect())
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{}: {}", Value::from(name.as_str()), indented(value, &inner))
            };
            block(["{", "}"], fields.iter().map(field).collect())
        }
        _ => value.to_string(),
    }
}
