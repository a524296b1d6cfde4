//! The walk through a packed batch, which the three layers have in common.

use super::inputs::Inputs;
use crate::cells::Gates;
use crate::steps::{Direction, Steps, Visit};
use multiversion::multiversion;
use shared::{Float, Gradients, Matrix, NodeId, Operand, Var, gemm, product};
use std::ops::Range;
use std::sync::Arc;

/// The way through a packed batch, and what the products along it need.
pub(super) struct Walk {
    pub visits: Vec<Visit>,
    pub u: Arc<Matrix>,
    w: Arc<Matrix>,
    x: Arc<Matrix>,
    places: Option<Vec<usize>>,
    started: bool,
    sequences: usize,
    tokens: usize,
}

impl Walk {
    /// # Panics
    /// When the shapes of weights, inputs and steps do not fit together.
    pub fn new<'t>(
        gates: &Gates<'t>,
        inputs: Inputs<'t>,
        steps: &Steps,
        start: Option<Var<'t>>,
        direction: Direction,
    ) -> Walk {
        let Inputs { vectors, places } = inputs;
        let (x, w, u) = (vectors.value(), gates.w.value(), gates.u.value());
        let (sequences, tokens) = (steps.sequences(), steps.tokens());
        let places_or_columns = places.as_ref().map_or(x.ncols(), Vec::len);
        assert!(
            x.nrows() == w.ncols() && places_or_columns == tokens,
            "inputs of shape ({}, {places_or_columns}) for {tokens} tokens, read by weights {:?}",
            x.nrows(),
            w.shape()
        );
        if let Some(start) = start {
            let shape = (u.ncols(), sequences);
            assert!(start.shape() == shape, "start states {:?}, not {shape:?}", start.shape());
        }
        let visits = steps.walk(direction);
        Walk { visits, u, w, x, places, started: start.is_some(), sequences, tokens }
    }

    /// `H`.
    pub fn hidden(&self) -> usize {
        self.u.ncols()
    }

    /// The most columns that a step has: `B`.
    pub fn sequences(&self) -> usize {
        self.sequences
    }

    /// Zeros (rows, n).
    pub fn tokens_of(&self, rows: usize) -> Matrix {
        Matrix::zeros(rows, self.tokens)
    }

    /// `W x` for all tokens (gH, N).
    pub fn projected(&self) -> Matrix {
        let p = product(&*self.w, &*self.x);
        match &self.places {
            Some(places) => p.select_columns(places),
            None => p,
        }
    }

    /// How many columns of a step have a last state that may differ from zero.
    pub fn known(&self, visit: &Visit) -> usize {
        if self.started { visit.columns.len() } else { visit.from.len() }
    }

    /// `Q = U h_{t−1}` for the columns of one step, into the first columns of `q` (gH, B).
    pub fn recur(&self, visit: &Visit, previous: &Matrix, q: &mut Matrix) {
        let known = self.known(visit);
        let h = previous.columns(visit.columns.start, known);
        gemm(0.0, &mut q.columns_mut(0, known), 1.0, &*self.u, &h);
        block_mut(q, known..visit.columns.len()).fill(0.0); // U·0
    }

    /// The columns whose last state may differ from zero: all but those of the first step, when
    /// nothing was handed to it.
    fn all_known(&self) -> Range<usize> {
        let (all, first) = (0..self.tokens, self.visits[0].columns.clone());
        match (self.started, first.start) {
            (true, _) => all,
            (false, 0) => first.end..all.end,
            (false, start) => 0..start,
        }
    }

    /// The gradients of `P = W x`: `dW = dP·xᵀ`, `dx = Wᵀ·dP`, for all tokens at once. A vector that
    /// several tokens share gets the sum of their gradients first.
    pub fn backward_of_projection(
        &self,
        dp: &Matrix,
        [w_id, x_id]: [NodeId; 2],
        gradients: &mut Gradients,
    ) {
        let shared = self.places.as_ref().map(|places| {
            let mut sums = Matrix::zeros(dp.nrows(), self.x.ncols());
            for (token, &place) in places.iter().enumerate() {
                add(block_mut(&mut sums, place..place + 1), block(dp, token..token + 1));
            }
            sums
        });
        let dp = shared.as_ref().unwrap_or(dp);
        gradients.gemm(w_id, dp, &self.x.t());
        gradients.gemm(x_id, &self.w.t(), dp);
    }

    /// What `Q = U h_{t−1}` passes on to `U`, for all tokens at once: `dU = dQ·Hᵀ`, where `H` holds
    /// the last states. `dq` are some gates' rows, from row `first` on.
    pub fn backward_of_recurrence(
        &self,
        dq: &impl Operand,
        first: usize,
        previous: &Matrix,
        u_id: NodeId,
        gradients: &mut Gradients,
    ) {
        let known = self.all_known();
        let (dq, h) = (dq.whole(), previous.columns_range(known.clone()));
        gradients.update(u_id, |du| {
            let mut du = du.rows_mut(first, dq.nrows());
            gemm(1.0, &mut du, 1.0, &dq.columns_range(known), &h.t());
        });
    }
}

