//! The heads and sequences of a batch as independent pieces of work.
//!
//! A sequence is a block of columns, a head a block of rows, so the part of the result that belongs
//! to one head of one sequence overlaps with no other. [`in_blocks`] cuts the results in halves
//! until one such block is left, and lets the halves run on different threads.

use crate::sequences::{AttentionMask, Sequence, Sequences, distance_row};
use nalgebra::{DMatrixView, DMatrixViewMut};
use shared::{Float, Matrix};
use std::ops::Range;

/// Whether a matrix has a column a query or a column a key.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Queries,
    Keys,
}

/// One head of one sequence.
pub(crate) struct Block<'a> {
    /// Its number: sequence by sequence, and head by head in each.
    pub index: usize,
    head: usize,
    heads: usize,
    sequence: &'a Sequence,
    mask: &'a AttentionMask,
}

impl Block<'_> {
    /// This block of a matrix that has a column a query.
    pub fn queries<'m>(&self, x: &'m Matrix) -> DMatrixView<'m, Float> {
        self.of(x, &self.sequence.queries)
    }

    /// This block of a matrix that has a column a key.
    pub fn keys<'m>(&self, x: &'m Matrix) -> DMatrixView<'m, Float> {
        self.of(x, &self.sequence.keys)
    }

    /// The keys of this block that its `query`-th query sees, counted from its first.
    pub fn positions(&self, query: usize) -> Range<usize> {
        self.mask.positions(self.sequence, self.sequence.queries.start + query)
    }

    /// The mask: −∞ for every key that its query does not see. Column `i` of `e` belongs to query
    /// `first_query + i` of this block, row `j` to key `first_key + j`.
    pub fn hide(&self, e: &mut Matrix, first_query: usize, first_key: usize) {
        if *self.mask == AttentionMask::All {
            return;
        }
        for (i, mut e_i) in e.column_iter_mut().enumerate() {
            let visible = self.positions(first_query + i);
            let row = |key: usize| key.saturating_sub(first_key).min(e_i.len());
            let (start, end) = (row(visible.start), row(visible.end));
            let e_i = e_i.as_mut_slice();
            e_i[..start].fill(Float::NEG_INFINITY);
            e_i[end..].fill(Float::NEG_INFINITY);
        }
    }

    /// Adds to every score the bias of its distance: see [`biased_attention`](crate::fused::biased_attention).
    pub fn add_bias(&self, e: &mut Matrix, bias: &Matrix) {
        let bias = self.queries(bias);
        for (i, (mut e, bias)) in e.column_iter_mut().zip(bias.column_iter()).enumerate() {
            for (j, e) in e.iter_mut().enumerate() {
                *e += bias[distance_row(self.sequence.offset + i, j, bias.len())];
            }
        }
    }

    /// Backward of [`Block::add_bias`]: scores at one distance share a row.
    pub fn sum_by_distance(&self, d_bias: &mut Part, d_e: &Matrix) {
        for (i, (mut d_bias, d_e)) in d_bias.column_iter_mut().zip(d_e.column_iter()).enumerate() {
            for (j, d_e) in d_e.iter().enumerate() {
                let row = distance_row(self.sequence.offset + i, j, d_bias.len());
                d_bias[row] += d_e;
            }
        }
    }

    fn of<'m>(&self, x: &'m Matrix, columns: &Range<usize>) -> DMatrixView<'m, Float> {
        let d = x.nrows() / self.heads;
        x.view((self.head * d, columns.start), (d, columns.len()))
    }
}

/// # Panics
/// When heads or sequences do not fit the shapes.
pub(crate) fn check([q, k, v]: [&Matrix; 3], heads: usize, sequences: &Sequences) {
    let shapes = (q.shape(), k.shape(), v.shape());
    assert!(
        q.nrows() == k.nrows() && k.ncols() == v.ncols(),
        "queries, keys and values of shapes {shapes:?}: queries and keys need equally many rows, keys \
         and values equally many columns"
    );
    let divide = |x: &Matrix| heads > 0 && x.nrows().is_multiple_of(heads);
    assert!(divide(q) && divide(v), "{heads} heads do not divide the rows of {shapes:?}");
    assert!(q.nrows() > 0, "queries and keys of shapes {shapes:?} have no entries to compare");
    sequences.check(q.ncols(), k.ncols());
}

