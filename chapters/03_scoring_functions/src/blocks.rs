//! The heads and segments of a batch as independent pieces of work.
//!
//! A segment is a block of columns, a head a block of rows, so the part of the result that belongs
//! to one head of one segment overlaps with no other. [`in_blocks`] cuts the results in halves
//! until one such block is left, and lets the halves run on different threads.

use crate::fused::{Heads, Segment};
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

    fn of<'m>(&self, x: &'m Matrix, columns: &Range<usize>) -> DMatrixView<'m, Float> {
        let d = x.nrows() / self.heads;
        x.view((self.head * d, columns.start), (d, columns.len()))
    }
}

/// Runs `work` for every head of every segment, in parallel, with the block's part of each target;
/// returns what each returned, by [`Block::index`].
pub(crate) fn in_blocks<const N: usize, R: Send>(
    targets: [(&mut Matrix, Side); N],
    heads: &Heads,
    work: impl Fn([ViewMut; N], Block) -> R + Sync,
) -> Vec<R> {
    let sides = targets.each_ref().map(|(_, side)| *side);
    let views = targets.map(|(matrix, _)| matrix.whole_mut());
    by_segment(views, sides, heads, 0..heads.segments.len(), &work)
}

/// Halves the columns between two segments until one segment is left.
fn by_segment<const N: usize, R: Send>(
    mut targets: [ViewMut; N],
    sides: [Side; N],
    heads: &Heads,
    range: Range<usize>,
    work: &(impl Fn([ViewMut; N], Block) -> R + Sync),
) -> Vec<R> {
    if range.is_empty() {
        return Vec::new();
    }
    if range.len() == 1 {
        return by_head(targets, heads, range.start, 0..heads.heads, work);
    }
    let middle = range.start + range.len() / 2;
    let (first, cut) = (&heads.segments[range.start], &heads.segments[middle]);
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
        || by_segment(left, sides, heads, range.start..middle, work),
        || by_segment(right, sides, heads, middle..range.end, work),
    )
}

/// Halves the rows between two heads until one head is left.
fn by_head<const N: usize, R: Send>(
    mut targets: [ViewMut; N],
    heads: &Heads,
    segment: usize,
    range: Range<usize>,
    work: &(impl Fn([ViewMut; N], Block) -> R + Sync),
) -> Vec<R> {
    if range.len() == 1 {
        let (head, index) = (range.start, segment * heads.heads + range.start);
        let segment = &heads.segments[segment];
        return vec![work(targets, Block { index, head, heads: heads.heads, segment })];
    }
    let middle = range.start + range.len() / 2;
    let halves = targets.each_mut().map(|view| {
        let (at, rows) = (view.nrows() / range.len() * (middle - range.start), view.nrows());
        view.rows_range_pair_mut(..at, at..rows)
    });
    let (top, bottom) = unzip(halves);
    join(
        || by_head(top, heads, segment, range.start..middle, work),
        || by_head(bottom, heads, segment, middle..range.end, work),
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
