//! A batch of sequences without padding.
//!
//! A recurrent network reads all sequences of a batch side by side: first the first token of each,
//! then the second of each, and so on. Sequences end at different places. Padding the short ones
//! and computing on the padding costs time, and a state that has run through padding is another
//! state. Here the sequences are sorted, longest first, so that those still running at step `t` are
//! always the first few; their tokens lie side by side, and a finished sequence just drops out.

use std::ops::Range;

/// In which order a layer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the first token to the last.
    Forward,
    /// From the last token to the first.
    Backward,
}

/// A packed batch: which column of a matrix is which token of which sequence.
///
/// The columns of step `t` are the tokens `t` of the first `size(t)` sequences, those longer than
/// `t`. Three sequences `abcd`, `ef`, `g` are packed as
///
/// ```text
/// step      0       1     2   3
/// column    0 1 2   3 4   5   6
/// token     a e g   b f   c   d
/// ```
///
/// ```
/// use recurrent_networks::Steps;
/// let steps = Steps::new(&[4, 2, 1]);
/// assert_eq!((steps.len(), steps.sequences(), steps.tokens()), (4, 3, 7));
/// assert_eq!((steps.size(1), steps.columns(1)), (2, 3..5));
/// assert_eq!(steps.column(1, 1), 4); //              f
/// assert_eq!(steps.by_sequence(), [0, 3, 5, 6, 1, 4, 2]); // abcd ef g
/// assert_eq!(steps.reversed(), [6, 4, 2, 5, 1, 3, 0]); //    dcba fe g, packed
/// assert_eq!(steps.last(), [6, 4, 2]); //                    d, f, g
/// ```
#[doc(alias = "PackedSequence")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The length of each sequence, longest first.
    lengths: Vec<usize>,
    /// `starts[t]` is the first column of step `t`; the last entry is the number of tokens.
    starts: Vec<usize>,
}

impl Steps {
    /// The packing of sequences with the given lengths.
    ///
    /// # Panics
    /// When there is no sequence, one is empty, or one is longer than the one before it.
    pub fn new(lengths: &[usize]) -> Steps {
        assert!(!lengths.is_empty(), "a batch needs a sequence");
        for (i, pair) in lengths.windows(2).enumerate() {
            let [a, b] = [pair[0], pair[1]];
            assert!(b <= a, "sequence {} of length {b} follows one of {a}: longest first", i + 1);
        }
        let shortest = lengths[lengths.len() - 1];
        assert!(shortest > 0, "sequence {} is empty", lengths.len() - 1);
        // ANCHOR: starts
        let mut starts = vec![0];
        for t in 0..lengths[0] {
            let running = lengths.partition_point(|length| *length > t);
            starts.push(starts[t] + running);
        }
        // ANCHOR_END: starts
        Steps { lengths: lengths.to_vec(), starts }
    }

    /// The number of steps: the length of the longest sequence.
    #[expect(clippy::len_without_is_empty, reason = "a packed batch is never empty")]
    pub fn len(&self) -> usize {
        self.lengths[0]
    }

    /// The number of sequences.
    pub fn sequences(&self) -> usize {
        self.lengths.len()
    }

    /// The length of each sequence, longest first.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The number of tokens of all sequences: the columns of a packed matrix.
    pub fn tokens(&self) -> usize {
        self.starts[self.len()]
    }

    /// How many sequences are longer than `t`.
    ///
    /// # Panics
    /// When none is.
    pub fn size(&self, t: usize) -> usize {
        self.columns(t).len()
    }

    /// The columns of step `t`: column `columns(t).start + i` is token `t` of sequence `i`.
    ///
    /// # Panics
    /// When no sequence is longer than `t`.
    pub fn columns(&self, t: usize) -> Range<usize> {
        self.starts[t]..self.starts[t + 1]
    }

    /// The column of token `t` of a sequence.
    ///
    /// # Panics
    /// When the sequence is not that long.
    pub fn column(&self, sequence: usize, t: usize) -> usize {
        let length = self.lengths[sequence];
        assert!(t < length, "token {t} of sequence {sequence}, which has {length}");
        self.starts[t] + sequence
    }

