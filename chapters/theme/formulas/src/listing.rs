//! Listings: they stand in the page, so that it is whole wherever it is read, and are kept equal to
//! the code they show.
//!
//! A comment over the fence names the source: a file and, after a colon, the anchor between whose
//! marks the code stands. Several of them are printed one below the other.
//!
//! ````text
//! <!-- listing: src/lib.rs:attention -->
//! ```rust
//! ````
//!
//! A table that a program reads is shown likewise, below `<!-- table: words.md -->`. [`filled`] puts
//! into each place what its source has now, and [`name_files`] writes over a listing, in the built
//! book, which file that is.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The page with every listing as its source has it now; or what is wrong with it, a line a fault.
///
/// Doc comments of more than a line are left out: the page says the same in full.
pub fn filled(markdown: &str, page: &Path) -> Result<String, Vec<String>> {
    let (mut filled, mut faults) = (String::with_capacity(markdown.len()), Vec::new());
    let mut lines = markdown.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        filled += line;
        filled.push('\n');
        if let Some(("", source)) = named(line, "table") {
            while lines.next_if(|(_, line)| line.starts_with('|')).is_some() {}
            match code(source, page, false) {
                Ok(table) => filled += &table,
                Err(what) => faults.push(format!("{}: {what}", at + 1)),
            }
            continue;
        }
        let Some((quote, sources)) = named(line, "listing") else { continue };
        let mut fault = |what: String| faults.push(format!("{}: {what}", at + 1));
        let Some((_, fence)) = lines.next().filter(|(_, fence)| fenced(fence).is_some()) else {
            fault("a listing is named, and no code follows".into());
            continue;
        };
        match code(sources, page, fenced(fence) == Some("rust")) {
            Ok(code) => {
                writeln!(filled, "{fence}").expect("a string takes every text");
                for line in code.lines() {
                    filled = filled + format!("{quote}{line}").trim_end() + "\n";
                }
                writeln!(filled, "{quote}```").expect("a string takes every text");
            }
            Err(what) => fault(what),
        }
        if lines.find(|(_, line)| fenced(line) == Some("")).is_none() {
            fault("a listing without an end".into());
        }
    }
    if faults.is_empty() { Ok(filled) } else { Err(faults) }
}

/// Writes the file's name over every listing, as a link where the file can be read.
///
/// `page` is the page's file and `root` the repository's folder. `repository` is where the
/// repository is published, if anywhere: there a link leads to the line. Without it a link leads
/// to the copy that mdBook makes of every file beside a page; what lies elsewhere gets no link.
pub fn name_files(markdown: &str, page: &Path, root: &Path, repository: Option<&str>) -> String {
    let folder = folder(page);
    let mut with_names = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let source = named(line, "listing")
            .and_then(|(quote, sources)| Some((quote, sources.split(' ').next()?)));
        let Some((quote, source)) = source else {
            with_names += line;
            with_names.push('\n');
            continue;
        };
        let (file, anchor) = parts(source);
        let path = normal(&folder.join(file));
        let code = std::fs::read_to_string(&path).unwrap_or_default();
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let mark = code.lines().position(|line| marked(line, "ANCHOR:", anchor));
        let at = mark.map_or(1, |mark| mark + 2);
        let target = match repository {
            Some(url) => Some(format!("{}/blob/main/{name}#L{at}", url.trim_end_matches('/'))),
            None => (!file.starts_with("..")).then(|| file.to_owned()),
        };
        let name = match target {
            Some(target) => format!("[`{name}`]({target})"),
            None => format!("`{name}`"),
        };
        writeln!(with_names, "{quote}<span class=\"source\">{name}, line {at}</span>\n{quote}")
            .expect("a string takes every text");
    }
    with_names
}

/// `<!-- listing: a.rs:f b.rs -->` → what stands before it, and `a.rs:f b.rs`.
fn named<'l>(line: &'l str, kind: &str) -> Option<(&'l str, &'l str)> {
    let (quote, comment) = line.split_at(line.find("<!-- ")?);
    let sources = comment.strip_prefix("<!-- ")?.strip_prefix(kind)?.strip_prefix(": ")?;
    let quotes = quote.chars().all(|c| "> ".contains(c));
    quotes.then_some((quote, sources.strip_suffix(" -->")?))
}

/// The language of a fence that opens; of one that closes, nothing.
fn fenced(line: &str) -> Option<&str> {
    line.trim_start_matches(['>', ' ']).strip_prefix("```")
}

fn parts(source: &str) -> (&str, &str) {
    source.split_once(':').unwrap_or((source, ""))
}

fn folder(page: &Path) -> &Path {
    page.parent().expect("a page lies in a folder")
}

/// What `sources` show.
fn code(sources: &str, page: &Path, rust: bool) -> Result<String, String> {
    let mut all = Vec::new();
    for source in sources.split(' ') {
        let (file, anchor) = parts(source);
        let read = std::fs::read_to_string(folder(page).join(file));
        let code = read.map_err(|error| format!("`{source}` cannot be read: {error}"))?;
        let shown = anchored(&code, anchor).ok_or_else(|| format!("`{source}` names no anchor"))?;
        let shown = if rust { without_docs(&shown) } else { shown };
        if shown.iter().all(|line| line.trim().is_empty()) {
            return Err(format!("`{source}` shows nothing"));
        }
        if shown.iter().any(|line| fenced(line).is_some()) {
            return Err(format!("`{source}` shows a fence"));
        }
        all.push(shown.join("\n").trim_end().to_owned() + "\n");
    }
    Ok(all.join("\n"))
}

