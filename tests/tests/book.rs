//! The book against the repository it describes.
//!
//! mdBook is lenient: a missing anchor prints an empty block, a missing file is a line in a log, a
//! dead link is a link. So the pages are read here, by the same Markdown parser, and whatever
//! would mislead a reader is a fault with file and line:
//!
//! - a page that the table of contents does not list, or lists and is not there;
//! - an included file, anchor or line that does not exist;
//! - a link or an image that leads nowhere, in the book or on the repository's own pages;
//! - a formula that does not convert, a figure that cannot be shown;
//! - a printed number that is not the measured one. `0.31<!--=leave_one_out.bandwidth-->` quotes
//!   the chapter's `figures/results.json`; `…<!--=01_kernel_regression:fits[2].mse-->` quotes
//!   another chapter's.
//!
//! Each check is shown below, on small bad pages, to find what it looks for.

use formulas::markdown_options;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

// ---- the book as it is ---------------------------------------------------------------------------

#[test]
fn the_table_of_contents_lists_every_page() {
    none(unlisted(&repository().join("chapters")));
}

#[test]
fn included_code_exists() {
    none(on_every_page(includes));
}

#[test]
fn links_and_images_lead_somewhere() {
    let mut faults = on_every_page(links);
    for file in ["README.md", "CONTRIBUTING.md", "notebooks/README.md"] {
        let file = repository().join(file);
        if file.exists() {
            faults.extend(links(&Page::read(&file, &repository())));
        }
    }
    none(faults);
}

#[test]
fn formulas_and_figures_can_be_shown() {
    none(on_every_page(formulas_and_figures));
}

#[test]
fn printed_numbers_are_the_measured_ones() {
    none(on_every_page(numbers));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").into()
}

fn on_every_page(check: fn(&Page) -> Vec<String>) -> Vec<String> {
    let book = repository().join("chapters");
    let pages: Vec<Page> = listed(&book).iter().map(|file| Page::read(file, &book)).collect();
    assert!(pages.len() > 1, "SUMMARY.md lists no pages");
    pages.iter().flat_map(check).collect()
}

fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

// ---- a page --------------------------------------------------------------------------------------

struct Page {
    file: PathBuf,
    /// The folder its links may not leave: the book's, for only that is built.
    root: PathBuf,
    text: String,
}

impl Page {
    fn read(file: &Path, root: &Path) -> Page {
        // A page that is not there is a fault of the table of contents.
        let text = std::fs::read_to_string(file).unwrap_or_default();
        Page { file: file.into(), root: root.into(), text }
    }

    fn folder(&self) -> &Path {
        self.file.parent().expect("a file lies in a folder")
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, markdown_options()).into_offset_iter()
    }

    /// `chapters/01_x/README.md:12: …`
    fn fault(&self, at: usize, what: impl std::fmt::Display) -> String {
        let file = self.file.strip_prefix(repository()).unwrap_or(&self.file).display();
        let line = 1 + self.text[..at].matches('\n').count();
        format!("{file}:{line}: {what}")
    }
}

// ---- the table of contents -----------------------------------------------------------------------

/// The pages that `SUMMARY.md` lists.
fn listed(book: &Path) -> BTreeSet<PathBuf> {
    let summary = Page::read(&book.join("SUMMARY.md"), book);
    let links = summary.events().filter_map(|(event, _)| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(normal(&book.join(&*dest_url))),
        _ => None,
    });
    links.collect()
}

/// Pages missing from the table of contents, and entries without a page.
fn unlisted(book: &Path) -> Vec<String> {
    let listed = listed(book);
    let mut present = BTreeSet::new();
    markdown_files(book, &mut present);
    present.remove(&book.join("SUMMARY.md"));
    let missing = present.difference(&listed).map(|p| (p, "is not listed in SUMMARY.md"));
    let absent = listed.difference(&present).map(|p| (p, "is listed in SUMMARY.md, but not there"));
    missing.chain(absent).map(|(page, what)| format!("{}: {what}", page.display())).collect()
}

fn markdown_files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the book can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.insert(path);
        }
    }
}

// ---- included code -------------------------------------------------------------------------------

