//! Which columns of queries attend to which columns of keys.
//!
//! The sequences of a batch lie side by side in one matrix, without padding. A [`Sequence`] names the
//! columns of some queries and of the keys that are theirs, an [`AttentionMask`] says how far among these a
//! query sees. So one type speaks of a batch of sentences, of a decoder that has kept its keys, of a
//! beam and of a window; and attention of any kind runs over the same ragged list of pairs.

use std::ops::Range;

// ANCHOR: sequences
/// Which queries attend to which keys. (BERT's sequences, in chapter 11, are two texts in one sequence.)
#[doc(alias = "cu_seqlens")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// They follow one another and cover every column of the queries. A column of the keys may
    /// belong to one sequence, to several (hypotheses about one sentence) or to none.
    pub sequences: Vec<Sequence>,
    /// How far a query sees among the keys of its sequence.
    pub mask: AttentionMask,
}

/// Some queries and the keys that they may see: those of one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The columns of the queries.
    pub queries: Range<usize>,
    /// The columns of the keys and values.
    pub keys: Range<usize>,
    /// The position of the first query among the keys: 0 when a sequence attends to itself, the number
    /// of earlier keys when the query is a new token and they were kept.
    pub offset: usize,
}

/// How far a query sees: from its own position among the keys of its sequence, or from nowhere.
#[doc(alias = "attn_mask")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttentionMask {
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
// ANCHOR_END: sequences

/// A query and a key that it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The column of the query.
    pub query: usize,
    /// The column of the key.
    pub key: usize,
    /// The position of the key in its sequence.
    pub position: usize,
}

/// Constructors. Offsets cut columns into sequences: sequence `j` has the columns
/// `offsets[j]..offsets[j + 1]`. Every query sees all keys of its sequence until
/// [`Sequences::with`] says otherwise.
impl Sequences {
    /// One sequence: `n` queries, `m` keys.
    pub fn single(n: usize, m: usize) -> Sequences {
        Sequences::batch(1, n, m)
    }

    /// `batch` sequences of `n` queries and `m` keys each.
    pub fn batch(batch: usize, n: usize, m: usize) -> Sequences {
        Sequences::of_columns((0..batch).map(|i| (i * n..(i + 1) * n, i * m..(i + 1) * m)))
    }

    /// Sequences that attend to themselves.
    ///
    /// ```
    /// use scoring_functions::{Sequences, AttentionMask};
    /// let sequences = Sequences::new(&[0, 3, 5]).with(AttentionMask::Causal); // of 3 and 2 tokens
    /// assert_eq!(sequences.visible(1), 0..2); // the second token of the first
    /// assert_eq!(sequences.visible(4), 3..5); // the second token of the second
    /// ```
    pub fn new(offsets: &[usize]) -> Sequences {
        Sequences::between(offsets, offsets)
    }

    /// Sequences of queries that attend to as many sequences of keys.
    ///
    /// # Panics
    /// When they are not as many.
    pub fn between(queries: &[usize], keys: &[usize]) -> Sequences {
        assert!(queries.len() == keys.len(), "queries cut at {queries:?}, keys at {keys:?}");
        Sequences::of_columns(cut(queries).zip(cut(keys)))
    }

    /// Sequences of which the last tokens ask, while the keys of the earlier ones were kept.
    ///
    /// ```
    /// use scoring_functions::{Sequences, AttentionMask};
    /// // The fourth token of one sequence; the second and the third of another.
    /// let sequences = Sequences::continuing(&[0, 1, 3], &[0, 4, 7]).with(AttentionMask::Causal);
    /// assert_eq!([0, 1, 2].map(|query| sequences.visible(query)), [0..4, 4..6, 4..7]);
    /// ```
    ///
    /// # Panics
    /// When queries and keys are not equally many sequences, or a query has no key of its own.
    pub fn continuing(queries: &[usize], keys: &[usize]) -> Sequences {
        let mut sequences = Sequences::between(queries, keys);
        for Sequence { queries, keys, offset } in &mut sequences.sequences {
            assert!(queries.len() <= keys.len(), "queries {queries:?} are not among {keys:?}");
            *offset = keys.len() - queries.len();
        }
        sequences
    }

    /// One query about each sequence.
    pub fn one_each(offsets: &[usize]) -> Sequences {
        Sequences::per_query(cut(offsets))
    }

    /// A query for each of these ranges of keys, which may be the same for several.
    ///
    /// ```
    /// use scoring_functions::Sequences;
    /// let beam = Sequences::per_query([3..5, 3..5, 0..3]); // two hypotheses about one source, one about another
    /// assert_eq!((beam.queries(), beam.visible(1)), (3, 3..5));
    /// ```
    pub fn per_query(keys: impl IntoIterator<Item = Range<usize>>) -> Sequences {
        Sequences::of_columns(keys.into_iter().enumerate().map(|(i, keys)| (i..i + 1, keys)))
    }