/// The lines between an anchor's marks, or all, without other marks; `None` where one is missing.
fn anchored<'c>(code: &'c str, anchor: &str) -> Option<Vec<&'c str>> {
    let lines: Vec<&str> = code.lines().collect();
    let inside = if anchor.is_empty() {
        &lines[..]
    } else {
        let start = 1 + lines.iter().position(|line| marked(line, "ANCHOR:", anchor))?;
        let length = lines[start..].iter().position(|line| marked(line, "ANCHOR_END:", anchor))?;
        &lines[start..start + length]
    };
    let marks = ["ANCHOR:", "ANCHOR_END:"];
    let code = inside.iter().filter(|line| !marks.iter().any(|mark| line.contains(mark)));
    Some(code.copied().collect())
}

fn marked(line: &str, mark: &str, anchor: &str) -> bool {
    line.split_once(mark).is_some_and(|(_, name)| name.trim() == anchor)
}

/// Leaves out doc comments of more than a line.
fn without_docs<'c>(lines: &[&'c str]) -> Vec<&'c str> {
    let is_doc = |i: usize| lines.get(i).is_some_and(|line| line.trim_start().starts_with("///"));
    let long = |i: usize| is_doc(i) && (is_doc(i + 1) || i > 0 && is_doc(i - 1));
    (0..lines.len()).filter(|&i| !long(i)).map(|i| lines[i]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "use a;\n// ANCHOR: f_too\n// ANCHOR: f\n/// One\n/// doc.\nfn f() {}\n// ANCHOR_END: f\n/// Short.\nfn g() {}\n// ANCHOR_END: f_too\n// ANCHOR: open\n";

    fn chapter() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("01_x/src")).unwrap();
        std::fs::write(root.path().join("01_x/src/lib.rs"), CODE).unwrap();
        std::fs::write(root.path().join("x.txt"), "one\n\ntwo\n").unwrap();
        let page = root.path().join("01_x/README.md");
        (root, page)
    }

    #[test]
    fn a_listing_is_what_its_source_has_now() {
        let (_root, page) = chapter();
        let old = "a\n\n<!-- listing: src/lib.rs:f -->\n```rust\nold\n\nolder\n```\n\n> <!-- listing: ../x.txt ../x.txt -->\n> ```text\n> ```\n\n```rust\nlet x = 1;\n```\n";
        let new = "a\n\n<!-- listing: src/lib.rs:f -->\n```rust\nfn f() {}\n```\n\n> <!-- listing: ../x.txt ../x.txt -->\n> ```text\n> one\n>\n> two\n>\n> one\n>\n> two\n> ```\n\n```rust\nlet x = 1;\n```\n";
        assert_eq!(filled(old, &page).unwrap(), new);
        assert_eq!(filled(new, &page).unwrap(), new);
        std::fs::write(page.with_file_name("t.md"), "| a |\n|---|\n").unwrap();
        let table = filled("<!-- table: t.md -->\n| old |\n\nText.\n", &page).unwrap();
        assert_eq!(table, "<!-- table: t.md -->\n| a |\n|---|\n\nText.\n");
        let both = filled("<!-- listing: src/lib.rs:f_too -->\n```rust\n```\n", &page).unwrap();
        assert!(both.contains("\nfn f() {}\n/// Short.\nfn g() {}\n```"), "{both}");
    }

    #[test]
    fn a_listing_of_nothing_is_a_fault() {
        let (_root, page) = chapter();
        for (listing, reason) in [
            ("<!-- listing: src/lib.rs:h -->\n```rust\n```", "1: `src/lib.rs:h` names no anchor"),
            ("\n<!-- listing: src/lib.rs:open -->\n```rust\n```", "2: `src/lib.rs:open` names no"),
            ("<!-- listing: src/main.rs -->\n```rust\n```", "cannot be read"),
            ("<!-- listing: src/lib.rs:f -->\n\nText.", "no code follows"),
            ("<!-- listing: src/lib.rs:f -->\n```rust\n", "without an end"),
        ] {
            let faults = filled(listing, &page).unwrap_err();
            assert!(faults.len() == 1 && faults[0].contains(reason), "{listing}: {faults:?}");
        }
    }

    #[test]
    fn a_listing_names_its_file_and_line() {
        let (root, page) = chapter();
        let text = "<!-- listing: src/lib.rs:f -->\n```rust\n```\n\n> <!-- listing: ../x.txt -->\n> ```text\n> ```\n\n```rust\n```\n";
        let local = name_files(text, &page, root.path(), None);
        assert!(local.contains(
            "<span class=\"source\">[`01_x/src/lib.rs`](src/lib.rs), line 4</span>\n\n```rust\n"
        ));
        assert!(local.contains("> <span class=\"source\">`x.txt`, line 1</span>\n> \n> ```"));
        assert_eq!(local.matches("class=\"source\"").count(), 2);
        let published = name_files(text, &page, root.path(), Some("https://e.org/a/"));
        assert!(published.contains("(https://e.org/a/blob/main/01_x/src/lib.rs#L4)"));
        assert!(published.contains("(https://e.org/a/blob/main/x.txt#L1)"));
    }
}
