//! The table of contents lists every page, and every page it lists is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Tag};

use super::small::Small;
use super::{Page, normal};

/// The pages that `SUMMARY.md` lists, and the questions that they ask.
pub fn listed(book: &Path) -> BTreeSet<PathBuf> {
    let summary = Page::read(&book.join("SUMMARY.md"), book);
    let links = summary.events().filter_map(|(event, _)| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(normal(&book.join(&*dest_url))),
        _ => None,
    });
    let pages: BTreeSet<PathBuf> = links.collect();
    let questions = pages.iter().filter(|page| page.ends_with("README.md"));
    let questions = questions.map(|page| page.with_file_name("questions.md"));
    questions.filter(|file| file.exists()).chain(pages.iter().cloned()).collect()
}

/// Pages missing from the table of contents, and entries without a page.
pub fn unlisted(book: &Path) -> Vec<String> {
    let listed = listed(book);
    let mut present = BTreeSet::new();
    markdown_files(book, &mut present);
    present.remove(&book.join("SUMMARY.md"));
    let missing = present.difference(&listed).map(|p| (p, "is not listed in SUMMARY.md"));
    let absent = listed.difference(&present).map(|p| (p, "is listed in SUMMARY.md, but not there"));
    missing.chain(absent).map(|(page, what)| format!("{}: {what}", page.display())).collect()
}

/// Tables that a program reads are Markdown too, and no pages.
fn markdown_files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the book can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.ends_with("src") || path.ends_with("programs") {
            continue;
        } else if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.insert(path);
        }
    }
}

#[test]
fn unlisted_and_absent_pages_are_found() {
    let small = Small::book();
    assert!(unlisted(small.0.path()).is_empty());
    small.write("01_one/questions.md", "# Questions\n");
    assert!(unlisted(small.0.path()).is_empty());
    small.write("02_two/README.md", "# Two\n");
    std::fs::remove_file(small.0.path().join("README.md")).unwrap();
    let faults = unlisted(small.0.path());
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("02_two/README.md: is not listed in SUMMARY.md"));
    assert!(faults[1].ends_with("README.md: is listed in SUMMARY.md, but not there"));
}
