//! The ways through the book, as *How to read* lists them: a heading for each, below it a table with a page in every
//! row and, in the last cell, links to its sections. `[A](page.md#a)` is what follows a heading as far as the next one,
//! `[A](page.md#a) up to and including [B](page.md#b)` all from one to the other, `[the core](page.md)` a page. What a
//! heading marks as *(further)*, with the headings below it, is on no way.
//!
//! [`linked`] tells a page's reader where the way goes on, at the end of each stretch; [`drawing`] shows all ways.

use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::question::anchor;

/// One way through the book.
pub struct Way {
    /// Its name, the heading under which it is listed.
    pub name: String,
    /// The stretches that are read, in this order.
    pub stretches: Vec<Stretch>,
}

/// Sections that follow one another on one page.
pub struct Stretch {
    /// The page, from the book's folder.
    pub page: String,
    /// Its place on the page, in bytes.
    pub text: Range<usize>,
    title: String,
    anchor: String,
}

/// A heading with the text up to the next heading of any level.
struct Section {
    level: usize,
    title: String,
    further: bool,
    text: Range<usize>,
}

/// The end of the line that [`linked`] writes.
const MARK: &str = "<!-- way -->\n";

/// The ways that the page `how_to_read.md` in the book's folder lists.
///
/// # Panics
///
/// Where a link of its tables leads to no section.
pub fn ways(book: &Path) -> Vec<Way> {
    let page = fs::read_to_string(book.join("how_to_read.md")).unwrap_or_default();
    let named = page.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    let ways = named.map(|(name, text)| {
        let cells = text.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit_once("| "));
        let stretches = cells.flat_map(|(_, cell)| stretches(cell, book));
        Way { name: name.into(), stretches: stretches.collect() }
    });
    ways.filter(|way| way.stretches.len() > 1 && way.stretches[0].page == "the_desk.md").collect()
}

/// The stretches that the links of one cell lead to.
fn stretches(cell: &str, book: &Path) -> Vec<Stretch> {
    let mut links = cell.split("](").skip(1).filter_map(|link| link.split_once(')')).peekable();
    let mut found = Vec::new();
    while let Some((target, after)) = links.next() {
        let (page, begin) = target.split_once('#').unwrap_or((target, ""));
        let Ok(text) = fs::read_to_string(book.join(page)) else { continue };
        let sections = sections(&text);
        let at = |heading: &str| {
            let there = sections.iter().position(|section| anchor(&section.title) == heading);
            there.unwrap_or_else(|| panic!("how_to_read.md: {page} has no section #{heading}"))
        };
        let first = if begin.is_empty() { 0 } else { at(begin) };
        let last = match links.next_if(|_| after.contains("up to and including")) {
            Some((end, _)) => at(end.split_once('#').unwrap_or_default().1),
            None if begin.is_empty() => sections.len() - 1,
            None => first,
        };
        for row in sections[first..=last].split(|section| section.further) {
            let (Some(begin), Some(end)) = (row.first(), row.last()) else { continue };
            found.push(Stretch {
                page: page.into(),
                text: begin.text.start..end.text.end,
                title: begin.title.clone(),
                anchor: if begin.level == 1 { String::new() } else { anchor(&begin.title) },
            });
        }
    }
    found
}

fn sections(page: &str) -> Vec<Section> {
    let (mut found, mut code, mut at) = (Vec::<Section>::new(), false, 0);
    for line in page.split_inclusive('\n') {
        code ^= line.starts_with("```");
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        if level > 0 && !code && line[level..].starts_with(' ') {
            let title = line[level..].trim();
            let above = found.iter().rev().find(|section| section.level < level);
            let further = title.ends_with("(further)") || above.is_some_and(|above| above.further);
            found.push(Section { level, title: title.into(), further, text: at..at });
        }
        at += line.len();
        if let Some(section) = found.last_mut() {
            section.text.end = at;
        }
    }
    found
}

/// The page with a line at the end of each stretch of each way that says where it goes on; lines that said so before
/// are gone. `page` is its file, from the book's folder.
pub fn linked(markdown: &str, page: &str, ways: &[Way]) -> String {
    let mut edits = Vec::new();
    for way in ways {
        for (i, here) in way.stretches.iter().enumerate().filter(|(_, here)| here.page == page) {
            let line = match way.stretches.get(i + 1) {
                None => format!("→ *{}* ends here.{MARK}", way.name),
                Some(next) if next.page == page && next.text.start == here.text.end => continue,
                Some(next) => {
                    let up = "../".repeat(page.matches('/').count());
                    let to = if next.page == page { "" } else { &format!("{up}{}", next.page) };
                    let hash = if next.anchor.is_empty() { "" } else { "#" };
                    format!(
                        "→ *{}* goes on with [{}]({to}{hash}{}).{MARK}",
                        way.name, next.title, next.anchor
                    )
                }
            };
            edits.push((here.text.end, line));
        }
    }
    edits.sort_by_key(|(at, _)| *at);
    let (mut text, mut done) = (String::new(), 0);
    for (at, line) in edits {
        text += without_links(&markdown[done..at]).trim_end();
        text += "\n\n";
        text += &line;
        text += if at < markdown.len() { "\n" } else { "" };
        done = at;
    }
    text + &without_links(&markdown[done..])
}

