//! What a page may cost its reader: volume has a price.

use super::Page;
use super::small::proven;

/// The most words of a chapter's page, tables and lists included, listings not.
const WORDS: usize = 5_500;
/// The most lines of a listing that is not folded.
const LISTING: usize = 30;
/// The most cells of a table.
const CELLS: usize = 60;
/// The most words of a sentence, in the mean over a page.
const SENTENCE: f64 = 14.5;

/// A chapter's page keeps its budget. Measurements and appendices have none.
pub fn budgets(page: &Page) -> Vec<String> {
    let chapter = page.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !chapter.starts_with(|first: char| first.is_ascii_digit())
        || !page.file.ends_with("README.md")
    {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let (mut listing, mut folded, mut cells, mut at) = (None, false, 0, 0);
    let mut prose = String::new();
    for line in page.text.split_inclusive('\n').chain(["\n"]) {
        let begin = at;
        at = (at + line.len()).min(page.text.len());
        let line = line.trim_start_matches(['>', ' ']).trim_end();
        folded = (folded || line.contains("<details>")) && !line.contains("</details>");
        listing = match (listing, line.starts_with("```")) {
            (None, true) => Some(0),
            (Some(lines), true) => {
                if lines > LISTING && !folded {
                    faults.push(page.fault(begin, format!("a listing of {lines} lines: fold it")));
                }
                None
            }
            (lines, false) => lines.map(|lines| lines + 1),
        };
        if listing.is_some() || line.starts_with("```") {
            continue;
        }
        if line.starts_with('|') {
            let rule = line.chars().all(|c| "|:- ".contains(c));
            cells += if rule { 0 } else { line.matches('|').count() - 1 };
        } else {
            if cells > CELLS {
                faults.push(page.fault(begin, format!("a table of {cells} cells above")));
            }
            cells = 0;
        }
        if line.contains("](questions.md") {
            continue; // what every page says, so that nothing else has to go for it
        }
        prose += line;
        prose.push('\n');
    }
    let prose = without_comments(&prose);
    let words = prose.replace(r"\thinspace ", "").split_whitespace().count(); // a space of formulas
    if words > WORDS {
        faults.push(page.fault(0, format!("{words} words, {WORDS} are the most")));
    }
    let sentences = sentences(&prose);
    let mean = sentences.iter().sum::<usize>() as f64 / sentences.len().max(1) as f64;
    if mean > SENTENCE {
        faults.push(page.fault(0, format!("sentences of {mean:.1} words")));
    }
    faults
}

/// How long a page is read, at three words a second, to five minutes; its code not counted.
pub fn minutes(page: &str) -> usize {
    let mut code = false;
    let prose: String = page
        .lines()
        .filter(|line| {
            let fence = line.trim_start_matches(['>', ' ']).starts_with("```");
            code ^= fence;
            !fence && !code
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let words = without_comments(&prose).split_whitespace().count();
    (words + 450) / 900 * 5
}

pub fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("-->").map_or("", |(_, rest)| rest))
}

/// The words of every sentence of more than two, formulas and code counted as one word each.
fn sentences(prose: &str) -> Vec<usize> {
    let mut counts = Vec::new();
    for paragraph in prose.split("\n\n") {
        let lines = paragraph.lines().filter(|line| !line.starts_with(['|', '#', '!']));
        let text: String = lines.collect::<Vec<_>>().join(" ");
        let mut words = 0;
        let mut inside = None; // a formula or code
        for word in text.split_whitespace() {
            let marks = |mark: char| word.matches(mark).count() % 2 == 1;
            let ended = match inside {
                Some(mark) if marks(mark) => {
                    inside = None;
                    false
                }
                Some(_) => continue,
                None => {
                    words += 1;
                    inside = ['$', '`'].into_iter().find(|mark| marks(*mark));
                    word.trim_end_matches(['*', ')', '”', '"']).ends_with(['.', '!', '?', ':'])
                }
            };
            if ended {
                counts.push(words);
                words = 0;
            }
        }
        counts.push(words);
    }
    counts.retain(|&words| words > 2);
    counts
}

#[test]
fn what_costs_too_much_is_found() {
    let code = |lines: usize| format!("```rust\n{}```\n", "x\n".repeat(lines));
    let table = |rows: usize| "| a | b | c |\n".repeat(rows);
    let good = [
        code(30),
        format!("<details><summary>All</summary>\n\n{}\n</details>\n", code(90)),
        table(20),
        "One two three four five. ".repeat(1_100) + "\n\nThe [questions](questions.md) are free.\n",
    ];
    let long = format!("{}last.\n", "word ".repeat(39));
    let much = "One two three four five. ".repeat(1_101);
    let bad = [
        (code(31), "a listing of 31 lines"),
        (table(21), "a table of 63 cells"),
        (much, "5505 words"),
        (long, "sentences of 40.0 words"),
    ];
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    let bad: Vec<(&str, &str)> = bad.iter().map(|(text, why)| (text.as_str(), *why)).collect();
    proven(budgets, &good, &bad);
}
