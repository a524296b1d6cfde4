//! Which words a query looks at: all of its sentence, or a few around a position.
//!
//! Source words stand in one matrix, sentence after sentence: those of sentence `j` are the columns
//! `offsets[j]..offsets[j + 1]`. A window is a range of them, so a batch of windows is a ragged
//! list of columns, and what lies outside a sentence is not in the list: no padding, no mask.

use serde::{Deserialize, Serialize};
use shared::{Float, Var};
use std::ops::Range;

/// Where attention may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Reach {
    /// At every word of the source (Luong et al. 2015, §3.1).
    Global,
    /// Around the position of the word that is written, `p_t = t` (§3.2, *local-m*).
    LocalM,
    /// Around a predicted position (§3.2, *local-p*).
    LocalP,
}

/// Who asks: for every query its sentence and its step.
#[derive(Clone, Copy, Debug)]
pub struct Queries<'a> {
    /// Sentence `j` has the source words `offsets[j]..offsets[j + 1]`.
    pub offsets: &'a [usize],
    /// The sentence of each query.
    pub sentences: &'a [usize],
    /// The step of each query: the position, from 0, of the word that is written.
    pub steps: &'a [usize],
    /// No more words of a sentence can be looked at (those behind are ignored).
    pub longest: usize,
}

impl<'a> Queries<'a> {
    /// Queries that may look at sentences of any length.
    pub fn new(offsets: &'a [usize], sentences: &'a [usize], steps: &'a [usize]) -> Queries<'a> {
        assert!(sentences.len() == steps.len(), "{} and {}", sentences.len(), steps.len());
        Queries { offsets, sentences, steps, longest: usize::MAX }
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "somebody asks")]
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// The column of the first word of query `i`'s sentence.
    pub fn start(&self, i: usize) -> usize {
        self.offsets[self.sentences[i]]
    }

    /// How many words query `i` can look at.
    pub fn words(&self, i: usize) -> usize {
        (self.offsets[self.sentences[i] + 1] - self.start(i)).min(self.longest)
    }
}

/// For every query the source words it looks at.
///
/// ```
/// use luong::windows::{Queries, Windows};
/// // Two sentences of 4 and 3 words; queries of the first, the second, the first.
/// let queries = Queries::new(&[0, 4, 7], &[0, 1, 0], &[0, 0, 1]);
/// let windows = Windows::around(&[0.0, 1.0, 2.5], 1, &queries);
/// assert_eq!(windows.offsets, [0, 2, 5, 7]);
/// assert_eq!(windows.positions, [0, 1, /**/ 0, 1, 2, /**/ 2, 3]); // in the sentence
/// assert_eq!(windows.columns, [0, 1, /**/ 4, 5, 6, /**/ 2, 3]); //   among all words
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windows {
    /// Query `i` looks at `columns[offsets[i]..offsets[i + 1]]` of the source words.
    pub columns: Vec<usize>,
    /// The positions of these words in their sentences, from 0.
    pub positions: Vec<usize>,
    /// One more than there are queries.
    pub offsets: Vec<usize>,
}

impl Windows {
    /// A range of positions for every query; `starts` tells the first column of its sentence.
    pub fn new(ranges: impl IntoIterator<Item = (usize, Range<usize>)>) -> Windows {
        let mut windows = Windows { columns: Vec::new(), positions: Vec::new(), offsets: vec![0] };
        for (start, range) in ranges {
            windows.columns.extend(range.clone().map(|position| start + position));
            windows.positions.extend(range);
            windows.offsets.push(windows.positions.len());
        }
        windows
    }

    /// All words of each query's sentence.
    pub fn whole(queries: &Queries) -> Windows {
        Windows::new((0..queries.len()).map(|i| (queries.start(i), 0..queries.words(i))))
    }

    /// The words at most `width` away from each query's center (Luong et al. 2015, §3.2): what a
    /// window has outside the sentence is left out (footnote 8).
    ///
    /// # Panics
    /// When a window has no word.
    // ANCHOR: around
    pub fn around(centers: &[Float], width: usize, queries: &Queries) -> Windows {
        let d = width as Float;
        let range = |(i, p): (usize, &Float)| {
            let words = queries.words(i);
            if p.is_nan() {
                return (queries.start(i), 0..words); // the loss will be no number either, and tell
            }
            let first = (p - d).ceil().max(0.0) as usize;
            let end = ((p + d).floor().max(-1.0) + 1.0).min(words as Float) as usize;
            assert!(first < end, "a window of ±{width} around {p} has none of {words} words");
            (queries.start(i), first..end)
        };
        Windows::new(centers.iter().enumerate().map(range))
    }
    // ANCHOR_END: around

    /// (query, position) of every word of every window.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let of = |(j, range): (usize, &[usize])| {
            self.positions[range[0]..range[1]].iter().map(move |position| (j, *position))
        };
        self.offsets.windows(2).enumerate().flat_map(of).collect()
    }

    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The columns of `words` (d, n) that the windows list, one after another; `words` themselves
    /// when that is what they are.
    pub fn of<'t>(&self, words: Var<'t>) -> Var<'t> {
        match self.columns.iter().enumerate().all(|(i, column)| i == *column) {
            true => words,
            false => words.select_columns(&self.columns),
        }
    }
}

/// The queries and the words of each sentence, both sentence after sentence: then all scores of a
/// sentence are one product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Sentence `j` asks the queries `queries[j]..queries[j + 1]` …
    pub queries: Vec<usize>,
    /// … about the words `words[j]..words[j + 1]`.
    pub words: Vec<usize>,
}

impl Blocks {
    /// The columns of queries, of words and of pairs (query, word) of every sentence.
    pub fn iter(&self) -> impl Iterator<Item = [Range<usize>; 3]> + '_ {
        let mut pair = 0;
        self.queries.windows(2).zip(self.words.windows(2)).map(move |(q, w)| {
            let start = pair;
            pair += (q[1] - q[0]) * (w[1] - w[0]);
            [q[0]..q[1], w[0]..w[1], start..pair]
        })
    }

    /// How many pairs (query, word) there are.
    pub fn pairs(&self) -> usize {
        self.iter().last().map_or(0, |[_, _, pairs]| pairs.end)
    }
}
