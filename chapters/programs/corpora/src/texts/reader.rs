//! The documents of one file.

use super::Document;
use super::fragments::{Fragment, Fragments};
use super::layout::{Layout, Written, is_blank, level};
use super::sentences::sentence_ends;
use std::path::Path;
use workbench::error::Result;

/// The longest sentence, in bytes: a longer one is cut, between two words if it has any. It is more
/// than a BERT of 512 places can read at once.
pub const MAX_SENTENCE: usize = 4 << 10;

/// A document of more bytes ends with the sentence that makes it so; the next goes on from there.
pub const MAX_DOCUMENT: usize = 1 << 20;

/// Reads a file document by document.
pub(super) struct Reader {
    fragments: Fragments,
    written: Written,
    /// The beginning of a sentence.
    open: String,
    /// The document so far, and its bytes.
    document: Document,
    bytes: usize,
}

impl Reader {
    pub fn open(path: &Path, layout: Option<Layout>) -> Result<Reader> {
        let written = Written::of(path, layout)?;
        let (open, document) = Default::default();
        Ok(Reader { fragments: Fragments::open(path)?, written, open, document, bytes: 0 })
    }

    /// How the file is written.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// The next document; it has a sentence.
    pub fn next(&mut self) -> Result<Option<Document>> {
        while let Some(fragment) = self.fragments.next()? {
            if self.take(&fragment) && !self.document.sentences.is_empty() {
                return Ok(Some(self.close()));
            }
        }
        self.cut(true);
        Ok(Some(self.close()).filter(|document| !document.sentences.is_empty()))
    }

    /// Adds a fragment; whether the document ends with it.
    fn take(&mut self, fragment: &Fragment) -> bool {
        let Written { layout, wrapped, whole, .. } = self.written;
        if fragment.whole && is_blank(&fragment.text) {
            self.cut(true);
            return layout == Layout::Paragraphs;
        }
        let heading = level(&fragment.text).filter(|_| fragment.whole);
        if let Some(level) = heading.filter(|_| layout == Layout::Wikitext) {
            return level == 1;
        }
        self.open.push_str(&fragment.text);
        if wrapped && fragment.ends_line && !fragment.text.ends_with(is_wide) {
            self.open.push(' ');
        }
        self.cut(fragment.ends_line && !wrapped);
        let line = layout == Layout::Lines && fragment.ends_line;
        let enough = whole.is_some_and(|most| self.document.sentences.len() >= most);
        line || enough || self.bytes >= MAX_DOCUMENT
    }

    fn close(&mut self) -> Document {
        self.bytes = 0;
        std::mem::take(&mut self.document)
    }

    /// Moves sentences into the document: all, or all but the last, which may go on.
    fn cut(&mut self, all: bool) {
        let text = std::mem::take(&mut self.open);
        let mut start = 0;
        for end in sentence_ends(&text, self.written.capitals) {
            self.add(&text[start..end], true);
            start = end;
        }
        let rest = self.add(&text[start..], all);
        self.open = text[text.len() - rest..].to_owned();
    }

    /// Adds a sentence, in parts if it is too long; the last part only if it is closed. Returns how
    /// many bytes were not added.
    fn add(&mut self, mut sentence: &str, closed: bool) -> usize {
        while sentence.len() > MAX_SENTENCE {
            let end = sentence.floor_char_boundary(MAX_SENTENCE);
            let blank = sentence[..end].trim_end().rfind(char::is_whitespace).filter(|i| *i > 0);
            let (part, rest) = sentence.split_at(blank.unwrap_or(end));
            self.push(part.trim());
            sentence = rest.trim_start();
        }
        if !closed {
            return sentence.len();
        }
        self.push(sentence.trim());
        0
    }

    fn push(&mut self, sentence: &str) {
        if !sentence.is_empty() {
            self.bytes += sentence.len();
            self.document.sentences.push(sentence.to_owned());
        }
    }
}

/// Whether no blank stands after it: Chinese and Japanese, but not Korean.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}
