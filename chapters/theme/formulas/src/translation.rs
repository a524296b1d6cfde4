//! Pages in another language, from `po/LANGUAGE.po`: gettext's format, which translators have editors for.
//!
//! A message is a line of a page: a paragraph, a heading, an item, a row of a table. What marks it (`## `, `- `, `<sub>`)
//! is not part of it, and neither is a measured number: `0.31<!--=key-->` is `<!--=key-->` in the message, so a number
//! that is measured again is right in every language. Lines of code, displayed formulas and links to questions are no
//! messages. What has no translation, or one of a text that was changed since, is shown in English.
//!
//! (The usual preprocessor, `mdbook-gettext`, reads a page as Markdown without formulas and writes it anew. Tried with its
//! version 0.4.0, `$\{x, [y]\}$` came out as `${x, \[y\]}$`, and `> [!IMPORTANT]` was no box any more. A line that is
//! replaced as a line comes out as it went in.)

use crate::question::anchor;
use polib::po_file;
use roxmltree::Document;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// What the preprocessor itself writes.
pub const WORDS: [&str; 6] = ["Exercise", "Figure", "Try it", NAME, DATED, REPORT];
/// At the end of a published page.
pub const REPORT: &str = "Report a mistake on this page";
/// What the link to it says.
const NAME: &str = "The language's own name";
/// At the beginning of a translated page.
const DATED: &str = "Translated from the English of DATE; what is not translated is in English.";

/// Messages of one language, by what they are in English.
#[derive(Default)]
pub struct Translation {
    messages: HashMap<String, String>,
    /// When the catalogue was last brought up to date.
    date: String,
}

