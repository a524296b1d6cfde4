//! `cargo run -p formulas --bin messages`: brings the translations in `po/` up to date with the pages, and lists what of
//! the short way is not translated. With `--check` it writes nothing, and fails if a file is not up to date.

use formulas::question::questions;
use formulas::translation::{WORDS, faults, labels, lines, message};
use formulas::ways::ways;
use polib::catalog::Catalog;
use polib::message::{Message, MessageMutView};
use polib::po_file;
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = root.ancestors().nth(3).expect("it lies three folders deep");
    let check = std::env::args().any(|argument| argument == "--check");
    match updated(root, check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every file is up to date, or now is.
fn updated(root: &Path, check: bool) -> Result<bool, String> {
    let wanted = wanted(&root.join("chapters"))?;
    let mut fine = true;
    let folder = root.join("po").read_dir().map_err(|error| format!("po: {error}"))?;
    let files = folder.flatten().map(|entry| entry.path());
    for file in files.filter(|file| file.extension().is_some_and(|end| end == "po")) {
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let old = po_file::parse(&file).map_err(|error| format!("{name}: {error}"))?;
        let (mut new, mut open) = (Catalog::new(old.metadata.clone()), 0);
        new.preheader = old.preheader.clone();
        for (source, text) in &wanted {
            let translated = old.find_message(None, text, None).filter(|old| !old.is_fuzzy());
            let translated = translated.and_then(|old| old.msgstr().ok()).unwrap_or_default();
            if translated.is_empty() {
                let begin: String = text.chars().take(80).collect();
                say(format_args!("{name}: {source}: open: {begin}"));
                open += 1;
            } else {
                for fault in faults(text, translated) {
                    say(format_args!("{name}: {source}: {fault}"));
                    fine = false;
                }
            }
            let mut message = Message::build_singular();
            message.with_source(source.clone()).with_msgid(text.clone());
            new.append_or_update(message.with_msgstr(translated.to_owned()).done());
        }
        // A translation of a text that was changed stays, marked, until the new one is translated, too.
        let texts: HashSet<&str> = wanted.iter().map(|(_, text)| text.as_str()).collect();
        let stale = old.messages().filter(|old| open > 0 && !texts.contains(old.msgid()));
        for message in stale {
            if message.msgstr().is_ok_and(|text| !text.is_empty()) {
                let mut kept = Message::build_singular();
                kept.with_msgid(message.msgid().to_owned());
                kept.with_msgstr(message.msgstr().unwrap_or_default().to_owned());
                let mut kept = kept.done();
                kept.flags_mut().add_flag("fuzzy");
                new.append_or_update(kept);
            }
        }
        say(format_args!("{name}: {} messages, {open} open", wanted.len()));
        if written(&new) == written(&old) {
            continue;
        }
        new.metadata.pot_creation_date =
            today().unwrap_or_else(|| old.metadata.pot_creation_date.clone());
        if check {
            say(format_args!("{name} is not up to date: cargo run -p formulas --bin messages"));
            fine = false;
            continue;
        }
        let write = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let mut partial =
            tempfile::NamedTempFile::new_in(root.join("po")).map_err(|e| write(&e))?;
        partial.write_all(&written(&new)).map_err(|error| write(&error))?;
        partial.persist(&file).map_err(|error| write(&error))?;
    }
    Ok(fine)
}

/// Prints a line, unless whoever reads them has read enough.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn written(catalog: &Catalog) -> Vec<u8> {
    let mut file = BufWriter::new(Vec::new());
    po_file::write(catalog, &mut file).expect("memory can be written to");
    file.into_inner().expect("memory can be written to")
}

/// The day of the last commit, from which the pages are.
fn today() -> Option<String> {
    let arguments = ["log", "-1", "--format=%cs"];
    let git = Command::new("git").args(arguments).output().ok()?;
    let day = String::from_utf8(git.stdout).ok()?.trim().to_owned();
    (!day.is_empty()).then_some(day)
}

/// The messages of the short way, in its order, and where each stands.
fn wanted(book: &Path) -> Result<Vec<(String, String)>, String> {
    let read = |page: &str| {
        std::fs::read_to_string(book.join(page)).map_err(|error| format!("{page}: {error}"))
    };
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |source: &str, text: String| {
        if !found.iter().any(|(_, known)| *known == text) {
            found.push((source.to_owned(), text));
        }
    };
    WORDS.iter().for_each(|word| add("chapters/theme/formulas/src/lib.rs", word.to_string()));
    let summary = read("SUMMARY.md")?;
    add("chapters/SUMMARY.md", "Attention".to_owned()); // its first page has a longer title
    for part in summary.lines().filter_map(|line| line.strip_prefix("# ")).skip(1) {
        add("chapters/SUMMARY.md", part.to_owned());
    }
    let mut stretches: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for page in ["README.md", "how_to_read.md"] {
        stretches.push((page.to_owned(), 0..read(page)?.len()));
    }
    let short = ways(book).into_iter().next().ok_or("how_to_read.md lists no way")?;
    stretches.extend(short.stretches.into_iter().map(|stretch| (stretch.page, stretch.text)));
    for (page, range) in stretches {
        let text = read(&page)?;
        let folder = book.join(&page).parent().expect("in the book").to_owned();
        // A page has its title in any case.
        let title = text[..text.find('\n').unwrap_or(0)].trim_start_matches("# ").to_owned();
        add(&format!("chapters/{page}"), title);
        let part = &text[range.clone()];
        for line in lines(part) {
            add(&format!("chapters/{page}"), message(&part[line]));
        }
        for line in part.lines() {
            if let Some(file) = line.strip_prefix("![](").and_then(|rest| rest.split(')').next()) {
                let svg = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
                for label in labels(&svg) {
                    add(&format!("chapters/{page}: {file}"), svg[label].to_owned());
                }
            }
            if let Some((number, _)) =
                line.strip_prefix("[Question ").and_then(|rest| rest.split_once(": "))
            {
                let file = std::fs::read_to_string(folder.join("questions.md")).unwrap_or_default();
                let all = questions(&file).map_err(|faults| faults.join("\n"))?;
                for question in all.iter().filter(|question| question.number == number) {
                    let text = format!("**Question: {}**\n\n{}", question.title, question.text);
                    for line in lines(&text) {
                        add(&format!("chapters/{page}: question {number}"), message(&text[line]));
                    }
                }
            }
        }
    }
    Ok(found)
}
