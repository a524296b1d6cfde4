//! The plain recurrent network over a packed batch.

use super::inputs::Inputs;
use super::recurrent::Recurrent;
use super::walk::{Walk, add_row_sums, block, block_mut, gather, scatter, transposed};
use super::weights::Weights;
use crate::cells::Gates;
use crate::steps::{Direction, Steps};
use multiversion::multiversion;
use rand::Rng;
use shared::elementwise::tanh;
use shared::{Float, Matrix, Module, Operand, Var, Visitor, gemm, product};
use std::sync::Arc;

/// A plain recurrent layer: `h_t = tanh(W x_t + b + U h_{t−1} + c)`.
///
/// ```
/// use recurrent_networks::{Recurrent, Rnn, Steps};
/// use shared::{Matrix, Tape};
/// let layer = Rnn::new(2, 5, &mut shared::rng(0));
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::zeros(2, 7));
/// assert_eq!(layer.forward(x, &Steps::new(&[4, 2, 1]), None).shape(), (5, 7));
/// ```
#[derive(Debug)]
pub struct Rnn {
    /// One "gate": the state itself.
    pub weights: Weights,
}

impl Rnn {
    /// `W x + b` (H, n), for [`Rnn::step`].
    pub fn project<'t>(&self, x: impl Into<Inputs<'t>>) -> Var<'t> {
        self.weights.project(x)
    }

    /// One step as one operation: `projected` (H, B) and the last states `h` (H, B) → (H, B).
    pub fn step<'t>(&self, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
        step(self.weights.on(h.tape()), projected, h)
    }
}

impl Recurrent for Rnn {
    type State<'t> = Var<'t>;

    fn new(inputs: usize, hidden: usize, rng: &mut impl Rng) -> Rnn {
        Rnn { weights: Weights::new(1, inputs, hidden, rng) }
    }

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn read<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<Var<'t>>,
        direction: Direction,
    ) -> Var<'t> {
        let x = x.into();
        rnn(self.weights.on(x.vectors.tape()), x, steps, start, direction)
    }
}

impl Module for Rnn {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.weights.visit(visitor);
    }
}

/// [`crate::cells::rnn`] along a packed batch as one operation: `x` (I, N) → (H, N).
pub fn rnn<'t>(
    gates: Gates<'t>,
    x: impl Into<Inputs<'t>>,
    steps: &Steps,
    start: Option<Var<'t>>,
    direction: Direction,
) -> Var<'t> {
    let x = x.into();
    let operands = ((gates.parameters(), x.vectors), start);
    let walk = Walk::new(&gates, x, steps, start, direction);
    let start = start.map(Var::value);
    let bias = &*gates.b.value() + &*gates.c.value(); // (H, 1)
    let hidden = walk.hidden();
    let mut h = walk.projected(); //                                      (H, N): W x, then h
    let mut previous = walk.tokens_of(hidden); //                         (H, N): h_{t−1}
    let mut q = Matrix::zeros(hidden, walk.sequences()); //               (H, B): U h_{t−1}
    for visit in &walk.visits {
        gather(visit, &h, start.as_deref(), &mut previous);
        walk.recur(visit, &previous, &mut q);
        let columns = visit.columns.clone();
        let q = block(&q, 0..columns.len());
        tanh_forward(bias.as_slice(), block_mut(&mut h, columns), q); // h_t = tanh(W x + U h + b + c)
    }
    let h = Arc::new(h);
    gates.w.tape().push(operands, h.clone(), move |mut dh, ids, gradients| {
        let (([w_id, u_id, b_id, c_id], x_id), start_id) = ids;
        let u_t = transposed(&walk.u);
        let mut dprevious = Matrix::zeros(hidden, walk.sequences());
        let mut dfirst = start.map(|start| Matrix::zeros(hidden, start.ncols()));
        for visit in walk.visits.iter().rev() {
            let columns = visit.columns.clone();
            let known = walk.known(visit);
            let h = block(&h, columns.clone());
            tanh_backward(block_mut(&mut dh, columns.clone()), h); // dh → da
            let da = dh.columns(columns.start, known);
            gemm(0.0, &mut dprevious.columns_mut(0, known), 1.0, &u_t, &da); // dh_{t−1} = Uᵀ·da
            scatter(visit, &dprevious, &mut dh, dfirst.as_mut());
        }
        walk.backward_of_projection(&dh, [w_id, x_id], gradients);
        walk.backward_of_recurrence(&dh, 0, &previous, u_id, gradients);
        gradients.update(b_id, |db| add_row_sums(db, &dh));
        gradients.update(c_id, |dc| add_row_sums(dc, &dh));
        if let Some((id, d)) = start_id.zip(dfirst) {
            gradients.add(id, d);
        }
    })
}

/// One step as one operation.
fn step<'t>(gates: Gates<'t>, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
    let operands = [projected, h, gates.u, gates.c];
    let (u, last) = (gates.u.value(), h.value());
    let mut y = product(&*u, &*last);
    tanh_forward(gates.c.value().as_slice(), y.as_mut_slice(), projected.value().as_slice());
    let y = Arc::new(y);
    h.tape().push(operands, y.clone(), move |mut da, [p_id, last_id, u_id, c_id], gradients| {
        tanh_backward(da.as_mut_slice(), y.as_slice());
        gradients.gemm(u_id, &da, &last.t());
        gradients.gemm(last_id, &u.t(), &da);
        gradients.update(c_id, |dc| add_row_sums(dc, &da));
        gradients.add(p_id, da);
    })
}

/// `h ← tanh(h + q + bias)`, column by column.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn tanh_forward(bias: &[Float], h: &mut [Float], q: &[Float]) {
    let size = bias.len();
    for (h, q) in h.chunks_exact_mut(size).zip(q.chunks_exact(size)) {
        for ((h, q), bias) in h.iter_mut().zip(q).zip(bias) {
            *h = tanh(*h + q + bias);
        }
    }
}

/// `h = tanh(a)` ⇒ `da = dh ⊙ (1 − h²)`, in place of `dh`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn tanh_backward(dh: &mut [Float], h: &[Float]) {
    for (dh, h) in dh.iter_mut().zip(h) {
        *dh *= 1.0 - h * h;
    }
}