impl Translation {
    /// Those of a file that are translated and up to date.
    ///
    /// # Errors
    /// When there is no such file, it is no catalogue, or nothing in it is translated.
    pub fn read(file: &Path) -> Result<Translation, String> {
        let catalog =
            po_file::parse(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let messages = catalog.messages().filter_map(|message| {
            let translated = message.is_translated() && !message.is_fuzzy();
            let text = message.msgstr().ok().filter(|_| translated)?;
            Some((message.msgid().to_owned(), text.to_owned()))
        });
        let messages: HashMap<String, String> = messages.collect();
        if messages.is_empty() {
            return Err(format!("{}: there is no translation in it", file.display()));
        }
        Ok(Translation { messages, date: catalog.metadata.pot_creation_date })
    }

    /// A text of its own, such as a title or a label.
    pub fn of<'t>(&'t self, text: &'t str) -> &'t str {
        self.messages.get(text).map_or(text, String::as_str)
    }

    /// Is this page translated? Its title then is.
    pub fn knows(&self, markdown: &str) -> bool {
        let title = lines(markdown).into_iter().next();
        title.is_some_and(|title| self.messages.contains_key(&message(&markdown[title])))
    }

    /// The page with a line below its title that leads to the same page in English.
    pub fn beside_english(&self, page: &str, path: &Path) -> String {
        let dated = self.of(DATED).replace("DATE", &self.date);
        with_languages(
            page,
            &format!("<a lang=\"en\" href=\"{}\">English</a> · {dated}", address(path, "")),
        )
    }

    /// A page with every line in this language that has a translation. A heading keeps its English address.
    pub fn page(&self, markdown: &str) -> String {
        let (mut page, mut copied) = (String::with_capacity(markdown.len()), 0);
        for line in lines(markdown) {
            let text = &markdown[line.clone()];
            let Some(translated) = self.messages.get(&message(text)) else { continue };
            page += &markdown[copied..line.start];
            page += &with_numbers(translated, text);
            let start = markdown[..line.start].rfind('\n').map_or(0, |end| end + 1);
            if markdown[start..].starts_with('#') {
                page += &format!(" {{#{}}}", anchor(text));
            }
            copied = line.end;
        }
        page + &markdown[copied..]
    }

    /// Where a page in `folder` finds a script: in another language, in the English book.
    pub fn script(&self, folder: &Path, script: &str) -> String {
        let chapter = folder.file_name().unwrap_or_default().to_string_lossy();
        match self.messages.is_empty() {
            true => script.to_owned(),
            false if folder.join("SUMMARY.md").exists() => format!("../{script}"),
            false => format!("../../{chapter}/{script}"),
        }
    }

    /// A drawing with every label that has a translation.
    pub fn figure(&self, svg: &str) -> String {
        let (mut drawing, mut copied) = (String::with_capacity(svg.len()), 0);
        for label in labels(svg) {
            let Some(translated) = self.messages.get(&svg[label.clone()]) else { continue };
            drawing += &svg[copied..label.start];
            drawing += translated;
            copied = label.end;
        }
        drawing + &svg[copied..]
    }
}

/// The English page with a line below its title that leads to its translations.
pub fn beside_others(page: &str, path: &Path, others: &[(String, Translation)]) -> String {
    let others = others.iter().filter(|(_, language)| language.knows(page));
    let links = others.map(|(name, language)| {
        let word = language.of(NAME);
        format!("<a lang=\"{name}\" href=\"{}\">{word}</a>", address(path, name))
    });
    let links: Vec<String> = links.collect();
    if links.is_empty() { page.to_owned() } else { with_languages(page, &links.join(" · ")) }
}

fn with_languages(page: &str, links: &str) -> String {
    let (title, rest) = page.split_once('\n').unwrap_or((page, ""));
    format!("{title}\n\n<p class=\"languages\">{links}</p>\n{rest}")
}

/// Where a page has the same page in the book of a language, from its own: `folder` is empty for the English one.
fn address(page: &Path, folder: &str) -> String {
    let up = "../".repeat(page.components().count() - usize::from(!folder.is_empty()));
    let html = page.with_extension("html").to_string_lossy().replace("README.html", "index.html");
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    format!("{up}{folder}{html}")
}

/// Where a page has its messages.
pub fn lines(markdown: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let (mut code, mut formula) = (false, false);
    for line in markdown.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim_start_matches(['>', ' ']).trim_end();
        if text.starts_with("```") {
            code = !code;
        } else if text.starts_with("$$") || formula {
            let opens = text.starts_with("$$") && !formula;
            formula = !(text.ends_with("$$") && (!opens || text.len() > 2));
            found.extend(words(line).map(|words| start + words.start..start + words.end));
        } else if !code && let Some(inner) = inner(line) {
            found.push(start + inner.start..start + inner.end);
        }
    }
    found
}

/// The words in a formula.
fn words(line: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    line.match_indices(TEXT).filter_map(|(at, _)| {
        let start = at + TEXT.len();
        let end = start + line[start..].find('}')?;
        let text = &line[start..end];
        (text.trim().contains(' ') && !text.contains('$')).then_some(start..end)
    })
}

const TEXT: &str = "\\text{";

/// What of a line is its message, if anything.
fn inner(line: &str) -> Option<Range<usize>> {
    let mut text = line.trim_end();
    for start in
        ["#", ">", "-", " ", "1.", "2.", "3.", "4.", "5.", "6.", "<sub>", FOLDED, "**Question: "]
    {
        text = text.trim_start_matches(start).trim_start();
    }
    if text.starts_with("**Answer: ") {
        text = text.split_once(".** ").map_or(text, |(_, reply)| reply);
    }
    if text.starts_with('*')
        && let Some((number, reply)) = text.split_once(":** ")
        && number.trim_start_matches('*').chars().all(|c| c.is_ascii_digit() || "., −-".contains(c))
    {
        text = reply; // to a wrong answer
    }
    let start = line.trim_end().len() - text.len();
    let text = text.strip_suffix("</sub>").unwrap_or(text);
    let text = text.strip_suffix("</summary>").unwrap_or(text);
    if text == "Answer" {
        return None; // questions.js finds the answer by it
    }
    let is_question = line.starts_with("**Question: ");
    let text = text.strip_suffix("**").filter(|_| is_question).unwrap_or(text);
    let is_mark =
        ["<", "[!", "[Question ", "![](figures/"].iter().any(|mark| text.starts_with(mark))
            && !text.contains("**");
    let plain = without_marks(text);
    let has_words = plain
        .split('`')
        .step_by(2)
        .flat_map(|part| part.split('$').step_by(2))
        .any(|part| part.chars().any(char::is_alphabetic));
    (has_words && !is_mark).then_some(start..start + text.len())
}