/// The last states of one step's columns, copied to where the step stands: `from` where the
/// sequence goes on, the start where it begins.
pub(super) fn gather(visit: &Visit, h: &Matrix, start: Option<&Matrix>, previous: &mut Matrix) {
    let columns = &visit.columns;
    let (going, beginning) =
        block_mut(previous, columns.clone()).split_at_mut(visit.from.len() * h.nrows());
    going.copy_from_slice(block(h, visit.from.clone()));
    if let Some(start) = start {
        beginning.copy_from_slice(block(start, visit.from.len()..columns.len()));
    }
}

/// The backward of [`gather`]: the gradients of the last states, added to where these came from.
pub(super) fn scatter(visit: &Visit, d: &Matrix, dh: &mut Matrix, dstart: Option<&mut Matrix>) {
    let (going, all) = (visit.from.len(), visit.columns.len());
    add(block_mut(dh, visit.from.clone()), block(d, 0..going));
    if let Some(dstart) = dstart {
        add(block_mut(dstart, going..all), block(d, going..all));
    }
}

/// Some columns as one slice.
pub(super) fn block(x: &Matrix, columns: Range<usize>) -> &[Float] {
    &x.as_slice()[columns.start * x.nrows()..columns.end * x.nrows()]
}

/// Some columns as one slice, writable.
pub(super) fn block_mut(x: &mut Matrix, columns: Range<usize>) -> &mut [Float] {
    let rows = x.nrows();
    &mut x.as_mut_slice()[columns.start * rows..columns.end * rows]
}

/// Part `k` of a column: `size` entries. Its length is known to the compiler, so that a loop over
/// several parts needs no checks of bounds.
#[inline(always)]
pub(super) fn gate(x: &[Float], k: usize, size: usize) -> &[Float] {
    &x[k * size..][..size]
}

/// `sum += x`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(super) fn add(sum: &mut [Float], x: &[Float]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += x;
    }
}

/// Adds the sum of every row of `d` (m, n) to `sums` (m, 1): the gradient of a bias.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(super) fn add_row_sums(sums: &mut Matrix, d: &Matrix) {
    let sums = sums.as_mut_slice();
    for column in d.as_slice().chunks_exact(sums.len()) {
        for (sum, d) in sums.iter_mut().zip(column) {
            *sum += d;
        }
    }
}

/// The transpose, copied by blocks. A product can read any factor transposed without a copy, but
/// packing a left factor whose columns lie a multiple of 1 KiB apart is slow: they fall into the
/// same few places of the cache.
pub(super) fn transposed(x: &Matrix) -> Matrix {
    const BLOCK: usize = 16;
    let (rows, columns) = x.shape();
    let mut y = Matrix::zeros(columns, rows);
    let (from, to) = (x.as_slice(), y.as_mut_slice());
    for first in (0..rows).step_by(BLOCK) {
        let last = rows.min(first + BLOCK);
        for j in 0..columns {
            for i in first..last {
                to[i * columns + j] = from[j * rows + i];
            }
        }
    }
    y
}
