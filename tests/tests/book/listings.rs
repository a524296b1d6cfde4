//! Listings are the code that they show.

use formulas::listing::filled;

use super::Page;
use super::small::proven;

/// Every listing and every table is what its source has now; nothing is left to be put in later.
pub fn listings(page: &Page) -> Vec<String> {
    let mut faults: Vec<String> = page
        .text
        .match_indices("{{#")
        .map(|(at, _)| {
            page.fault(at, "a listing stands in the page: `<!-- listing: FILE:ANCHOR -->`")
        })
        .collect();
    match filled(&page.text, &page.file) {
        Err(found) => {
            faults.extend(found.iter().map(|what| format!("{}:{what}", page.fault(0, ""))))
        }
        Ok(now) => {
            let lines = page.text.lines().zip(now.lines());
            let same: usize = lines.take_while(|(a, b)| a == b).map(|(a, _)| a.len() + 1).sum();
            if now.trim_end() != page.text.trim_end() {
                let at = same.min(page.text.len());
                faults.push(
                    page.fault(at, "not the code as it is: cargo run -p tests --example listings"),
                );
            }
        }
    }
    faults
}

#[test]
fn listings_that_differ_are_found() {
    proven(
        listings,
        &[
            "<!-- listing: src/lib.rs:f -->\n```rust\nfn f() {}\n```\n",
            "```rust\nlet x = 1;\n```\n\n<!-- a comment -->\n",
        ],
        &[
            (
                "<!-- listing: src/lib.rs:f -->\n```rust\nfn f() { }\n```\n",
                "README.md:3: not the code",
            ),
            (
                "<!-- listing: src/lib.rs:f -->\n```rust\nfn f() {}\n\n```\n",
                "not the code as it is",
            ),
            (
                "one\n<!-- listing: src/main.rs -->\n```rust\n```\n",
                "2: `src/main.rs` cannot be read",
            ),
            ("<!-- listing: src/lib.rs:missing -->\n```rust\n```\n", "names no anchor"),
            ("<!-- listing: src/lib.rs:open -->\n```rust\n```\n", "names no anchor"),
            ("<!-- listing: src/lib.rs:g -->\n```rust\n```\n", "shows nothing"),
            ("<!-- listing: src/lib.rs:f -->\n\ntext\n", "no code follows"),
            ("one\ntwo {{#include src/lib.rs}}", "README.md:2: a listing stands in the page"),
        ],
    );
}
