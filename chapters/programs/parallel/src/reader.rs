//! What a reader is made of: a sentence, and the places in it where something can end.
//!
//! A reader knows the lexicon's tables and a grammar, but nothing of how the corpus is made: it accepts a
//! sentence if there is a way to read it in which everything agrees that must agree. Meaning is none of
//! its business: soup may be brave.

use std::collections::BTreeSet;

/// All places where what is read can end.
pub(super) type Ends = BTreeSet<usize>;

/// A sentence without its last mark.
pub(super) struct Reader<'a> {
    words: &'a [&'a str],
}

/// Whether a sentence can be read to its end by `read`, which is given its last mark.
pub(super) fn accepts(sentence: &[String], read: impl Fn(&Reader, &str) -> Ends) -> bool {
    let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
    let Some((mark, words)) = words.split_last() else { return false };
    read(&Reader { words }, mark).contains(&words.len())
}

impl<'a> Reader<'a> {
    pub fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or("")
    }

    pub fn is(&self, at: usize, any: &[&str]) -> bool {
        any.contains(&self.word(at))
    }

    /// The place after an expression of some words, in which stars only mark what translates what.
    pub fn said(&self, at: usize, expression: &str) -> Option<usize> {
        let mut end = at;
        for word in expression.split_whitespace() {
            if self.word(end) != word.replace('*', "") {
                return None;
            }
            end += 1;
        }
        Some(end)
    }
}

/// Where one more step leads from any of these.
pub(super) fn then(ends: Ends, step: impl Fn(usize) -> Ends) -> Ends {
    ends.into_iter().flat_map(step).collect()
}

/// The same, and these.
pub(super) fn perhaps(ends: Ends, step: impl Fn(usize) -> Ends) -> Ends {
    let more: Vec<usize> = ends.iter().flat_map(|end| step(*end)).collect();
    ends.into_iter().chain(more).collect()
}