    /// The same sequences, seen otherwise.
    pub fn with(self, mask: AttentionMask) -> Sequences {
        Sequences { mask, ..self }
    }

    fn of_columns(columns: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> Sequences {
        let sequences = columns.map(|(queries, keys)| Sequence { queries, keys, offset: 0 });
        Sequences { sequences: sequences.collect(), mask: AttentionMask::All }
    }
}

fn cut(offsets: &[usize]) -> impl Iterator<Item = Range<usize>> {
    offsets.windows(2).map(|ends| ends[0]..ends[1])
}

/// Who sees what.
impl Sequences {
    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.sequences.last().map_or(0, |sequence| sequence.queries.end)
    }

    /// Every query with its sequence.
    pub fn each(&self) -> impl Iterator<Item = (usize, &Sequence)> {
        self.sequences
            .iter()
            .flat_map(|sequence| sequence.queries.clone().map(move |j| (j, sequence)))
    }

    /// The columns of keys that a query sees.
    pub fn visible(&self, query: usize) -> Range<usize> {
        let i = self.sequences.partition_point(|sequence| sequence.queries.end <= query);
        self.mask.columns(&self.sequences[i], query)
    }

    /// Every query with the columns of keys that it sees.
    pub fn views(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.each().map(|(query, sequence)| (query, self.mask.columns(sequence, query)))
    }

    /// Every query with every key that it sees, one query after another: the order of a ragged list
    /// of scores or weights.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.each().flat_map(|(query, sequence)| {
            let start = sequence.keys.start;
            let positions = self.mask.positions(sequence, query);
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
    /// use scoring_functions::{Sequences, AttentionMask};
    /// assert_eq!(Sequences::single(3, 3).with(AttentionMask::Causal).pair_offsets(), [0, 1, 3, 6]);
    /// ```
    pub fn pair_offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        offsets.extend(self.views().scan(0, |end, (_, keys)| {
            *end += keys.len();
            Some(*end)
        }));
        offsets
    }

    /// Checks that the queries follow one another without a gap and that keys and positions exist.
    ///
    /// # Panics
    /// When the sequences do not fit `n` columns of queries and `m` of keys.
    pub fn check(&self, n: usize, m: usize) {
        let mut end = 0;
        for Sequence { queries, keys, .. } in &self.sequences {
            assert!(
                queries.start <= queries.end && keys.start <= keys.end,
                "a sequence with the columns {queries:?} and {keys:?} ends before it starts"
            );
            assert!(
                queries.start == end && queries.end <= n && keys.end <= m,
                "a sequence with the columns {queries:?} and {keys:?}, after {end} of {n} queries, with \
                 {m} keys"
            );
            end = queries.end;
        }
        assert!(end == n, "sequences with {end} queries in all, but there are {n}");
        if let AttentionMask::Given(ranges) = &self.mask {
            assert!(ranges.len() == n, "{} ranges of positions for {n} queries", ranges.len());
            for ((j, sequence), positions) in self.each().zip(ranges) {
                let m = sequence.keys.len();
                assert!(
                    positions.start <= positions.end && positions.end <= m,
                    "query {j} is to see the positions {positions:?} of {m} keys"
                );
            }
        }
    }
}

impl AttentionMask {
    /// The positions among the keys of its sequence that a query (a column) sees.
    pub fn positions(&self, sequence: &Sequence, query: usize) -> Range<usize> {
        let m = sequence.keys.len();
        let position = sequence.offset + query - sequence.queries.start;
        match self {
            AttentionMask::All => 0..m,
            AttentionMask::Causal => 0..m.min(position + 1),
            AttentionMask::Window { behind, ahead } => {
                let position = position.min(m.saturating_sub(1));
                position.saturating_sub(*behind)
                    ..m.min(position.saturating_add(*ahead).saturating_add(1))
            }
            AttentionMask::Given(ranges) => ranges[query].clone(),
        }
    }

    /// The same as columns of keys.
    fn columns(&self, sequence: &Sequence, query: usize) -> Range<usize> {
        let positions = self.positions(sequence, query);
        sequence.keys.start + positions.start..sequence.keys.start + positions.end
    }
}

/// The row of what depends on the distance alone, for a query and a key at these positions: such tables have
/// a row for every distance key − query from −c to c, in all `rows` = 2c + 1, and farther ones count as
/// these.
///
/// ```
/// use scoring_functions::sequences::distance_row;
/// assert_eq!([0, 4, 5, 6, 9].map(|key| distance_row(5, key, 5)), [0, 1, 2, 3, 4]);
/// ```
pub fn distance_row(query: usize, key: usize, rows: usize) -> usize {
    (key + rows / 2).saturating_sub(query).min(rows - 1)
}
