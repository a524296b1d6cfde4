//! Which columns of queries attend to which columns of keys.
//!
//! The sequences of a batch lie side by side in one matrix, without padding. A [`Segment`] names the
//! columns of some queries and of the keys that are theirs, a [`Sight`] says how far among these a
//! query sees. So one type speaks of a batch of sentences, of a decoder that has kept its keys, of a
//! beam and of a window; and attention of any kind runs over the same ragged list of pairs.

use std::ops::Range;

// ANCHOR: segments
/// Which queries attend to which keys. (BERT's segments, in chapter 11, are two texts in one sequence.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments {
    /// They follow one another and cover every column of the queries. A column of the keys may
    /// belong to one segment, to several (hypotheses about one sentence) or to none.
    pub segments: Vec<Segment>,
    /// How far a query sees among the keys of its segment.
    pub sight: Sight,
}

/// Some queries and the keys that they may see: those of one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The columns of the queries.
    pub queries: Range<usize>,
    /// The columns of the keys and values.
    pub keys: Range<usize>,
    /// The position of the first query among the keys: 0 when a sequence attends to itself, the number
    /// of earlier keys when the query is a new token and they were kept.
    pub offset: usize,
}

/// How far a query sees: from its own position among the keys of its segment, or from nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Every key.
    All,
    /// The keys up to its own position: the causal mask.
    Causal,
    /// The keys at most so many positions before its own and at most so many after it. A position beyond
    /// the last key counts as the last key's.
    Window {
        /// Keys before its own.
        behind: usize,
        /// Keys after its own.
        ahead: usize,
    },
    /// A range of positions for every query.
    Given(Vec<Range<usize>>),
}
// ANCHOR_END: segments

/// A query and a key that it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The column of the query.
    pub query: usize,
    /// The column of the key.
    pub key: usize,
    /// The position of the key in its segment.
    pub position: usize,
}

/// Constructors. Offsets cut columns into sequences: sequence `j` has the columns
/// `offsets[j]..offsets[j + 1]`. Every query sees all keys of its sequence until
/// [`Segments::with`] says otherwise.
impl Segments {
    /// One sequence: `n` queries, `m` keys.
    pub fn single(n: usize, m: usize) -> Segments {
        Segments::batch(1, n, m)
    }

    /// `batch` sequences of `n` queries and `m` keys each.
    pub fn batch(batch: usize, n: usize, m: usize) -> Segments {
        Segments::new((0..batch).map(|i| (i * n..(i + 1) * n, i * m..(i + 1) * m)))
    }

    /// Sequences that attend to themselves.
    ///
    /// ```
    /// use scoring_functions::{Segments, Sight};
    /// let segments = Segments::within(&[0, 3, 5]).with(Sight::Causal); // of 3 and 2 tokens
    /// assert_eq!(segments.visible(1), 0..2); // the second token of the first
    /// assert_eq!(segments.visible(4), 3..5); // the second token of the second
    /// ```
    pub fn within(offsets: &[usize]) -> Segments {
        Segments::between(offsets, offsets)
    }

    /// Sequences of queries that attend to as many sequences of keys.
    ///
    /// # Panics
    /// When they are not as many.
    pub fn between(queries: &[usize], keys: &[usize]) -> Segments {
        assert!(queries.len() == keys.len(), "queries cut at {queries:?}, keys at {keys:?}");
        Segments::new(cut(queries).zip(cut(keys)))
    }

    /// Sequences of which the last tokens ask, while the keys of the earlier ones were kept.
    ///
    /// ```
    /// use scoring_functions::{Segments, Sight};
    /// // The fourth token of one sequence; the second and the third of another.
    /// let segments = Segments::continuing(&[0, 1, 3], &[0, 4, 7]).with(Sight::Causal);
    /// assert_eq!([0, 1, 2].map(|query| segments.visible(query)), [0..4, 4..6, 4..7]);
    /// ```
    ///
    /// # Panics
    /// When queries and keys are not equally many sequences, or a query has no key of its own.
    pub fn continuing(queries: &[usize], keys: &[usize]) -> Segments {
        let mut segments = Segments::between(queries, keys);
        for Segment { queries, keys, offset } in &mut segments.segments {
            assert!(queries.len() <= keys.len(), "queries {queries:?} are not among {keys:?}");
            *offset = keys.len() - queries.len();
        }
        segments
    }

    /// One query about each sequence.
    pub fn one_each(offsets: &[usize]) -> Segments {
        Segments::about(cut(offsets))
    }

    /// A query for each of these ranges of keys, which may be the same for several.
    ///
    /// ```
    /// use scoring_functions::Segments;
    /// let beam = Segments::about([3..5, 3..5, 0..3]); // two hypotheses about one source, one about another
    /// assert_eq!((beam.queries(), beam.visible(1)), (3, 3..5));
    /// ```
    pub fn about(keys: impl IntoIterator<Item = Range<usize>>) -> Segments {
        Segments::new(keys.into_iter().enumerate().map(|(i, keys)| (i..i + 1, keys)))
    }