/// Every `{{#include file}}`, `{{#include file:anchor}}` and `{{#include file:3:7}}`.
fn includes(page: &Page) -> Vec<String> {
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

// ---- links and images ----------------------------------------------------------------------------

/// Relative links, in Markdown and in HTML: the file exists, inside the book, as a page if it is
/// Markdown; and the heading exists.
fn links(page: &Page) -> Vec<String> {
    let pages = listed(&page.root);
    let mut faults = Vec::new();
    for (event, range) in page.events() {
        let targets: Vec<String> = match &event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                vec![dest_url.to_string()]
            }
            Event::Html(html) | Event::InlineHtml(html) => ["href=\"", "src=\""]
                .iter()
                .flat_map(|attribute| html.split(attribute).skip(1))
                .filter_map(|rest| rest.split('"').next().map(str::to_owned))
                .collect(),
            _ => continue,
        };
        for target in targets {
            if let Some(what) = dead(page, &target, &pages) {
                faults.push(page.fault(range.start, format!("link `{target}` {what}")));
            }
        }
    }
    faults
}

/// What is wrong with a link, if anything.
fn dead(page: &Page, target: &str, pages: &BTreeSet<PathBuf>) -> Option<&'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None; // the world outside is not ours to test
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() { page.file.clone() } else { normal(&page.folder().join(path)) };
    if !file.starts_with(&page.root) {
        return Some("leaves the book: it would be dead once built");
    }
    if file != page.file && !file.exists() {
        return Some("leads to nothing");
    }
    let is_markdown = file.extension().is_some_and(|extension| extension == "md");
    let in_book = page.root.join("SUMMARY.md").exists();
    if in_book && file.is_dir() {
        return Some("leads to a folder, which is no page");
    }
    if in_book && is_markdown && !pages.contains(&file) {
        return Some("leads to a page that SUMMARY.md does not list");
    }
    if !heading.is_empty() && is_markdown {
        let there = if file == page.file {
            headings(page)
        } else {
            headings(&Page::read(&file, &page.root))
        };
        if !there.contains(heading) {
            return Some("leads to a heading that does not exist");
        }
    }
    None
}

/// The ids that mdBook gives a page's headings.
fn headings(page: &Page) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut heading: Option<(Option<String>, String)> = None;
    for (event, _) in page.events() {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                heading = Some((id.map(|id| id.to_string()), String::new()));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, title)) = &mut heading {
                    *title += &text;
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let (id, title) = heading.take().expect("a heading ends after it begins");
                let id = id.unwrap_or_else(|| id_of(&title));
                let again = (1..).map(|n| format!("{id}-{n}"));
                let id = std::iter::once(id.clone()).chain(again).find(|id| !ids.contains(id));
                ids.extend(id);
            }
            _ => {}
        }
    }
    ids
}

