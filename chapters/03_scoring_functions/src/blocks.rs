//! The heads and segments of a batch as independent pieces of work.
//!
//! A segment is a block of columns, a head a block of rows, so the part of the result that belongs
//! to one head of one segment overlaps with no other. [`in_blocks`] cuts the results in halves
//! until one such block is left, and lets the halves run on different threads.

use crate::segments::{Segment, Segments, Sight};
use nalgebra::DMatrixView;
use shared::{Float, Matrix, Target, ViewMut};
use std::ops::Range;

/// Whether a matrix has a column a query or a column a key.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Queries,
    Keys,
}

/// One head of one segment.
pub(crate) struct Block<'a> {
    /// Its number: segment by segment, and head by head in each.
    pub index: usize,
    head: usize,
    heads: usize,
    segment: &'a Segment,
    sight: &'a Sight,
}

impl Block<'_> {
    /// This block of a matrix that has a column a query.
    pub fn queries<'m>(&self, x: &'m Matrix) -> DMatrixView<'m, Float> {
        self.of(x, &self.segment.queries)
    }

    /// This block of a matrix that has a column a key.
    pub fn keys<'m>(&self, x: &'m Matrix) -> DMatrixView<'m, Float> {
        self.of(x, &self.segment.keys)
    }

    /// The keys of this block that its `query`-th query sees, counted from its first.
    pub fn places(&self, query: usize) -> Range<usize> {
        self.sight.places(self.segment, self.segment.queries.start + query)
    }

    /// The mask: −∞ for every key that its query does not see. Column `j` of `s` belongs to query
    /// `first_query + j` of this block, row `i` to key `first_key + i`.
    pub fn hide(&self, s: &mut Matrix, first_query: usize, first_key: usize) {
        if *self.sight == Sight::All {
            return;
        }
        for (j, mut s_j) in s.column_iter_mut().enumerate() {
            let visible = self.places(first_query + j);
            let row = |key: usize| key.saturating_sub(first_key).min(s_j.len());
            let (start, end) = (row(visible.start), row(visible.end));
            let s_j = s_j.as_mut_slice();
            s_j[..start].fill(Float::NEG_INFINITY);
            s_j[end..].fill(Float::NEG_INFINITY);
        }
    }

    fn of<'m>(&self, x: &'m Matrix, columns: &Range<usize>) -> DMatrixView<'m, Float> {
        let d = x.nrows() / self.heads;
        x.view((self.head * d, columns.start), (d, columns.len()))
    }
}

/// # Panics
/// When heads or segments do not fit the shapes.
pub(crate) fn check([q, k, v]: [&Matrix; 3], heads: usize, segments: &Segments) {
    let shapes = (q.shape(), k.shape(), v.shape());
    assert!(
        q.nrows() == k.nrows() && k.ncols() == v.ncols(),
        "queries, keys and values of shapes {shapes:?}: queries and keys need equally many rows, keys \
         and values equally many columns"
    );
    let divide = |x: &Matrix| heads > 0 && x.nrows().is_multiple_of(heads);
    assert!(divide(q) && divide(v), "{heads} heads do not divide the rows of {shapes:?}");
    assert!(q.nrows() > 0, "queries and keys of shapes {shapes:?} have no entries to compare");
    segments.check(q.ncols(), k.ncols());
}

/// `1/√d` for queries of `rows` rows in all heads together.
pub(crate) fn scale(rows: usize, heads: usize) -> Float {
    1.0 / Float::sqrt((rows / heads) as Float)
}

/// Runs `work` for every head of every segment, in parallel, with the block's part of each target;
/// returns what each returned, by [`Block::index`].
///
/// # Panics
/// When a target has a column a key, and the segments' keys do not follow one another and cover all.
pub(crate) fn in_blocks<const N: usize, R: Send>(
    targets: [(&mut Matrix, Side); N],
    heads: usize,
    segments: &Segments,
    work: impl Fn([ViewMut; N], Block) -> R + Sync,
) -> Vec<R> {
    for (target, side) in &targets {
        if let Side::Keys = side {
            check_keys(segments, target.ncols());
        }
    }
    let sides = targets.each_ref().map(|(_, side)| *side);
    let views = targets.map(|(matrix, _)| matrix.whole_mut());
    by_segment(views, sides, heads, segments, 0..segments.segments.len(), &work)
}

fn check_keys(segments: &Segments, m: usize) {
    let mut end = 0;
    for Segment { keys, .. } in &segments.segments {
        assert!(
            keys.start == end,
            "to give keys a gradient, the keys of the segments must follow one another: {keys:?} after {end}"
        );
        end = keys.end;
    }
    assert!(end == m, "to get a gradient, a key must belong to a segment: {end} of {m} do");
}

/// Halves the columns between two segments until one segment is left.
fn by_segment<const N: usize, R: Send>(
    mut targets: [ViewMut; N],
    sides: [Side; N],
    heads: usize,
    segments: &Segments,
    range: Range<usize>,
    work: &(impl Fn([ViewMut; N], Block) -> R + Sync),
) -> Vec<R> {
    if range.is_empty() {
        return Vec::new();
    }
    if range.len() == 1 {
        return by_head(targets, heads, segments, range.start, 0..heads, work);
    }
    let middle = range.start + range.len() / 2;
    let (first, cut) = (&segments.segments[range.start], &segments.segments[middle]);
    let at = sides.map(|side| match side {
        Side::Queries => cut.queries.start - first.queries.start,
        Side::Keys => cut.keys.start - first.keys.start,
    });
    let mut at = at.into_iter();
    let halves = targets.each_mut().map(|view| {
        let (at, columns) = (at.next().unwrap_or(0), view.ncols());
        view.columns_range_pair_mut(..at, at..columns)
    });
    let (left, right) = unzip(halves);
    join(
        || by_segment(left, sides, heads, segments, range.start..middle, work),
        || by_segment(right, sides, heads, segments, middle..range.end, work),
    )
}

/// Halves the rows between two heads until one head is left.
fn by_head<const N: usize, R: Send>(
    mut targets: [ViewMut; N],
    heads: usize,
    segments: &Segments,
    segment: usize,
    range: Range<usize>,
    work: &(impl Fn([ViewMut; N], Block) -> R + Sync),
) -> Vec<R> {
    if range.len() == 1 {
        let (head, index) = (range.start, segment * heads + range.start);
        let Segments { segments, sight } = segments;
        let block = Block { index, head, heads, segment: &segments[segment], sight };
        return vec![work(targets, block)];
    }
    let middle = range.start + range.len() / 2;
    let halves = targets.each_mut().map(|view| {
        let (at, rows) = (view.nrows() / range.len() * (middle - range.start), view.nrows());
        view.rows_range_pair_mut(..at, at..rows)
    });
    let (top, bottom) = unzip(halves);
    join(
        || by_head(top, heads, segments, segment, range.start..middle, work),
        || by_head(bottom, heads, segments, segment, middle..range.end, work),
    )
}

fn join<R: Send>(a: impl FnOnce() -> Vec<R> + Send, b: impl FnOnce() -> Vec<R> + Send) -> Vec<R> {
    let (mut a, b) = rayon::join(a, b);
    a.extend(b);
    a
}

fn unzip<A, B, const N: usize>(pairs: [(A, B); N]) -> ([A; N], [B; N]) {
    let mut seconds = Vec::with_capacity(N);
    let firsts = pairs.map(|(first, second)| {
        seconds.push(second);
        first
    });
    let seconds = seconds.try_into().unwrap_or_else(|_| unreachable!("N pairs have N seconds"));
    (firsts, seconds)
}