const FOLDED: &str = "<details><summary>";

/// The text without comments.
fn without_marks(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.filter_map(|part| Some(part.split_once("-->")?.1)).collect::<String>()
}

/// A line as it stands in a catalogue: measured numbers are named alone.
pub fn message(line: &str) -> String {
    let (mut text, mut copied) = (String::new(), 0);
    for (number, _) in numbers(line) {
        text += &line[copied..number.start];
        copied = number.end;
    }
    text + &line[copied..]
}

/// The measured numbers of a line, each with its mark.
fn numbers(line: &str) -> Vec<(Range<usize>, &str)> {
    let marks = line.match_indices("<!--=").filter_map(|(at, _)| {
        let end = at + line[at..].find("-->")? + 3;
        let before = &line[..at];
        let number = before.strip_suffix(" %").unwrap_or(before);
        let length = number
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_digit() || ".,−-+·⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(*c));
        let length: usize = length.map(char::len_utf8).sum();
        Some((number.len() - length..at, &line[at..end]))
    });
    marks.collect()
}

/// A translated line with the numbers of the English one.
fn with_numbers(translated: &str, line: &str) -> String {
    let mut text = translated.to_owned();
    let mut at = HashMap::new(); // the same mark may stand twice
    for (number, mark) in numbers(line) {
        let from = at.get(mark).copied().unwrap_or(0);
        if let Some(found) = text[from..].find(mark) {
            let place = from + found;
            text.insert_str(place, &line[number.clone()]);
            at.insert(mark, place + number.len() + mark.len());
        }
    }
    text
}

/// Where a drawing has its labels, without the spaces around them.
pub fn labels(svg: &str) -> Vec<Range<usize>> {
    let Ok(document) = Document::parse(svg) else { return Vec::new() };
    let texts = document.descendants().filter(|node| {
        node.is_text() && node.ancestors().any(|above| above.tag_name().name() == "text")
    });
    let found = texts.map(|node| {
        let text = &svg[node.range()];
        let start = node.range().end - text.trim_start().len();
        start..start + text.trim().len()
    });
    let worded = found.filter(|label| {
        let text = &svg[label.clone()];
        text.chars().filter(|c| c.is_alphabetic()).count() > 1 && !text.contains('&')
    });
    worded.collect()
}

