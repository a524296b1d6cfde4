//! Included files, anchors and lines exist.

use super::Page;
use super::small::proven;

/// Every `{{#include file}}`, `{{#include file:anchor}}` and `{{#include file:3:7}}`.
pub fn includes(page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, _) in page.text.match_indices("{{#") {
        if page.text[..at].ends_with('\\') {
            continue; // shown, not meant
        }
        let fault = |what: &str| {
            let directive = page.text[at..].split_inclusive("}}").next().unwrap_or_default();
            page.fault(at, format!("`{}` {what}", directive.lines().next().unwrap_or_default()))
        };
        let inner = page.text[at + 3..].split("}}").next().unwrap_or_default();
        let Some((kind, target)) = inner.split_once(' ') else {
            faults.push(fault("includes nothing"));
            continue;
        };
        if kind == "title" {
            continue;
        }
        let (file, part) = target.trim().split_once(':').unwrap_or((target.trim(), ""));
        match std::fs::read_to_string(page.folder().join(file)) {
            Err(error) => faults.push(fault(&format!("cannot be read: {error}"))),
            Ok(code) if part.is_empty() => {
                if code.trim().is_empty() {
                    faults.push(fault("is empty"));
                }
            }
            Ok(code) if part.starts_with(|c: char| c.is_ascii_digit() || c == ':') => {
                let last = part.split(':').filter_map(|n| n.parse().ok()).max().unwrap_or(0);
                if last > code.lines().count() {
                    faults.push(fault("names lines beyond the end of the file"));
                }
            }
            Ok(code) => match anchored(&code, part) {
                None => faults.push(fault("names an anchor that does not exist")),
                Some(false) => faults.push(fault("names an anchor with nothing between its marks")),
                Some(true) => {}
            },
        }
    }
    faults
}

/// Whether there is code between an anchor's marks; `None` when a mark is missing.
fn anchored(code: &str, anchor: &str) -> Option<bool> {
    let is = |line: &str, mark: &str| {
        let named = line.split_once(mark).map(|(_, name)| name.trim());
        named.and_then(|name| name.split_whitespace().next()) == Some(anchor)
    };
    let start = code.lines().position(|line| is(line, "ANCHOR:"))?;
    let inside: Vec<&str> =
        code.lines().skip(start + 1).take_while(|line| !is(line, "ANCHOR_END:")).collect();
    code.lines().nth(start + 1 + inside.len())?;
    Some(inside.iter().any(|line| !line.trim().is_empty() && !line.contains("ANCHOR")))
}

#[test]
fn missing_includes_and_anchors_are_found() {
    proven(
        includes,
        &[
            "```rust\n{{#include src/lib.rs:f}}\n```\n",
            "{{#include src/lib.rs}}",
            "{{#include src/lib.rs:2:3}}",
            r"\{{#include shown.rs}}",
        ],
        &[
            (
                "one\ntwo {{#include src/main.rs}}",
                "README.md:2: `{{#include src/main.rs}}` cannot be read",
            ),
            ("{{#include src/lib.rs:missing}}", "an anchor that does not exist"),
            ("{{#include src/lib.rs:open}}", "an anchor that does not exist"),
            ("{{#include src/lib.rs:g}}", "nothing between its marks"),
            ("{{#include src/lib.rs:2:30}}", "beyond the end"),
            ("{{#include}}", "includes nothing"),
        ],
    );
}
