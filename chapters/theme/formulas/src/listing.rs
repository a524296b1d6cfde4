//! Listings: which file each is from, and doc comments out of the way.
//!
//! A page names the file it includes, mdBook puts the code in its place. So [`name_files`] runs
//! before mdBook's own preprocessor `links`, and [`fold_docs`] after it.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Writes the file's name over every listing that is included from one, as a link where the file
/// can be read.
///
/// `page` is the page's file and `root` the repository's folder. `repository` is where the
/// repository is published, if anywhere: there a link leads to the line. Without it a link leads
/// to the copy that mdBook makes of every file beside a page; what lies elsewhere gets no link.
pub fn name_files(markdown: &str, page: &Path, root: &Path, repository: Option<&str>) -> String {
    let folder = page.parent().expect("a page lies in a folder");
    let mut named = String::with_capacity(markdown.len());
    let mut lines = markdown.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        let (quote, text) = line.split_at(line.len() - line.trim_start_matches(['>', ' ']).len());
        let fence = text.starts_with("```");
        inside ^= fence;
        if fence
            && inside
            && let Some((file, part)) = lines.peek().and_then(|line| included(line))
        {
            let path = normal(&folder.join(file));
            let code = std::fs::read_to_string(&path).unwrap_or_default();
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let at = first_line(&code, part);
            let target = match repository {
                Some(url) => Some(format!("{}/blob/main/{name}#L{at}", url.trim_end_matches('/'))),
                None => (!file.starts_with("..")).then(|| file.to_owned()),
            };
            let name = match target {
                Some(target) => format!("[`{name}`]({target})"),
                None => format!("`{name}`"),
            };
            writeln!(named, "{quote}<span class=\"source\">{name}, line {at}</span>\n{quote}")
                .expect("a string takes every text");
        }
        named += line;
        named.push('\n');
    }
    named
}

/// `{{#include file:part}}` → (`file`, `part`).
fn included(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once("{{#include ")?;
    let target = rest.split_once("}}")?.0.trim();
    Some(target.split_once(':').unwrap_or((target, "")))
}

/// The number of the first line that is printed.
fn first_line(code: &str, part: &str) -> usize {
    if let Some(first) = part.split(':').next().and_then(|first| first.parse().ok()) {
        return first;
    }
    let mark = |line: &str| line.split_once("ANCHOR:").is_some_and(|(_, name)| name.trim() == part);
    code.lines().position(mark).map_or(1, |anchor| anchor + 2)
}

/// A path without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Folds the doc comments of Rust listings that are longer than a line: the page says the same in
/// full. mdBook hides a line of Rust that begins with `# `, and shows it when the reader asks.
pub fn fold_docs(markdown: &str) -> String {
    let mut folded = String::with_capacity(markdown.len());
    let mut rust = false;
    let lines: Vec<&str> = markdown.lines().collect();
    let is_doc = |i: usize| lines.get(i).is_some_and(|line| line.trim_start().starts_with("///"));
    for (i, line) in lines.iter().enumerate() {
        match line.trim_start_matches(['>', ' ']) {
            fence if fence.starts_with("```") => rust = fence.starts_with("```rust"),
            _ if rust && is_doc(i) && (is_doc(i + 1) || i > 0 && is_doc(i - 1)) => folded += "# ",
            _ => {}
        }
        folded += line;
        folded.push('\n');
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Text.\n\n```rust\n{{#include src/lib.rs:f}}\n```\n\n> ```text\n> {{#include ../shared/x.txt}}\n> ```\n\n```rust\nlet x = 1;\n```\n";

    #[test]
    fn a_listing_names_its_file_and_line() {
        let root = tempfile::tempdir().unwrap();
        let page = root.path().join("01_x/README.md");
        std::fs::create_dir_all(root.path().join("01_x/src")).unwrap();
        let code = "use a;\n// ANCHOR: f_too\n// ANCHOR: f\nfn f() {}\n// ANCHOR_END: f\n";
        std::fs::write(root.path().join("01_x/src/lib.rs"), code).unwrap();
        let local = name_files(PAGE, &page, root.path(), None);
        assert!(local.contains(
            "<span class=\"source\">[`01_x/src/lib.rs`](src/lib.rs), line 4</span>\n\n```rust\n{{#include"
        ));
        assert!(
            local.contains("> <span class=\"source\">`shared/x.txt`, line 1</span>\n> \n> ```")
        );
        assert_eq!(local.matches("class=\"source\"").count(), 2);
        let published = name_files(PAGE, &page, root.path(), Some("https://e.org/a/"));
        assert!(published.contains("(https://e.org/a/blob/main/01_x/src/lib.rs#L4)"));
        assert!(published.contains("(https://e.org/a/blob/main/shared/x.txt#L1)"));
    }

    #[test]
    fn long_doc_comments_are_folded_and_short_ones_stay() {
        let folded = fold_docs(
            "```rust\n/// One line.\nfn f() {}\n    /// Two\n    /// lines.\n    fn g() {}\n```\n\n```text\n/// a\n/// b\n```\n",
        );
        assert_eq!(
            folded,
            "```rust\n/// One line.\nfn f() {}\n#     /// Two\n#     /// lines.\n    fn g() {}\n```\n\n```text\n/// a\n/// b\n```\n"
        );
    }
}