/// What a translation must keep, message by message: formulas, code, addresses, marks of numbers, pictures. Gives what it
/// does not.
pub fn faults(english: &str, translated: &str) -> Vec<String> {
    let kept = |text: &str| {
        let mut parts: HashMap<String, isize> = HashMap::new();
        let mut count = |part: &str| *parts.entry(part.to_owned()).or_default() += 1;
        let marks = text.split("<!--").skip(1).filter_map(|part| part.split_once("-->"));
        // What stands in the others, `<!-- built: … -->`, is text.
        marks
            .filter(|(mark, _)| mark.starts_with('=') || *mark == " way ")
            .for_each(|(mark, _)| count(mark));
        text.split("](")
            .skip(1)
            .filter_map(|part| part.split_once(')'))
            .for_each(|(link, _)| count(link));
        let without = without_marks(text);
        without.split('`').skip(1).step_by(2).for_each(&mut count);
        let prose: String = without.split('`').step_by(2).collect();
        prose.split('$').skip(1).step_by(2).for_each(&mut count);
        parts
    };
    let (wanted, found) = (kept(english), kept(translated));
    let parts: HashSet<&String> = wanted.keys().chain(found.keys()).collect();
    let mut faults: Vec<String> = parts
        .into_iter()
        .filter(|part| wanted.get(*part) != found.get(*part))
        .map(|part| {
            format!(
                "`{part}` is there {} times, not {}",
                found.get(part).unwrap_or(&0),
                wanted.get(part).unwrap_or(&0)
            )
        })
        .collect();
    faults.sort();
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chinese(messages: &[(&str, &str)]) -> Translation {
        let messages = messages.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        Translation { messages: messages.collect(), date: "2026-11-28".into() }
    }

    #[test]
    fn lines_are_translated_and_nothing_else() {
        let translation = chinese(&[
            ("A desk", "一张书桌"),
            ("Look at $x$.", "看 $x$。"),
            ("one", "一"),
            ("| what | <!--=a.b--> |", "| 什么 | <!--=a.b--> |"),
            ("Caption.", "说明。"),
            ("code", "?"),
            ("Why", "为什么"),
            ("So it is.", "就是这样。"),
            ("No.", "不。"),
        ]);
        let page = "# A desk\n\nLook at $x$.\n\n- one\n- two\n\n| what | 0.3<!--=a.b--> |\n\n![](figures/f.svg)\\\n<sub>Caption.</sub>\n\n```text\ncode\n```\n\n$$\none\n$$\n\n**Question: Why**\n\n**Answer: 2.** So it is.\n\n- **1:** No.\n";
        let expected = "# 一张书桌 {#a-desk}\n\n看 $x$。\n\n- 一\n- two\n\n| 什么 | 0.3<!--=a.b--> |\n\n![](figures/f.svg)\\\n<sub>说明。</sub>\n\n```text\ncode\n```\n\n$$\none\n$$\n\n**Question: 为什么**\n\n**Answer: 2.** 就是这样。\n\n- **1:** 不。\n";
        assert_eq!(translation.page(page), expected);
        assert!(translation.knows(page) && !chinese(&[("one", "一")]).knows(page));
    }

    #[test]
    fn numbers_come_from_the_english_line() {
        let line = "It takes 2.3·10⁻³<!--=a--> s, then 55 %<!--=b--> and 1<!--=a-->.";
        assert_eq!(message(line), "It takes <!--=a--> s, then <!--=b--> and <!--=a-->.");
        let translated = "先 <!--=b-->，再 <!--=a--> 秒和 <!--=a-->。";
        assert_eq!(
            with_numbers(translated, line),
            "先 55 %<!--=b-->，再 2.3·10⁻³<!--=a--> 秒和 1<!--=a-->。"
        );
    }

    #[test]
    fn a_page_leads_to_its_translations_and_back() {
        let language = chinese(&[("A desk", "一张书桌"), (NAME, "中文")]);
        let page = language.beside_english("# 一张书桌\n\n甲\n", Path::new("01_a/README.md"));
        assert!(page.starts_with(
            "# 一张书桌\n\n<p class=\"languages\"><a lang=\"en\" href=\"../../01_a/index.html\">"
        ));
        assert!(page.contains("English of 2026-11-28;") && page.ends_with("</p>\n\n甲\n"));
        let others = [("zh-CN".to_owned(), language)];
        let page = beside_others("# A desk\n", Path::new("desk.md"), &others);
        assert_eq!(
            page,
            "# A desk\n\n<p class=\"languages\"><a lang=\"zh-CN\" href=\"zh-CN/desk.html\">中文</a></p>\n"
        );
        assert_eq!(beside_others("# B\n", Path::new("desk.md"), &others), "# B\n");
    }

    #[test]
    fn labels_of_drawings_are_translated() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text x=\"1\">query <tspan>q</tspan></text><text>0.5</text></svg>";
        let drawn = chinese(&[("query", "查询")]).figure(svg);
        assert_eq!(drawn, svg.replace("query", "查询"));
    }

    #[test]
    fn what_a_translation_loses_is_named() {
        let english = "At $x$ see [a](b.md#c): 3<!--=k--> of `code`.";
        assert!(faults(english, "见 [甲](b.md#c)：`code` 在 $x$ 的 <!--=k-->。").is_empty());
        assert_eq!(faults("$x$ and $y$", "$x$").len(), 1);
        assert_eq!(faults(english, "见 [甲](b.md)。").len(), 5);
    }
}