fn id_of(title: &str) -> String {
    let letters = title.trim().to_lowercase().chars().collect::<Vec<_>>();
    letters
        .iter()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-'))
        .map(|c| if c.is_whitespace() { '-' } else { *c })
        .collect()
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
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

// ---- formulas and figures ------------------------------------------------------------------------

/// What the book's own preprocessor would refuse.
fn formulas_and_figures(page: &Page) -> Vec<String> {
    let faults = formulas::page(&page.text, page.folder()).err().unwrap_or_default();
    faults.iter().map(|fault| format!("{}: {fault}", page.file.display())).collect()
}

// ---- printed numbers -----------------------------------------------------------------------------

/// Every `<!--=key-->`: the number before it is the key's value, rounded as printed.
fn numbers(page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    for (event, range) in page.events() {
        let (Event::Html(_) | Event::InlineHtml(_)) = event else { continue };
        for (within, _) in page.text[range.clone()].match_indices("<!--") {
            let at = range.start + within;
            let comment = page.text[at + 4..].split("-->").next().unwrap_or_default();
            if let Some(key) = comment.trim().strip_prefix('=')
                && let Err(what) = quoted(page, &page.text[..at], key)
            {
                faults.push(page.fault(at, format!("`<!--{comment}-->` {what}")));
            }
        }
    }
    faults
}

/// Compares what stands before a mark with what the mark names.
fn quoted(page: &Page, before: &str, key: &str) -> Result<(), String> {
    let (folder, key) = match key.split_once(':') {
        Some((chapter, key)) => (page.root.join(chapter), key),
        None => (page.folder().into(), key),
    };
    let file = folder.join("figures/results.json");
    let results = std::fs::read_to_string(&file)
        .map_err(|error| format!("has no results: {}: {error}", file.display()))?;
    let results: Value = serde_json::from_str(&results)
        .map_err(|error| format!("has no results: {}: {error}", file.display()))?;
    match named(&results, key) {
        Some(Value::Number(measured)) => {
            let measured = measured.as_f64().expect("a JSON number is a number");
            let printed = Printed::at_end_of(before).ok_or("stands after no number")?;
            if printed.is(measured) {
                Ok(())
            } else {
                Err(format!("stands after {}, but {measured} was measured", printed.value))
            }
        }
        Some(Value::String(word)) if unwrapped(before).ends_with(word) => Ok(()),
        Some(Value::String(word)) => Err(format!("does not stand after “{word}”")),
        Some(_) => Err("names something that is no number".into()),
        None => Err(format!("names no value in {}", file.display())),
    }
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
fn unwrapped(text: &str) -> &str {
    text.trim_end_matches(['*', '_', '`', '$', ')', ']'])
}

/// A number as it is printed, and what one unit of its last digit is worth.
struct Printed {
    value: f64,
    unit: f64,
}

impl Printed {
    /// Reads `0.31`, `−2`, `1,234,567`, `3.1 ×`, `12.5 %`, `1.2e-3` and `1.2·10⁻³`.
    fn at_end_of(text: &str) -> Option<Printed> {
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
        let is_sign = |c: char| "+-−".contains(c);
        let number = ends
            .filter(|&i| {
                !(text[i..].starts_with(is_sign) && text[..i].ends_with(char::is_alphanumeric))
            })
            .find_map(|i| Printed::parse(&text[i..]))?;
        let scale = scale * 10f64.powi(exponent);
        Some(Printed { value: number.value * scale, unit: number.unit * scale })
    }

    fn parse(text: &str) -> Option<Printed> {
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
        Some(Printed { value: format!("{plain}.{fraction}e{exponent}").parse().ok()?, unit })
    }

    /// Whether a measured value, rounded to the printed digits, is what is printed.
    fn is(&self, measured: f64) -> bool {
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

// ---- the checks find what they look for ----------------------------------------------------------

/// A book of one chapter, to be spoilt.
struct Small(tempfile::TempDir);

impl Small {
    fn book() -> Small {
        let small = Small(tempfile::tempdir().unwrap());
        small.write(
            "SUMMARY.md",
            "# Summary\n\n[Introduction](README.md)\n- [One](01_one/README.md)\n",
        );
        small.write("README.md", "# Introduction\n\n## How to read\n\n## How to read\n");
        small.write("01_one/README.md", "# One\n");
        small.write("01_one/src/lib.rs", "// ANCHOR: f\nfn f() {}\n// ANCHOR_END: f\n// ANCHOR: g\n// ANCHOR_END: g\n// ANCHOR: open\nfn h() {}\n");
        small.write("01_one/figures/x.svg", "<svg viewBox=\"0 0 2 1\"/>");
        small.write(
            "01_one/figures/results.json",
            r#"{"h": 0.3146, "n": 1234567, "share": 0.125, "loss": 0.00123, "drop": -2.04,
                "fits": [{"mse": 0.5}, {"mse": 1.26}], "best": "Gaussian", "none": null}"#,
        );
        small
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// The chapter's page with this text.
    fn page(&self, text: &str) -> Page {
        let file = self.0.path().join("01_one/README.md");
        Page { file, root: self.0.path().into(), text: text.into() }
    }
}

/// `check` accepts the good pages, and names a reason for each of the bad ones.
fn proven(check: fn(&Page) -> Vec<String>, good: &[&str], bad: &[(&str, &str)]) {
    let small = Small::book();
    for text in good {
        let faults = check(&small.page(text));
        assert!(faults.is_empty(), "`{text}` is good, but: {faults:?}");
    }
    for (text, reason) in bad {
        let faults = check(&small.page(text));
        assert_eq!(faults.len(), 1, "`{text}` has one fault: {faults:?}");
        assert!(faults[0].contains(reason), "`{text}`: expected “{reason}”, got “{}”", faults[0]);
    }
}

#[test]
fn unlisted_and_absent_pages_are_found() {
    let small = Small::book();
    assert!(unlisted(small.0.path()).is_empty());
    small.write("02_two/README.md", "# Two\n");
    std::fs::remove_file(small.0.path().join("README.md")).unwrap();
    let faults = unlisted(small.0.path());
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("02_two/README.md: is not listed in SUMMARY.md"));
    assert!(faults[1].ends_with("README.md: is listed in SUMMARY.md, but not there"));
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

#[test]
fn dead_links_are_found() {
    proven(
        links,
        &[
            "[up](../README.md), [there](../README.md#how-to-read-1), [code](src/lib.rs)",
            "[out](https://example.org/nothing), ![seen](figures/x.svg)",
            "# A `Title`: here\n\n[below](#a-title-here)",
            "## Set {#own}\n\n[below](#own)",
            "`[in code](nowhere.md)`",
        ],
        &[
            ("[a](../02_two/README.md)", "leads to nothing"),
            ("![a](figures/y.svg)", "README.md:1: link `figures/y.svg` leads to nothing"),
            ("[a](../README.md#how-to-run)", "a heading that does not exist"),
            ("# Title\n\n[a](#titel)", "README.md:3: link `#titel` leads to a heading"),
            ("[a](../SUMMARY.md)", "SUMMARY.md does not list"),
            ("[a](src)", "leads to a folder"),
            ("[a](../../Cargo.toml)", "leaves the book"),
            ("<a href=\"nowhere.html\">a</a>", "leads to nothing"),
        ],
    );
}

#[test]
fn formulas_and_figures_that_fail_are_found() {
    proven(
        formulas_and_figures,
        &[r"$\frac{1}{\sqrt{d}}$ and `$\nonsense$`", "![A caption](figures/x.svg)"],
        &[
            (r"$\frac{1}$", r"formula `\frac{1}`"),
            ("$$\n\\nonsense\n$$", "Unknown command"),
            ("![A caption](figures/y.svg)", "figure `figures/y.svg`: No such file"),
        ],
    );
}

#[test]
fn numbers_that_differ_are_found() {
    proven(
        numbers,
        &[
            "0.31<!--=h-->, 0.315<!--=h-->, **0.3146**<!--=h-->, $h = 0.315$<!--=h-->, `0.3`<!--=h-->",
            "1,234,567<!--=n-->, 1\u{202f}234\u{202f}567<!--=n-->, 1.235e6<!--=n-->, 1.23·10⁶<!--=n-->",
            "12.5 %<!--=share-->, 13 %<!--=share-->, 12%<!--=share-->",
            "1.2e-3<!--=loss-->, 1.23 × 10⁻³<!--=loss-->, 0.0012<!--=loss-->",
            "−2.0<!--=drop-->, (-2.04)<!--=drop-->, 1.3×<!--=fits[1].mse-->, 0.5<!--=fits[0].mse-->",
            "0.1,1.3<!--=fits[1].mse-->, up to1.3<!--=fits[1].mse-->",
            "**Gaussian**<!--=best-->, <!-- an ordinary comment -->, `0.9<!--=h-->`",
            "0.31<!--=01_one:h-->\n\n![At 0.31<!--=h--> it bends](figures/x.svg)",
        ],
        &[
            (
                "one\n\n0.32<!--=h-->",
                "README.md:3: `<!--=h-->` stands after 0.32, but 0.3146 was measured",
            ),
            ("0.314<!--=h-->", "stands after 0.314"),
            ("![At 0.32<!--=h--> it bends](figures/x.svg)", "stands after 0.32"),
            ("| a |\n|---|\n| 0.32<!--=h--> |", "README.md:3:"),
            ("1,234,568<!--=n-->", "stands after 1234568"),
            ("1,23<!--=h-->", "stands after 23"),
            ("12.6 %<!--=share-->", "stands after 0.126"),
            ("0.125 %<!--=share-->", "stands after 0.00125"),
            ("1.3e-3<!--=loss-->", "stands after 0.0013"),
            ("1.2·10⁻²<!--=loss-->", "stands after 0.012"),
            ("2.0<!--=drop-->", "but -2.04 was measured"),
            ("h<!--=h-->", "stands after no number"),
            ("0.31<!--=width-->", "names no value"),
            ("0.31<!--=fits[2].mse-->", "names no value"),
            ("0.31<!-- =width -->", "names no value"),
            ("0.31<!--=none-->", "no number"),
            ("Boxcar<!--=best-->", "does not stand after “Gaussian”"),
            ("0.31<!--=02_two:h-->", "has no results"),
        ],
    );
}
