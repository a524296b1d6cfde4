//! Links and images lead somewhere.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formulas::question::anchor;
use pulldown_cmark::{Event, Tag, TagEnd};

use super::contents::listed;
use super::small::proven;
use super::{Page, normal};

/// Relative links, in Markdown and in HTML: the file exists, inside the book, as a page if it is
/// Markdown; and the heading exists.
pub fn links(page: &Page) -> Vec<String> {
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
    // On GitHub the last one leads from README.md to the book that the repository has published.
    let published = target == "../../deployments/github-pages";
    if published || target.contains("://") || target.starts_with("mailto:") {
        return None; // the world outside is not ours to test
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() { page.file.clone() } else { normal(&page.folder().join(path)) };
    // A notebook's link is made anew in the book.
    let is_notebook = file.starts_with(page.root.with_file_name("notebooks")) && file.exists();
    if !file.starts_with(&page.root) && !is_notebook {
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
                let id = id.unwrap_or_else(|| anchor(&title));
                let again = (1..).map(|n| format!("{id}-{n}"));
                let id = std::iter::once(id.clone()).chain(again).find(|id| !ids.contains(id));
                ids.extend(id);
            }
            _ => {}
        }
    }
    ids
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
