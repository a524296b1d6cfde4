//! Which sentences make an example: two segments out of one document, or out of two.

use super::corpus::Part;
use crate::masking::Masking;
use rand::RngExt;
use shared::Rng;
use std::ops::Range;

/// Stretches of neighbouring sentences of one document, about as long as a sequence.
pub struct Windows {
    windows: Vec<Range<u32>>,
    documents: Vec<u32>,
    longest: usize,
}

/// An example before anything is read: which sentences, and how many of their tokens will be masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The sentences of the first segment.
    pub first: Range<usize>,
    /// The sentences of the second.
    pub second: Range<usize>,
    /// Whether the second follows the first in their document.
    pub follows: bool,
    /// How many tokens will be masked.
    pub masked: usize,
    /// How many pieces the sequence will have.
    pub length: usize,
}

impl Windows {
    /// Cuts every document into windows of at most `longest` pieces with their three marks; a sentence
    /// that would stand alone joins the window before it.
    pub fn new(part: &Part, longest: usize) -> Windows {
        Windows::of_lengths(part, &[longest])
    }

    pub fn of_lengths(part: &Part, lengths: &[usize]) -> Windows {
        let longest = *lengths.iter().max().expect("a length");
        let mut all = Windows { windows: Vec::new(), documents: Vec::new(), longest };
        lengths.iter().for_each(|length| all.cut(part, *length));
        all
    }

    fn cut(&mut self, part: &Part, longest: usize) {
        let Windows { windows, documents, .. } = self;
        for document in 0..part.documents.len() {
            let (begin, mut length) = (windows.len(), 0);
            for sentence in part.sentences(document) {
                let pieces = part.store.length(sentence);
                let is_full = length + pieces + 3 > longest;
                match windows[begin..].last_mut() {
                    Some(open) if !is_full || open.len() < 2 => open.end += 1,
                    _ => {
                        windows.push(sentence as u32..sentence as u32 + 1);
                        length = 0;
                    }
                }
                length += pieces;
            }
            // One sentence left alone.
            if windows.len() > begin + 1 && windows[windows.len() - 1].len() == 1 {
                windows.pop();
                windows.last_mut().expect("the window before").end += 1;
            }
            documents.resize(windows.len(), document as u32);
        }
    }

    pub fn longest(&self) -> usize {
        self.longest
    }

    pub fn len(&self) -> usize {
        self.windows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// How many pieces the example of a window has at most, with its marks.
    pub fn length(&self, window: usize, part: &Part) -> usize {
        let sentences = self.windows[window].clone();
        let pieces: usize = sentences.map(|s| part.store.length(s as usize)).sum();
        (pieces + 3).min(self.longest)
    }

    /// Draws the example of a window: it is cut in two between two sentences, at a random place in its
    /// middle third; one time in two the second part is replaced by sentences of another document.
    pub fn plan(&self, window: usize, part: &Part, masking: &Masking, rng: &mut Rng) -> Plan {
        let Range { start, end } = self.windows[window];
        let cut = match end - start {
            1 => end,
            n => {
                let third = n.div_ceil(3);
                rng.random_range(start + third..=(end - third).max(start + third))
            }
        };
        let first = start as usize..cut as usize;
        let follows = cut < end && (self.is_one_document() || rng.random::<bool>());
        let second = if follows {
            cut as usize..end as usize
        } else {
            let replaced = part.length(cut as usize..end as usize);
            let room = (self.longest - 3).saturating_sub(part.length(first.clone()));
            self.elsewhere(window, part, [replaced, room], rng)
        };
        let text = (part.length(first.clone()) + part.length(second.clone())).min(self.longest - 3);
        let masked = masking.count(text);
        Plan { first, second, follows, masked, length: text + 3 }
    }

    /// The end of a window of another document, with about as many pieces as it replaces: a pair's
    /// length shall not give the class away. It does not begin its document, for nothing that follows does; of one
    /// document, it is the other window's or the same.
    fn elsewhere(
        &self,
        window: usize,
        part: &Part,
        [replaced, room]: [usize; 2],
        rng: &mut Rng,
    ) -> Range<usize> {
        let other = loop {
            let other = rng.random_range(0..self.windows.len());
            if self.documents[other] != self.documents[window] || self.is_one_document() {
                break other;
            }
        };
        let end = self.windows[other].end as usize;
        let document = part.sentences(self.documents[other] as usize);
        let (mut start, mut pieces) = (end - 1, part.store.length(end - 1));
        while start > document.start + 1 {
            let more = part.store.length(start - 1);
            if 2 * pieces + more > 2 * replaced || pieces + more > room {
                break; // with it the length would be further off, or the pair be cut
            }
            (start, pieces) = (start - 1, pieces + more);
        }
        start..end
    }

    /// Whether pairs of both kinds can be drawn: a second sentence that follows, another document.
    pub fn has_both_kinds(&self) -> bool {
        !self.is_one_document() && self.windows.iter().any(|window| window.len() > 1)
    }

    fn is_one_document(&self) -> bool {
        self.documents.first() == self.documents.last()
    }
}
