//! Long short-term memory over a packed batch.

use super::inputs::Inputs;
use super::recurrent::Recurrent;
use super::walk::{Walk, add_row_sums, block, block_mut, gate, gather, scatter, transposed};
use super::weights::Weights;
use crate::cells::{Gates, State};
use crate::steps::{Direction, Steps};
use multiversion::multiversion;
use rand::Rng;
use shared::elementwise::{sigmoid, tanh};
use shared::{
    Float, Gradients, Matrix, Module, Operand, Operands, Tape, Var, Visitor, gemm, product,
};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A layer of long short-term memory; [`crate::cells::lstm`] has the formulas.
///
/// ```
/// use recurrent_networks::{Lstm, Recurrent, Steps};
/// use shared::{Matrix, Tape};
/// let layer = Lstm::new(2, 5, &mut shared::rng(0));
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::from_fn(2, 7, |i, j| (i + j) as shared::Float));
/// let steps = Steps::new(&[4, 2, 1]);
/// let h = layer.forward(x, &steps, None); //       (5, 7): the state after each token
/// let state = layer.states(x, &steps, None); //    the same, with the cell's memory
/// assert_eq!((*state.h.value()).clone(), *h.value());
/// assert_eq!(state.c.shape(), (5, 7));
/// ```
#[derive(Debug)]
pub struct Lstm {
    /// Four gates below one another: `i`, `f`, `g`, `o`.
    pub weights: Weights,
}

impl Lstm {
    /// `W x + b` (4H, n), for [`Lstm::step`].
    pub fn project<'t>(&self, x: impl Into<Inputs<'t>>) -> Var<'t> {
        self.weights.project(x)
    }

    /// One step as one operation: `projected` (4H, B) and the last state (H, B) → (H, B).
    pub fn step<'t>(&self, projected: Var<'t>, state: State<'t>) -> State<'t> {
        step(self.weights.on(projected.tape()), projected, state)
    }

    /// Outputs and memory cells after each token, (H, N) each: [`Recurrent::forward`] with both
    /// halves of the state.
    pub fn states<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<State<'t>>,
    ) -> State<'t> {
        let x = x.into();
        lstm(self.weights.on(x.vectors.tape()), x, steps, start, Direction::Forward)
    }
}

impl Recurrent for Lstm {
    type State<'t> = State<'t>;

    /// Weights as everywhere, but the forget gate's `b` is 1: a fresh memory rather keeps than
    /// forgets (Gers et al. 2000 and Jozefowicz et al. 2015 found that it learns faster so).
    fn new(inputs: usize, hidden: usize, rng: &mut impl Rng) -> Lstm {
        let mut weights = Weights::new(4, inputs, hidden, rng);
        weights.bias_x.value_mut().rows_mut(hidden, hidden).fill(1.0);
        Lstm { weights }
    }

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn read<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<State<'t>>,
        direction: Direction,
    ) -> Var<'t> {
        let x = x.into();
        lstm(self.weights.on(x.vectors.tape()), x, steps, start, direction).h
    }
}

impl Module for Lstm {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.weights.visit(visitor);
    }
}

