//! mdBook's side of the preprocessor: the book comes in as JSON on standard input and goes back out
//! on standard output. A fault on any page stops the build, with the page and the formula named.

use formulas::beside::{in_english, notebooks, uncovered};
use formulas::listing::name_files;
use formulas::question::placed;
use formulas::translation::{REPORT, Translation, beside_others};
use mdbook_preprocessor::book::BookItem;
use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::parse_input;
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    // mdBook first asks `formulas supports <renderer>`; the answer is the exit code.
    if arguments.next().as_deref() == Some("supports") {
        let html = arguments.next().as_deref() == Some("html");
        return if html { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match preprocess() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn preprocess() -> Result<()> {
    let input = io::read_to_string(io::stdin())?;
    must_be_understood(&input)?;
    let (context, mut book) = parse_input(input.as_bytes())?;
    let source = context.root.join(&context.config.book.src);
    let html = context.config.html_config().unwrap_or_default();
    let theme = html.theme_dir(&context.root);
    std::fs::create_dir_all(theme.join("fonts"))?;
    for file in ["favicon.svg", "fonts/fonts.css", "fonts/math.woff2"] {
        std::fs::copy(source.join("theme").join(file), theme.join(file))?;
    }
    let repository = html.git_repository_url.as_deref();
    let language = match context.config.book.language.as_deref() {
        None | Some("en") => None,
        Some(language) => {
            let file = context.root.join("po").join(language).with_extension("po");
            Some(Translation::read(&file).map_err(Error::msg)?)
        }
    };
    // In a published book the others lie beside it.
    let mut others = Vec::new();
    let catalogues = context.root.join("po").read_dir().ok().filter(|_| repository.is_some());
    for file in catalogues.into_iter().flatten().flatten().map(|entry| entry.path()) {
        if file.extension().is_some_and(|end| end == "po") {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            others.push((name, Translation::read(&file).map_err(Error::msg)?));
        }
    }
    let own = language.as_ref().map(|language| {
        let known = book.chapters().filter(|page| language.knows(&page.content));
        known.filter_map(|page| page.source_path.clone()).collect::<HashSet<PathBuf>>()
    });
    let english = Translation::default();
    let words = language.as_ref().unwrap_or(&english);

    let mut faults = Vec::new();
    let (mut front, mut appendices) = (["0", "i", "ii", "iii", "iv"].into_iter(), 'A'..='Z');
    book.for_each_chapter_mut(|chapter| {
        let Some(path) = &chapter.source_path else { return };
        let file = source.join(path);
        let folder = file.parent().expect("a page lies in a folder");
        let mut name_faults = |found: Vec<String>| {
            faults.extend(found.iter().map(|fault| format!("{}: {fault}", file.display())));
        };
        let content = match &language {
            Some(language) => {
                chapter.name = language.of(&chapter.name).to_owned();
                match placed(&chapter.content, folder) {
                    Ok(content) => language.beside_english(&language.page(&content), path),
                    Err(found) => return name_faults(found),
                }
            }
            None => beside_others(&chapter.content, path, &others),
        };
        let content = repository.map_or(content.clone(), |repository| {
            let report = words.of(REPORT);
            let address = format!("{repository}/issues/new?title={}%3A%20", path.display());
            format!("{content}\n<p class=\"languages\"><a href=\"{address}\">{report}</a></p>\n")
        });
        let content = uncovered(&content, repository.is_some());
        let content = notebooks(&content, repository.is_some());
        let content = own.as_ref().map_or(content.clone(), |own| in_english(&content, path, own));
        let content = name_files(&content, &file, &context.root, repository);
        // Only chapters are numbered. Their measurements follow in a part of their own and keep the chapter's number
        // in their figures; appendices have a letter, the pages around them what is left.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let of = name.split_once('_').and_then(|(number, _)| number.parse::<u32>().ok());
        let number = match of {
            Some(of) if file.ends_with("README.md") => of.to_string(),
            Some(of) => format!("{of}.1"),
            None if folder == source => front.next().expect("fewer pages around").into(),
            None => appendices.next().expect("fewer appendices than letters").to_string(),
        };
        if of.is_none() || !file.ends_with("README.md") {
            chapter.number = None; // SUMMARY.md counts on through all its parts
        }
        match formulas::page_in(words, &content, folder, &number) {
            Ok(converted) => chapter.content = converted,
            Err(found) => name_faults(found),
        }
    });
    if let (Some(language), Some(own)) = (&language, &own) {
        book.items = abridged(std::mem::take(&mut book.items), language, own);
    }
    if !faults.is_empty() {
        return Err(Error::msg(faults.join("\n")));
    }
    serde_json::to_writer(io::stdout(), &book)?;
    Ok(())
}

/// The pages that a language has, and the parts that have one of them.
fn abridged(items: Vec<BookItem>, language: &Translation, own: &HashSet<PathBuf>) -> Vec<BookItem> {
    let mut kept: Vec<BookItem> = Vec::new();
    for item in items {
        match item {
            BookItem::Chapter(page)
                if page.source_path.as_ref().is_some_and(|path| own.contains(path)) =>
            {
                kept.push(BookItem::Chapter(page));
            }
            BookItem::PartTitle(title) => {
                if matches!(kept.last(), Some(BookItem::PartTitle(_))) {
                    kept.pop();
                }
                kept.push(BookItem::PartTitle(language.of(&title).to_owned()));
            }
            _ => {}
        }
    }
    if matches!(kept.last(), Some(BookItem::PartTitle(_))) {
        kept.pop();
    }
    kept
}

/// The versions of mdBook whose books are understood here.
const UNDERSTOOD: &str = "0.5.";

/// Refuses a book of another mdBook by its version: in its words it would be a missing field.
fn must_be_understood(input: &str) -> Result<()> {
    let found: serde_json::Value = serde_json::from_str(input)?;
    let version = found[0]["mdbook_version"].as_str().unwrap_or("of no version");
    if version.starts_with(UNDERSTOOD) {
        return Ok(());
    }
    let needed = "version 0.5 is needed: cargo install --locked mdbook --version 0.5.4";
    Err(Error::msg(format!("this is mdBook {version}; {needed}")))
}