/// # Panics
/// When a bias does not have a column a query and, in each head, an odd number of rows.
pub(crate) fn check_bias(bias: &Matrix, heads: usize, n: usize) {
    let (rows, columns) = bias.shape();
    assert!(
        columns == n && rows.is_multiple_of(heads) && (rows / heads) % 2 == 1,
        "a bias of shape {:?} for {n} queries and {heads} heads: in each head it has 2c + 1 rows",
        bias.shape()
    );
}

/// `1/√d` for queries of `rows` rows in all heads together.
pub(crate) fn scale(rows: usize, heads: usize) -> Float {
    1.0 / Float::sqrt((rows / heads) as Float)
}

/// The part of a target that belongs to a block, or to several.
pub(crate) type Part<'a> = DMatrixViewMut<'a, Float>;

/// Multiplications of one product of a block from which on another thread is worth asking.
const FORK: usize = 1 << 16;

/// Runs `work` for every head of every sequence, in parallel where they are long enough, with the
/// block's part of each target; returns what each returned, by [`Block::index`].
///
/// # Panics
/// When a target has a column a key, and the sequences' keys do not follow one another and cover all.
pub(crate) fn in_blocks<const N: usize, R: Send>(
    targets: [(&mut Matrix, Side); N],
    heads: usize,
    sequences: &Sequences,
    work: impl Fn([Part; N], Block) -> R + Sync,
) -> Vec<R> {
    for (target, side) in &targets {
        if let Side::Keys = side {
            check_keys(sequences, target.ncols());
        }
    }
    let sides = targets.each_ref().map(|(_, side)| *side);
    let count = sequences.sequences.len();
    let rows = targets.iter().map(|(target, _)| target.nrows()).max().unwrap_or(0);
    let pairs =
        sequences.sequences.iter().map(|sequence| sequence.queries.len() * sequence.keys.len());
    let multiplications = rows * pairs.sum::<usize>();
    let alone = FORK * count / multiplications.max(1); // sequences that are too short to share
    let cut = Cut { sides, heads, sequences, alone, work: &work };
    let parts = targets.map(|(matrix, _)| matrix.columns_mut(0, matrix.ncols()));
    let mut results: Vec<Option<R>> = (0..count * heads).map(|_| None).collect();
    cut.by_segment(parts, 0..count, &mut results);
    results.into_iter().map(|result| result.expect("every block has run")).collect()
}

fn check_keys(sequences: &Sequences, m: usize) {
    let mut end = 0;
    for Sequence { keys, .. } in &sequences.sequences {
        assert!(
            keys.start == end,
            "to give keys a gradient, the keys of the sequences must follow one another: {keys:?} after {end}"
        );
        end = keys.end;
    }
    assert!(end == m, "to get a gradient, a key must belong to a sequence: {end} of {m} do");
}

/// What is the same for all pieces of work.
struct Cut<'a, const N: usize, W> {
    sides: [Side; N],
    heads: usize,
    sequences: &'a Sequences,
    alone: usize,
    work: &'a W,
}