/// [`crate::cells::lstm`] along a packed batch as one operation: `x` (I, N) → two (H, N).
pub fn lstm<'t>(
    gates: Gates<'t>,
    x: impl Into<Inputs<'t>>,
    steps: &Steps,
    start: Option<State<'t>>,
    direction: Direction,
) -> State<'t> {
    let x = x.into();
    let operands = ((gates.parameters(), x.vectors), start.map(|s| [s.h, s.c]));
    let walk = Walk::new(&gates, x, steps, start.map(|s| s.h), direction);
    let start = start.map(|s| (s.h.value(), s.c.value()));
    let size = walk.hidden(); //                                       H
    let bias = &*gates.b.value() + &*gates.c.value(); //               (4H, 1)
    let mut a = walk.projected(); //                                   (4H, N): W x, then i, f, g, o
    let (mut h, mut last_h) = (walk.tokens_of(size), walk.tokens_of(size)); // (H, N)
    let (mut c, mut last_c) = (walk.tokens_of(size), walk.tokens_of(size)); // (H, N)
    let mut q = Matrix::zeros(4 * size, walk.sequences()); //          (4H, B): U h_{t−1}
    for visit in &walk.visits {
        gather(visit, &h, start.as_ref().map(|s| &*s.0), &mut last_h);
        gather(visit, &c, start.as_ref().map(|s| &*s.1), &mut last_c);
        walk.recur(visit, &last_h, &mut q);
        let columns = || visit.columns.clone();
        let (last, q) = (block(&last_c, columns()), block(&q, 0..columns().len()));
        let [a, c, h] = [&mut a, &mut c, &mut h].map(|x| block_mut(x, columns()));
        forward(bias.as_slice(), last, q, a, c, h);
    }
    let c = Arc::new(c);
    push(gates.w.tape(), operands, h, c.clone(), move |mut dh, mut dcell, ids, gradients| {
        let (([w_id, u_id, b_id, c_id], x_id), start_ids) = ids;
        let u_t = transposed(&walk.u);
        let zeros = || Matrix::zeros(size, walk.sequences());
        let (mut dlast_h, mut dlast_c) = (zeros(), zeros());
        let mut dfirst = start.map(|_| (zeros(), zeros()));
        for visit in walk.visits.iter().rev() {
            let (columns, known) = (|| visit.columns.clone(), walk.known(visit));
            let [last, c] = [&last_c, &c].map(|x| block(x, columns()));
            let [dh_, dc_] = [&dh, &dcell].map(|x| block(x, columns()));
            let d = block_mut(&mut dlast_c, 0..columns().len());
            backward(size, [last, c, dh_, dc_], block_mut(&mut a, columns()), d);
            let da = a.columns(columns().start, known);
            gemm(0.0, &mut dlast_h.columns_mut(0, known), 1.0, &u_t, &da); // dh_{t−1} = Uᵀ·da
            scatter(visit, &dlast_h, &mut dh, dfirst.as_mut().map(|d| &mut d.0));
            scatter(visit, &dlast_c, &mut dcell, dfirst.as_mut().map(|d| &mut d.1));
        }
        walk.backward_of_projection(&a, [w_id, x_id], gradients);
        walk.backward_of_recurrence(&a, 0, &last_h, u_id, gradients);
        gradients.update(b_id, |db| add_row_sums(db, &a));
        gradients.update(c_id, |dc| add_row_sums(dc, &a));
        if let Some(([h_id, c_id], (dh, dc))) = start_ids.zip(dfirst) {
            gradients.add(h_id, dh);
            gradients.add(c_id, dc);
        }
    })
}

/// One step as one operation.
fn step<'t>(gates: Gates<'t>, projected: Var<'t>, state: State<'t>) -> State<'t> {
    let operands = [projected, state.h, state.c, gates.u, gates.c];
    let (u, last_h, last_c) = (gates.u.value(), state.h.value(), state.c.value());
    let q = product(&*u, &*last_h); //                 (4H, B)
    let mut a = Matrix::clone(&projected.value()); //  (4H, B): W x + b, then i, f, g, o
    assert!(a.shape() == q.shape(), "projected inputs {:?}, not {:?}", a.shape(), q.shape());
    let [mut c, mut h] = [&last_c, &last_h].map(|x| Matrix::zeros(x.nrows(), x.ncols()));
    let bias = gates.c.value(); // b is in `projected`
    let [a_, c_, h_] = [&mut a, &mut c, &mut h].map(Matrix::as_mut_slice);
    forward(bias.as_slice(), last_c.as_slice(), q.as_slice(), a_, c_, h_);
    let c = Arc::new(c);
    push(projected.tape(), operands, h, c.clone(), move |dh, dc, ids, gradients| {
        let [p_id, last_h_id, last_c_id, u_id, bias_id] = ids;
        let mut d = Matrix::zeros(dc.nrows(), dc.ncols());
        let read = [&*last_c, &*c, &dh, &dc].map(Matrix::as_slice);
        backward(dc.nrows(), read, a.as_mut_slice(), d.as_mut_slice());
        gradients.gemm(u_id, &a, &last_h.t());
        gradients.gemm(last_h_id, &u.t(), &a);
        gradients.update(bias_id, |d| add_row_sums(d, &a));
        gradients.add(last_c_id, d);
        gradients.add(p_id, a);
    })
}

/// Records an operation with two values. Backward meets `h` first, which is recorded last, and
/// keeps its gradient until it meets `c`; by then both gradients are complete.
fn push<'t, O: Operands<Var<'t>>>(
    tape: &'t Tape,
    operands: O,
    h: Matrix,
    c: Arc<Matrix>,
    backward: impl FnOnce(Matrix, Matrix, O::Ids, &mut Gradients) + 'static,
) -> State<'t> {
    let (rows, columns) = h.shape();
    let kept = Rc::new(Cell::new(None));
    let dh = kept.clone();
    let c = tape.push(operands, c, move |dc, ids, gradients| {
        let dh = dh.take().unwrap_or_else(|| Matrix::zeros(rows, columns));
        backward(dh, dc, ids, gradients);
    });
    let h = tape.push([c], h, move |dh, [c_id], gradients| {
        kept.set(Some(dh));
        gradients.update(c_id, |_| ()); // even if nothing else depends on c
    });
    State { h, c }
}

