//! How a file is laid out, found by reading all of it once.

use super::fragments::Fragments;
use super::sentences::{ends_sentence, sentence_ends};
use std::path::Path;
use workbench::error::{Error, Result};

/// The mark that separates the documents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The end of a line.
    Lines,
    /// Empty lines. Where a file has none it is one text, and cut into documents of some sentences.
    Paragraphs,
    /// Headings of level one, `= Heading =`, as in WikiText.
    Wikitext,
}

impl Layout {
    /// All, in the order of their names.
    pub const ALL: [Layout; 3] = [Layout::Lines, Layout::Paragraphs, Layout::Wikitext];

    /// The name of the layout.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Lines => "lines",
            Layout::Paragraphs => "paragraphs",
            Layout::Wikitext => "wikitext",
        }
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub layout: Layout,
    /// Whether the file has a capital at all: where it has none, sentences begin without one.
    pub capitals: bool,
    /// Whether sentences go on in the next line.
    pub wrapped: bool,
    /// How many sentences make a document, where the file is one text.
    pub whole: Option<usize>,
}

/// One text becomes sixty documents or more: each has so many sentences at most.
const MOST: usize = 64;

/// Counts over the lines of a file.
#[derive(Default)]
struct Lines {
    lines: usize,
    /// Ends of sentences inside lines, where a sentence needs a capital, and where it does not.
    inside: [usize; 2],
    /// Lines right below another one; those below one without a mark at its end; those that begin with
    /// a small letter.
    below: usize,
    open: usize,
    small: usize,
}

impl Lines {
    fn count(&mut self, line: &str, above: Option<bool>) {
        self.inside = std::array::from_fn(|i| self.inside[i] + sentence_ends(line, i == 0).count());
        if let Some(above_ends) = above {
            self.below += 1;
            self.open += usize::from(!above_ends);
            self.small += usize::from(line.trim_start().starts_with(char::is_lowercase));
        }
    }

    /// Two lines in five that begin small are no sentences. Where there are no capitals, sentences end
    /// inside lines rather than with them.
    fn are_wrapped(&self, capitals: bool) -> bool {
        if capitals {
            5 * self.small > 2 * self.below
        } else {
            2 * self.open > self.below && self.inside[1] > self.below - self.open
        }
    }

    /// Whether most hold a single sentence.
    fn are_sentences(&self, capitals: bool) -> bool {
        2 * self.inside[usize::from(!capitals)] < self.lines
    }
}

impl Written {
    /// Describes a file that is laid out like this or, unless given, as it looks: a heading of level one anywhere
    /// decides; otherwise an empty line between two lines of text; otherwise lines are the sentences of
    /// one text if they go on below, or hold a single one, and documents if not.
    pub fn of(path: &Path, told: Option<Layout>) -> Result<Written> {
        let mut fragments = Fragments::open(path)?;
        let (mut heading, mut blank, mut capitals, mut returns) = (false, false, false, false);
        let (mut text_above, mut blank_below) = (false, false);
        let (mut lines, mut above) = (Lines::default(), None);
        while let Some(fragment) = fragments.next()? {
            returns |= fragment.text.contains('\r');
            if fragment.whole && is_blank(&fragment.text) {
                (blank_below, above) = (text_above, None);
                continue;
            }
            blank |= blank_below;
            text_above = true;
            heading |= fragment.whole && level(&fragment.text) == Some(1);
            capitals = capitals || fragment.text.contains(char::is_uppercase);
            lines.lines += usize::from(fragment.ends_line);
            lines.count(&fragment.text, above);
            above = fragment.ends_line.then(|| ends_sentence(&fragment.text));
        }
        if returns && lines.lines == 1 {
            let reason = "lines end in carriage returns alone: they must end in LF or CRLF";
            return Err(Error::file(path, reason));
        }
        let wrapped = lines.are_wrapped(capitals);
        let layout = told.unwrap_or(match (heading, blank) {
            (true, _) => Layout::Wikitext,
            (false, true) => Layout::Paragraphs,
            (false, false) if wrapped || lines.are_sentences(capitals) => Layout::Paragraphs,
            (false, false) => Layout::Lines,
        });
        let paragraphs = layout == Layout::Paragraphs;
        let whole = (paragraphs && !blank).then(|| (lines.lines / 60).clamp(2, MOST));
        Ok(Written { layout, capitals, wrapped: wrapped && paragraphs, whole })
    }

    /// The description in words.
    pub fn told(&self) -> String {
        let name = self.layout.name();
        let documents = match self.layout {
            Layout::Lines => "every line is a document",
            Layout::Paragraphs if self.whole.is_some() => "a file is one text, cut into documents",
            Layout::Paragraphs => "empty lines separate documents",
            Layout::Wikitext => "headings begin documents",
        };
        let wrapped = if self.wrapped { ", lines are joined" } else { "" };
        format!("{name} ({documents}{wrapped})")
    }
}

/// Whether a line holds nothing but blanks.
pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The level of a heading: the number of signs on either side. WikiText sets blanks between them,
/// `= = Plot = =`; elsewhere there are none, `== Plot ==`.
pub(super) fn level(line: &str) -> Option<usize> {
    let line = line.trim();
    let title = line.trim_matches(['=', ' ']);
    let (before, after) = line.split_once(title).filter(|_| !title.is_empty())?;
    let signs = |side: &str| side.matches('=').count();
    let spaced = before.ends_with(' ') && after.starts_with(' ');
    (spaced && signs(before) > 0 && signs(before) == signs(after)).then(|| signs(before))
}
