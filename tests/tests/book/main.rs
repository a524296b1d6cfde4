//! The book against the repository it describes.
//!
//! mdBook is lenient: a missing anchor prints an empty block, a missing file is a line in a log, a
//! dead link is a link. So the pages are read here, by the same Markdown parser, and whatever
//! would mislead a reader is a fault with file and line:
//!
//! - a page that the table of contents does not list, or lists and is not there;
//! - a listing that is not the code it shows;
//! - a chapter that a list leaves out, or a smallest model that is not small;
//! - a page, a sentence, a listing or a table that is longer than a reader's patience;
//! - a link or an image that leads nowhere, in the book or on the repository's own pages;
//! - a reference without a link, a caption without a full stop, and other breaks of form;
//! - a way through the book that does not say where it goes on, or uses a word before it explains it;
//! - a formula, a frame or a mark that a code host does not show as it is meant;
//! - a command or a path that names what does not exist;
//! - a formula that does not convert, a figure that cannot be shown, or has no number, or is drawn
//!   in lines that wobble or are hardly seen;
//! - a notebook that only calls its chapter's crate, or that its page does not lead to;
//! - a printed number that is not the measured one. `0.31<!--=leave_one_out.bandwidth-->` quotes
//!   the chapter's `figures/results.json`; `…<!--=01_kernel_regression:fits[2].mse-->` quotes
//!   another chapter's, and `…<!--=language.json:english.words-->` another file in `figures/`.
//!
//! Beside each check a test shows, on small bad pages, that it finds what it looks for.

mod budgets;
mod chapters;
mod commands;
mod contents;
mod figures;
mod forms;
mod hosts;
mod links;
mod listings;
mod notebooks;
mod numbers;
mod small;
mod teachers;
mod ways;

use std::ops::Range;
use std::path::{Path, PathBuf};

use formulas::listing::normal;
use formulas::markdown_options;
use pulldown_cmark::{Event, Parser};

use budgets::budgets;
use chapters::unkept;
use commands::commands;
use contents::{listed, unlisted};
use figures::unnumbered;
use forms::forms;
use hosts::{notebooks as texts_of_notebooks, unshown};
use links::links;
use listings::listings;
use numbers::numbers;
use small::proven;

// ---- the book as it is ---------------------------------------------------------------------------

#[test]
fn the_table_of_contents_lists_every_page() {
    none(unlisted(&repository().join("chapters")));
}

#[test]
fn every_chapter_is_listed_and_its_smallest_model_keeps_its_promises() {
    none(unkept(&repository()));
}

#[test]
fn teachers_are_told_of_the_exercises_that_there_are() {
    none(teachers::untaught(&repository().join("chapters")));
}

#[test]
fn listings_are_the_code_they_show() {
    none(on_every_page(listings));
}

#[test]
fn pages_keep_their_budgets() {
    none(on_every_page(budgets));
}

#[test]
fn links_and_images_lead_somewhere() {
    none([on_every_page(links), beside_the_book(links)].concat());
}

#[test]
fn commands_and_paths_name_what_exists() {
    none([on_every_page(commands), beside_the_book(commands)].concat());
}

#[test]
fn formulas_and_figures_can_be_shown() {
    none(on_every_page(formulas_and_figures));
}

#[test]
fn what_returns_on_every_page_has_one_form() {
    none(on_every_page(forms));
}

#[test]
fn a_code_host_shows_every_page() {
    let notebooks = texts_of_notebooks().iter().flat_map(unshown).collect();
    none([on_every_page(unshown), beside_the_book(unshown), notebooks].concat());
}

#[test]
fn notebooks_build_their_chapters() {
    none(notebooks::notebooks(&repository()));
}

#[test]
fn printed_numbers_are_the_measured_ones() {
    none(on_every_page(numbers));
}

#[test]
fn figures_are_numbered() {
    none(on_every_page(unnumbered));
}

fn repository() -> PathBuf {
    // Asked when it runs, so that one build can read another copy of the book.
    let tests = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    Path::new(&tests).parent().expect("tests/ lies in the repository").into()
}

fn on_every_page(check: fn(&Page) -> Vec<String>) -> Vec<String> {
    let book = repository().join("chapters");
    let pages: Vec<Page> = listed(&book).iter().map(|file| Page::read(file, &book)).collect();
    assert!(pages.len() > 1, "SUMMARY.md lists no pages");
    pages.iter().flat_map(check).collect()
}

/// The repository's own pages.
fn beside_the_book(check: fn(&Page) -> Vec<String>) -> Vec<String> {
    let files = [
        "README.md",
        "README.zh-CN.md",
        "CONTRIBUTING.md",
        "notebooks/README.md",
        "tests/README.md",
    ];
    let pages = files.map(|file| Page::read(&repository().join(file), &repository()));
    assert!(pages.iter().all(|page| !page.text.is_empty()), "one of {files:?} is not there");
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

// ---- formulas and figures ------------------------------------------------------------------------

/// What the book's own preprocessor would refuse.
fn formulas_and_figures(page: &Page) -> Vec<String> {
    let faults = formulas::page(&page.text, page.folder(), "1").err().unwrap_or_default();
    faults.iter().map(|fault| format!("{}: {fault}", page.file.display())).collect()
}

#[test]
fn formulas_and_figures_that_fail_are_found() {
    proven(
        formulas_and_figures,
        &[r"$\frac{1}{\sqrt{d}}$ and `$\nonsense$`", "![](figures/x.svg)\\\n<sub>A caption</sub>"],
        &[
            (r"$\frac{1}$", r"formula `\frac{1}`"),
            ("$$\n\\nonsense\n$$", "Unknown command"),
            ("![](figures/y.svg)\\\n<sub>A caption</sub>", "figure `figures/y.svg`: No such file"),
        ],
    );
}