/// The gates of one step, column by column. `a` holds `W x` and becomes `(i, f, g, o)`; `c` and `h`
/// become the new state.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn forward(
    bias: &[Float],
    last: &[Float],
    q: &[Float],
    a: &mut [Float],
    c: &mut [Float],
    h: &mut [Float],
) {
    let size = bias.len() / 4;
    let read = last.chunks_exact(size).zip(q.chunks_exact(4 * size));
    let written =
        a.chunks_exact_mut(4 * size).zip(c.chunks_exact_mut(size)).zip(h.chunks_exact_mut(size));
    for ((last, q), ((a, c), h)) in read.zip(written) {
        forward_column(bias, last, q, a, c, h);
    }
}

#[inline(always)]
fn forward_column(
    bias: &[Float],
    last: &[Float],
    q: &[Float],
    a: &mut [Float],
    c: &mut [Float],
    h: &mut [Float],
) {
    let size = h.len();
    let (b_i, b_f) = (gate(bias, 0, size), gate(bias, 1, size));
    let (b_g, b_o) = (gate(bias, 2, size), gate(bias, 3, size));
    let (q_i, q_f) = (gate(q, 0, size), gate(q, 1, size));
    let (q_g, q_o) = (gate(q, 2, size), gate(q, 3, size));
    let [i, f, g, o] = quarters(a, size);
    let (c, last) = (&mut c[..size], &last[..size]);
    for k in 0..size {
        i[k] = sigmoid(i[k] + q_i[k] + b_i[k]);
        f[k] = sigmoid(f[k] + q_f[k] + b_f[k]);
        g[k] = tanh(g[k] + q_g[k] + b_g[k]);
        o[k] = sigmoid(o[k] + q_o[k] + b_o[k]);
        c[k] = f[k] * last[k] + i[k] * g[k];
        h[k] = o[k] * tanh(c[k]);
    }
}

/// The same lines, differentiated from the last to the first. `a` becomes the gradients of what
/// went into the four gates, and `dlast` that of `c_{t−1}`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward_column(
    last: &[Float],
    c: &[Float],
    dh: &[Float],
    dc: &[Float],
    a: &mut [Float],
    dlast: &mut [Float],
) {
    let size = dlast.len();
    let [i, f, g, o] = quarters(a, size);
    let (last, c, dh, dc) = (&last[..size], &c[..size], &dh[..size], &dc[..size]);
    for k in 0..size {
        let shown = tanh(c[k]);
        let d_o = dh[k] * shown; //                                       h = o tanh(c)
        let dc = dc[k] + dh[k] * o[k] * (1.0 - shown * shown);
        let (df, di, dg) = (dc * last[k], dc * g[k], dc * i[k]); //       c = f last + i g
        dlast[k] = dc * f[k];
        i[k] = di * i[k] * (1.0 - i[k]); //                               i = σ(…)
        f[k] = df * f[k] * (1.0 - f[k]); //                               f = σ(…)
        g[k] = dg * (1.0 - g[k] * g[k]); //                               g = tanh(…)
        o[k] = d_o * o[k] * (1.0 - o[k]); //                              o = σ(…)
    }
}

/// The four gates of one column.
#[inline(always)]
fn quarters(a: &mut [Float], size: usize) -> [&mut [Float]; 4] {
    let (i, rest) = a.split_at_mut(size);
    let (f, rest) = rest.split_at_mut(size);
    let (g, o) = rest.split_at_mut(size);
    [i, f, g, &mut o[..size]]
}

/// The gradients of one step, column by column, for states of `size` entries: `read` are `c_{t−1}`,
/// `c_t`, `dh_t` and `dc_t`.
///
/// Here each column is a call of its own: with the loop over columns in sight, the compiler asks
/// whether *all* columns of one gate overlap all columns of another – they do, by turns – and takes
/// its slow way.
fn backward(size: usize, read: [&[Float]; 4], a: &mut [Float], dlast: &mut [Float]) {
    let [last, c, dh, dc] = read.map(|x| x.chunks_exact(size));
    let written = a.chunks_exact_mut(4 * size).zip(dlast.chunks_exact_mut(size));
    for ((((last, c), dh), dc), (a, dlast)) in last.zip(c).zip(dh).zip(dc).zip(written) {
        backward_column(last, c, dh, dc, a, dlast);
    }
}
