//! What separates the documents of a file, found by reading all of it once.

use super::fragments::Fragments;
use std::path::Path;
use workbench::error::Result;

/// What separates documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// A heading of level one, `= Heading =`, as in WikiText.
    Heading,
    /// An empty line.
    Blank,
    /// The end of a line.
    Line,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub separator: Separator,
    /// Whether the file has a capital at all: where it has none, sentences begin without one.
    pub capitals: bool,
}

impl Layout {
    /// A heading of level one anywhere decides; otherwise an empty line between two lines of text;
    /// otherwise every line is a document.
    pub fn of(path: &Path) -> Result<Layout> {
        let mut fragments = Fragments::open(path)?;
        let (mut heading, mut blank, mut capitals) = (false, false, false);
        let (mut text_above, mut blank_below) = (false, false);
        while let Some(fragment) = fragments.next()? {
            if fragment.whole && is_blank(&fragment.text) {
                blank_below = text_above;
                continue;
            }
            blank |= blank_below;
            text_above = true;
            heading |= fragment.whole && level(&fragment.text) == Some(1);
            capitals = capitals || fragment.text.contains(char::is_uppercase);
        }
        let separator = match (heading, blank) {
            (true, _) => Separator::Heading,
            (false, true) => Separator::Blank,
            (false, false) => Separator::Line,
        };
        Ok(Layout { separator, capitals })
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
    let is_sign = |c: char| c == '=' || c == ' ';
    let title = line.trim_matches(is_sign);
    let (before, after) = line.split_once(title).filter(|_| !title.is_empty())?;
    let signs = |side: &str| side.matches('=').count();
    let spaced = before.ends_with(' ') && after.starts_with(' ');
    (spaced && signs(before) > 0 && signs(before) == signs(after)).then(|| signs(before))
}