/// Takes out what [`linked`] wrote.
fn without_links(markdown: &str) -> String {
    let (mut text, mut gone) = (String::new(), false);
    for line in markdown.split_inclusive('\n') {
        let blank = line == "\n";
        if line.ends_with(MARK) || (gone && blank) {
            gone = true;
            continue;
        }
        gone = false;
        text += line;
    }
    text
}

/// All ways as boxes, a page each, filled as far as the way takes it, counted in words.
pub fn drawing(book: &Path, ways: &[Way]) -> String {
    let summary = fs::read_to_string(book.join("SUMMARY.md")).unwrap_or_default();
    let targets = summary.split("](").skip(1).filter_map(|link| Some(link.split_once(')')?.0));
    let pages: Vec<(String, String)> = targets
        .filter_map(|page| {
            let number = page.split('_').next()?.parse::<usize>().ok();
            let label = match (page, number) {
                ("the_desk.md", _) => "desk".into(),
                (page, Some(number)) if page.ends_with("README.md") => number.to_string(),
                _ => return None,
            };
            Some((page.into(), label))
        })
        .collect();
    let words = |text: &str| text.split_whitespace().count() as f64;
    let mut rows: Vec<(&str, Vec<f64>)> = Vec::new();
    for way in ways {
        let shares = pages.iter().map(|(page, _)| {
            let text = fs::read_to_string(book.join(page)).unwrap_or_default();
            let read = way.stretches.iter().filter(|stretch| stretch.page == *page);
            read.map(|stretch| words(&text[stretch.text.clone()])).sum::<f64>() / words(&text)
        });
        rows.push((&way.name, shares.collect()));
    }
    rows.push(("Everything", vec![1.0; pages.len()]));
    let box_width = |label: &str| if label == "desk" { 40 } else { 22 };
    let width = 10 + pages.iter().map(|(_, label)| box_width(label) + 2).sum::<usize>();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} 206\" width=\"{width}\" height=\"206\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<style>:root{{color:#222222}}\
         @media(prefers-color-scheme:dark){{:root{{color:#dddddd}}}}</style>\n",
    );
    for (row, (name, shares)) in rows.iter().enumerate() {
        let top = 24 + 72 * row;
        let _ = writeln!(
            svg,
            "<text x=\"6\" y=\"{}\" fill=\"currentColor\" font-weight=\"bold\">{name}</text>",
            top - 6
        );
        let mut left = 6;
        for ((_, label), share) in pages.iter().zip(shares) {
            let width = box_width(label);
            let filled = (32.0 * share).round() as usize;
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"{filled}\" fill=\"#0072B2\" \
                 fill-opacity=\"0.35\"/>\n<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"32\" \
                 rx=\"3\" fill=\"none\" stroke=\"currentColor\"/>\n<text x=\"{}\" y=\"{}\" \
                 text-anchor=\"middle\" fill=\"currentColor\">{label}</text>",
                top + 32 - filled,
                left + width / 2,
                top + 21
            );
            left += width + 2;
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: &str = "# How to read\n\n## Look\n\n| page | sections |\n|---|---|\n\
        | desk | [all](the_desk.md) |\n\
        | one | [B](one.md#b) up to and including [C](one.md#c); [E](one.md#e) |\n\n## What else\n\nText.\n";
    const ONE: &str = "# One\n\n## A\n\na\n\n## B\n\nb\n\n### B2 (further)\n\nx\n\n## C\n\nc\n\n## D\n\nd\n\n## E\n\ne\n";

    fn book() -> tempfile::TempDir {
        let book = tempfile::tempdir().unwrap();
        let files = [("how_to_read.md", READ), ("one.md", ONE), ("the_desk.md", "# Desk\n\nd\n")];
        for (name, text) in files {
            fs::write(book.path().join(name), text).unwrap();
        }
        book
    }

    #[test]
    fn a_way_takes_the_sections_it_names_and_nothing_further() {
        let book = book();
        let ways = ways(book.path());
        assert_eq!(ways.len(), 1);
        let read: Vec<&str> =
            ways[0].stretches[1..].iter().map(|stretch| &ONE[stretch.text.clone()]).collect();
        assert_eq!(read, ["## B\n\nb\n\n", "## C\n\nc\n\n", "## E\n\ne\n"]);
    }

    #[test]
    fn a_stretch_ends_with_where_the_way_goes_on_however_often_it_is_written() {
        let book = book();
        let once = linked(ONE, "one.md", &ways(book.path()));
        assert!(once.contains("b\n\n→ *Look* goes on with [C](#c).<!-- way -->\n\n### B2"));
        assert!(once.contains("c\n\n→ *Look* goes on with [E](#e).<!-- way -->\n\n## D"));
        fs::write(book.path().join("one.md"), &once).unwrap();
        assert_eq!(linked(&once, "one.md", &ways(book.path())), once);
        assert!(once.ends_with("e\n\n→ *Look* ends here.<!-- way -->\n"));
        let desk = linked("# Desk\n\nd\n", "the_desk.md", &ways(book.path()));
        assert!(desk.ends_with("d\n\n→ *Look* goes on with [B](one.md#b).<!-- way -->\n"));
    }
}