    /// The same segments, seen otherwise.
    pub fn with(self, sight: Sight) -> Segments {
        Segments { sight, ..self }
    }

    fn new(columns: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> Segments {
        let segments = columns.map(|(queries, keys)| Segment { queries, keys, offset: 0 });
        Segments { segments: segments.collect(), sight: Sight::All }
    }
}

fn cut(offsets: &[usize]) -> impl Iterator<Item = Range<usize>> {
    offsets.windows(2).map(|ends| ends[0]..ends[1])
}

/// Who sees what.
impl Segments {
    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.segments.last().map_or(0, |segment| segment.queries.end)
    }

    /// Every query with its segment.
    pub fn each(&self) -> impl Iterator<Item = (usize, &Segment)> {
        self.segments.iter().flat_map(|segment| segment.queries.clone().map(move |j| (j, segment)))
    }

    /// The columns of keys that a query sees.
    pub fn visible(&self, query: usize) -> Range<usize> {
        let i = self.segments.partition_point(|segment| segment.queries.end <= query);
        self.sight.columns(&self.segments[i], query)
    }

    /// Every query with the columns of keys that it sees.
    pub fn views(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.each().map(|(query, segment)| (query, self.sight.columns(segment, query)))
    }

    /// Every query with every key that it sees, one query after another: the order of a ragged list
    /// of scores or weights.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.each().flat_map(|(query, segment)| {
            let start = segment.keys.start;
            let positions = self.sight.positions(segment, query);
            positions.map(move |position| Pair { query, key: start + position, position })
        })
    }

    /// How many pairs there are.
    pub fn pair_count(&self) -> usize {
        self.views().map(|(_, keys)| keys.len()).sum()
    }

    /// Where each query's pairs begin: those of query `j` are `pair_offsets[j]..pair_offsets[j + 1]`.
    ///
    /// ```
    /// use scoring_functions::{Segments, Sight};
    /// assert_eq!(Segments::single(3, 3).with(Sight::Causal).pair_offsets(), [0, 1, 3, 6]);
    /// ```
    pub fn pair_offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        offsets.extend(self.views().scan(0, |end, (_, keys)| {
            *end += keys.len();
            Some(*end)
        }));
        offsets
    }

    /// # Panics
    /// When the segments do not fit `n` columns of queries and `m` of keys.
    pub fn check(&self, n: usize, m: usize) {
        let mut end = 0;
        for Segment { queries, keys, .. } in &self.segments {
            assert!(
                queries.start <= queries.end && keys.start <= keys.end,
                "a segment with the columns {queries:?} and {keys:?} ends before it starts"
            );
            assert!(
                queries.start == end && queries.end <= n && keys.end <= m,
                "a segment with the columns {queries:?} and {keys:?}, after {end} of {n} queries, with \
                 {m} keys"
            );
            end = queries.end;
        }
        assert!(end == n, "segments with {end} queries in all, but there are {n}");
        if let Sight::Given(ranges) = &self.sight {
            assert!(ranges.len() == n, "{} ranges of positions for {n} queries", ranges.len());
            for ((j, segment), positions) in self.each().zip(ranges) {
                let m = segment.keys.len();
                assert!(
                    positions.start <= positions.end && positions.end <= m,
                    "query {j} is to see the positions {positions:?} of {m} keys"
                );
            }
        }
    }
}

impl Sight {
    /// The positions among the keys of its segment that a query (a column) sees.
    pub fn positions(&self, segment: &Segment, query: usize) -> Range<usize> {
        let m = segment.keys.len();
        let position = segment.offset + query - segment.queries.start;
        match self {
            Sight::All => 0..m,
            Sight::Causal => 0..m.min(position + 1),
            Sight::Window { behind, ahead } => {
                let position = position.min(m.saturating_sub(1));
                position.saturating_sub(*behind)
                    ..m.min(position.saturating_add(*ahead).saturating_add(1))
            }
            Sight::Given(ranges) => ranges[query].clone(),
        }
    }

    /// The same as columns of keys.
    fn columns(&self, segment: &Segment, query: usize) -> Range<usize> {
        let positions = self.positions(segment, query);
        segment.keys.start + positions.start..segment.keys.start + positions.end
    }
}

/// The row of what depends on the distance alone, for a query and a key at these positions: such tables have
/// a row for every distance key − query from −c to c, in all `rows` = 2c + 1, and farther ones count as
/// these.
///
/// ```
/// use scoring_functions::segments::distance_row;
/// assert_eq!([0, 4, 5, 6, 9].map(|key| distance_row(5, key, 5)), [0, 1, 2, 3, 4]);
/// ```
pub fn distance_row(query: usize, key: usize, rows: usize) -> usize {
    (key + rows / 2).saturating_sub(query).min(rows - 1)
}