    /// The columns sequence by sequence: those of sequence 0 from its first token to its last, then
    /// those of sequence 1, and so on. An index for [`shared::Var::select_columns`].
    pub fn by_sequence(&self) -> Vec<usize> {
        let sequences = self.lengths.iter().enumerate();
        sequences.flat_map(|(i, length)| (0..*length).map(move |t| self.starts[t] + i)).collect()
    }

    /// The columns of a packing in which every sequence stands back to front: an index for
    /// [`shared::Var::select_columns`]. Applied twice, it changes nothing.
    pub fn reversed(&self) -> Vec<usize> {
        let tokens = (0..self.len()).flat_map(|t| (0..self.size(t)).map(move |i| (t, i)));
        tokens.map(|(t, i)| self.column(i, self.lengths[i] - 1 - t)).collect()
    }

    /// The column of each sequence's last token.
    pub fn last(&self) -> Vec<usize> {
        (0..self.sequences()).map(|i| self.column(i, self.lengths[i] - 1)).collect()
    }

    /// The share of columns that padding to the longest sequence would add to a matrix of
    /// `sequences × len` columns: arithmetic saved by packing.
    ///
    /// ```
    /// assert_eq!(recurrent_networks::Steps::new(&[3, 1]).padding(), 2.0 / 6.0);
    /// ```
    pub fn padding(&self) -> f64 {
        let padded = self.sequences() * self.len();
        (padded - self.tokens()) as f64 / padded as f64
    }

    /// The steps in the order in which a layer reads them.
    pub(crate) fn walk(&self, direction: Direction) -> Vec<Visit> {
        let visit = |t: usize| {
            let columns = self.columns(t);
            let from = match direction {
                Direction::Forward if t == 0 => 0..0,
                Direction::Forward => self.starts[t - 1]..self.starts[t - 1] + columns.len(),
                Direction::Backward if t + 1 == self.len() => 0..0,
                Direction::Backward => self.columns(t + 1),
            };
            Visit { columns, from }
        };
        match direction {
            Direction::Forward => (0..self.len()).map(visit).collect(),
            Direction::Backward => (0..self.len()).rev().map(visit).collect(),
        }
    }
}

/// One step of a walk through a packed batch.
///
/// The first `from.len()` of the step's columns continue the states in the columns `from`; the
/// others begin their sequence. Forward, all sequences begin at step 0; backward, each begins at
/// its last token, when the longer ones are already on their way.
pub(crate) struct Visit {
    pub columns: Range<usize>,
    pub from: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_forward_begins_everywhere_at_step_0() {
        let walk = Steps::new(&[4, 2, 1]).walk(Direction::Forward);
        let found: Vec<_> = walk.into_iter().map(|v| (v.columns, v.from)).collect();
        assert_eq!(found, [(0..3, 0..0), (3..5, 0..2), (5..6, 3..4), (6..7, 5..6)]);
    }

    #[test]
    fn a_walk_backward_picks_up_each_sequence_at_its_end() {
        let walk = Steps::new(&[4, 2, 1]).walk(Direction::Backward);
        let found: Vec<_> = walk.into_iter().map(|v| (v.columns, v.from)).collect();
        assert_eq!(found, [(6..7, 0..0), (5..6, 6..7), (3..5, 5..6), (0..3, 3..5)]);
    }

    #[test]
    #[should_panic(expected = "sequence 2 of length 3 follows one of 2: longest first")]
    fn unsorted_sequences_are_refused() {
        Steps::new(&[5, 2, 3]);
    }

    #[test]
    #[should_panic(expected = "sequence 1 is empty")]
    fn an_empty_sequence_is_refused() {
        Steps::new(&[5, 0]);
    }

    #[test]
    #[should_panic(expected = "a batch needs a sequence")]
    fn a_batch_of_nothing_is_refused() {
        Steps::new(&[]);
    }

    #[test]
    #[should_panic(expected = "token 2 of sequence 1, which has 2")]
    fn a_token_behind_the_end_is_refused() {
        Steps::new(&[5, 2]).column(1, 2);
    }
}