impl<const N: usize, W> Cut<'_, N, W> {
    /// Halves the columns between two sequences until one sequence is left.
    fn by_segment<R: Send>(
        &self,
        mut parts: [Part; N],
        range: Range<usize>,
        results: &mut [Option<R>],
    ) where
        W: Fn([Part; N], Block) -> R + Sync,
    {
        if range.len() <= 1 {
            if let Some(sequence) = range.last() {
                self.by_head(parts, sequence, 0..self.heads, results);
            }
            return;
        }
        let middle = range.start + range.len() / 2;
        let (first, cut) =
            (&self.sequences.sequences[range.start], &self.sequences.sequences[middle]);
        let at = self.sides.map(|side| match side {
            Side::Queries => cut.queries.start - first.queries.start,
            Side::Keys => cut.keys.start - first.keys.start,
        });
        let mut at = at.into_iter();
        let (left, right) = unzip(parts.each_mut().map(|part| {
            let at = at.next().expect("a place for every part");
            let columns = part.ncols();
            part.columns_range_pair_mut(..at, at..columns)
        }));
        let (ours, others) = results.split_at_mut((middle - range.start) * self.heads);
        both(
            range.len() > self.alone,
            || self.by_segment(left, range.start..middle, ours),
            || self.by_segment(right, middle..range.end, others),
        );
    }

    /// Halves the rows between two heads until one head is left.
    fn by_head<R: Send>(
        &self,
        mut parts: [Part; N],
        sequence: usize,
        range: Range<usize>,
        results: &mut [Option<R>],
    ) where
        W: Fn([Part; N], Block) -> R + Sync,
    {
        let Cut { heads, sequences: Sequences { sequences, mask }, .. } = *self;
        if range.len() == 1 {
            let (head, index) = (range.start, sequence * heads + range.start);
            let block = Block { index, head, heads, sequence: &sequences[sequence], mask };
            results[0] = Some((self.work)(parts, block));
            return;
        }
        let middle = range.start + range.len() / 2;
        let (top, bottom) = unzip(parts.each_mut().map(|part| {
            let (at, rows) = (part.nrows() / range.len() * (middle - range.start), part.nrows());
            part.rows_range_pair_mut(..at, at..rows)
        }));
        let (ours, others) = results.split_at_mut(middle - range.start);
        both(
            self.alone == 0,
            || self.by_head(top, sequence, range.start..middle, ours),
            || self.by_head(bottom, sequence, middle..range.end, others),
        );
    }
}

/// Runs both, on two threads if that is worth it.
fn both(fork: bool, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    if fork {
        rayon::join(a, b);
    } else {
        a();
        b();
    }
}

fn unzip<A, B, const N: usize>(pairs: [(A, B); N]) -> ([A; N], [B; N]) {
    let mut seconds = [const { None }; N];
    let mut positions = seconds.iter_mut();
    let firsts = pairs.map(|(first, second)| {
        *positions.next().expect("a place for each") = Some(second);
        first
    });
    (firsts, seconds.map(|second| second.expect("N pairs have N seconds")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all of it runs on one thread, sequences are shared among threads, or their heads too.
    #[test]
    fn every_block_writes_its_own_part_and_answers_in_its_place() {
        for (count, n, m, heads) in [(40, 2, 3, 3), (8, 50, 52, 2), (3, 200, 190, 4)] {
            let sequences = Sequences::batch(count, n, m);
            let mut queries = Matrix::zeros(4 * heads, count * n);
            let mut keys = Matrix::zeros(2 * heads, count * m);
            let targets = [(&mut queries, Side::Queries), (&mut keys, Side::Keys)];
            let found = in_blocks(targets, heads, &sequences, |[mut q, mut k], block| {
                assert_eq!((q.shape(), k.shape()), ((4, n), (2, m)));
                q.fill(block.index as Float);
                k.fill(block.index as Float);
                block.index
            });
            assert_eq!(found, (0..count * heads).collect::<Vec<_>>());
            let block = |row, column| (column * heads + row) as Float;
            assert_eq!(queries, Matrix::from_fn(4 * heads, count * n, |i, j| block(i / 4, j / n)));
            assert_eq!(keys, Matrix::from_fn(2 * heads, count * m, |i, j| block(i / 2, j / m)));
        }
    }

    #[test]
    fn without_segments_nothing_runs() {
        let found = in_blocks(
            [(&mut Matrix::zeros(2, 0), Side::Queries)],
            1,
            &Sequences::batch(0, 1, 1),
            |_, _| (),
        );
        assert!(found.is_empty());
    }
}
