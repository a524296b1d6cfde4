//! The gated recurrent unit over a packed batch.

use super::inputs::Inputs;
use super::recurrent::Recurrent;
use super::walk::{Walk, add_row_sums, block, block_mut, gate, gather, scatter, transposed};
use super::weights::Weights;
use crate::cells::Gates;
use crate::steps::{Direction, Steps};
use multiversion::multiversion;
use rand::Rng;
use shared::elementwise::{sigmoid, tanh};
use shared::{Float, Matrix, Module, Operand, Var, Visitor, gemm, product};

/// A layer of gated recurrent units; [`crate::cells::gru`] has the formulas.
///
/// ```
/// use recurrent_networks::{Gru, Recurrent, Steps};
/// use shared::{Matrix, Tape};
/// let layer = Gru::new(2, 5, &mut shared::rng(0));
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::from_fn(2, 7, |i, j| (i + j) as shared::Float));
/// let steps = Steps::new(&[4, 2, 1]);
/// let h = layer.forward(x, &steps, None); // (5, 7): the state after each token
/// let last = h.select_columns(&steps.last()); // (5, 3): what is known of each sequence at its end
/// assert_eq!(last.shape(), (5, 3));
/// ```
#[derive(Debug)]
pub struct Gru {
    /// Three gates below one another: `r`, `z`, `n`.
    pub weights: Weights,
}

impl Gru {
    /// `W x + b` (3H, n), for [`Gru::step`].
    pub fn project<'t>(&self, x: impl Into<Inputs<'t>>) -> Var<'t> {
        self.weights.project(x)
    }

    /// One step as one operation: `projected` (3H, B) and the last states `h` (H, B) → (H, B).
    ///
    /// Decoders need it, as their next input depends on the last state.
    pub fn step<'t>(&self, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
        step(self.weights.on(h.tape()), projected, h)
    }
}

impl Recurrent for Gru {
    type State<'t> = Var<'t>;

    fn new(inputs: usize, hidden: usize, rng: &mut impl Rng) -> Gru {
        Gru { weights: Weights::new(3, inputs, hidden, rng) }
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
        gru(self.weights.on(x.vectors.tape()), x, steps, start, direction)
    }
}

impl Module for Gru {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.weights.visit(visitor);
    }
}

// ANCHOR: forward
/// [`crate::cells::gru`] along a packed batch as one operation: `x` (I, N) → (H, N).
pub fn gru<'t>(
    gates: Gates<'t>,
    x: impl Into<Inputs<'t>>,
    steps: &Steps,
    start: Option<Var<'t>>,
    direction: Direction,
) -> Var<'t> {
    let (tape, x) = (gates.w.tape(), x.into());
    let operands = ((gates.parameters(), x.vectors), start);
    let walk = Walk::new(&gates, x, steps, start, direction);
    let start = start.map(Var::value);
    let size = walk.hidden(); //                                             H
    let bias = biases(gates.b.value().as_slice(), gates.c.value().as_slice());
    let mut a = walk.projected(); //                                         (3H, N): W x, then r, z, n
    let mut m = walk.tokens_of(size); //                                     (H, N): U_n h_{t−1} + c_n
    let mut h = walk.tokens_of(size); //                                     (H, N)
    let mut previous = walk.tokens_of(size); //                              (H, N): h_{t−1}
    let mut q = Matrix::zeros(3 * size, walk.sequences()); //                (3H, B): U h_{t−1}
    for visit in &walk.visits {
        gather(visit, &h, start.as_deref(), &mut previous);
        walk.recur(visit, &previous, &mut q);
        let columns = || visit.columns.clone();
        let last = block(&previous, columns());
        let q = block(&q, 0..columns().len());
        let [a, m, h] = [&mut a, &mut m, &mut h].map(|x| block_mut(x, columns()));
        forward(&bias, last, q, a, m, h);
    }
    // ANCHOR_END: forward
    // ANCHOR: backward
    tape.push(
        operands,
        h,
        move |mut dh, (([w_id, u_id, b_id, c_id], x_id), start_id), gradients| {
            let u_t = transposed(&walk.u); //                                    (H, 3H)
            let mut dlast = Matrix::zeros(size, walk.sequences()); //            (H, B): dh_{t−1}
            let mut dfirst = start.map(|start| Matrix::zeros(size, start.ncols()));
            for visit in walk.visits.iter().rev() {
                let (columns, known) = (|| visit.columns.clone(), walk.known(visit));
                let last = block(&previous, columns());
                let [da, dm] = [&mut a, &mut m].map(|x| block_mut(x, columns()));
                let d = block_mut(&mut dlast, 0..columns().len());
                backward(size, last, block(&dh, columns()), da, dm, d);
                // Q = U h_{t−1} ⇒ dh_{t−1} += Uᵀ·dQ, where dQ is (da_r, da_z, dm)
                let (start, mut d) = (columns().start, dlast.columns_mut(0, known));
                let da = a.view((0, start), (2 * size, known));
                gemm(1.0, &mut d, 1.0, &u_t.columns(0, 2 * size), &da);
                gemm(1.0, &mut d, 1.0, &u_t.columns(2 * size, size), &m.columns(start, known));
                scatter(visit, &dlast, &mut dh, dfirst.as_mut());
            }
            walk.backward_of_projection(&a, [w_id, x_id], gradients);
            walk.backward_of_recurrence(&a.rows(0, 2 * size), 0, &previous, u_id, gradients);
            walk.backward_of_recurrence(&m, 2 * size, &previous, u_id, gradients);
            add_biases(&a, &m, [b_id, c_id], gradients);
            if let Some((id, d)) = start_id.zip(dfirst) {
                gradients.add(id, d);
            }
        },
    )
}
// ANCHOR_END: backward

/// `b + c` for the gates `r` and `z`, then `b_n`, then `c_n`: (4H).
fn biases(b: &[Float], c: &[Float]) -> Vec<Float> {
    let size = b.len() / 3;
    let both = b.iter().zip(c).map(|(b, c)| b + c).take(2 * size);
    both.chain(b[2 * size..].iter().copied()).chain(c[2 * size..].iter().copied()).collect()
}

/// From the gates' gradients `da` (3H, n) and `dm` (H, n): `db` sums `da`, and `dc` sums
/// `(da_r, da_z, dm)`.
fn add_biases(
    da: &Matrix,
    dm: &Matrix,
    [b_id, c_id]: [shared::NodeId; 2],
    gradients: &mut shared::Gradients,
) {
    let size = dm.nrows();
    let (mut sums, mut sums_m) = (Matrix::zeros(3 * size, 1), Matrix::zeros(size, 1));
    add_row_sums(&mut sums, da);
    add_row_sums(&mut sums_m, dm);
    gradients.update(b_id, |db| *db += &sums);
    sums.rows_mut(2 * size, size).copy_from(&sums_m);
    gradients.update(c_id, |dc| *dc += &sums);
}

/// One step as one operation.
fn step<'t>(gates: Gates<'t>, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
    let (u, last) = (gates.u.value(), h.value());
    let (size, n) = last.shape();
    let q = product(&*u, &*last); //                   (3H, B)
    let mut a = Matrix::clone(&projected.value()); //  (3H, B): W x + b, then r, z, n
    assert!(a.shape() == q.shape(), "projected inputs {:?}, not {:?}", a.shape(), q.shape());
    let (mut m, mut y) = (Matrix::zeros(size, n), Matrix::zeros(size, n));
    let bias = biases(&vec![0.0; 3 * size], gates.c.value().as_slice()); // b is in `projected`
    let [a_, m_, y_] = [&mut a, &mut m, &mut y].map(Matrix::as_mut_slice);
    forward(&bias, last.as_slice(), q.as_slice(), a_, m_, y_);
    let operands = [projected, h, gates.u, gates.c];
    h.tape().push(operands, y, move |dy, [p_id, last_id, u_id, c_id], gradients| {
        let mut d = Matrix::zeros(size, n);
        let [da, dm, d_] = [&mut a, &mut m, &mut d].map(Matrix::as_mut_slice);
        backward(size, last.as_slice(), dy.as_slice(), da, dm, d_);
        let mut dq = a.clone(); // (da_r, da_z, dm)
        dq.rows_mut(2 * size, size).copy_from(&m);
        gemm(1.0, &mut d, 1.0, &u.t(), &dq);
        gradients.gemm(u_id, &dq, &last.t());
        gradients.update(c_id, |dc| add_row_sums(dc, &dq));
        gradients.add(last_id, d);
        gradients.add(p_id, a);
    })
}

/// The gates of one step, column by column. `a` holds `W x` and becomes `(r, z, n)`; `m` becomes
/// `U_n h_{t−1} + c_n`; `h` becomes the new state.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn forward(
    bias: &[Float],
    last: &[Float],
    q: &[Float],
    a: &mut [Float],
    m: &mut [Float],
    h: &mut [Float],
) {
    let size = bias.len() / 4;
    let read = last.chunks_exact(size).zip(q.chunks_exact(3 * size));
    let written =
        a.chunks_exact_mut(3 * size).zip(m.chunks_exact_mut(size)).zip(h.chunks_exact_mut(size));
    for ((last, q), ((a, m), h)) in read.zip(written) {
        forward_column(bias, last, q, a, m, h);
    }
}

#[inline(always)]
fn forward_column(
    bias: &[Float],
    last: &[Float],
    q: &[Float],
    a: &mut [Float],
    m: &mut [Float],
    h: &mut [Float],
) {
    let size = h.len();
    let (b_r, b_z, b_n) = (gate(bias, 0, size), gate(bias, 1, size), gate(bias, 2, size));
    let (q_r, q_z, q_n) = (gate(q, 0, size), gate(q, 1, size), gate(q, 2, size));
    let c_n = gate(bias, 3, size);
    let [r, z, n] = thirds(a, size);
    let (m, last) = (&mut m[..size], &last[..size]);
    // ANCHOR: loop_forward
    for i in 0..size {
        r[i] = sigmoid(r[i] + q_r[i] + b_r[i]);
        z[i] = sigmoid(z[i] + q_z[i] + b_z[i]);
        m[i] = q_n[i] + c_n[i];
        n[i] = tanh(n[i] + b_n[i] + r[i] * m[i]);
        h[i] = n[i] + z[i] * (last[i] - n[i]); // (1 − z) ⊙ n + z ⊙ h_{t−1}
    }
    // ANCHOR_END: loop_forward
}

/// The same lines, differentiated from the last to the first. `a` becomes the gradients of what
/// went into the three gates, `m` that of `m`, and `dlast` is what passes straight to `h_{t−1}`.
#[inline(always)]
fn backward_column(
    last: &[Float],
    dh: &[Float],
    a: &mut [Float],
    m: &mut [Float],
    dlast: &mut [Float],
) {
    let size = dh.len();
    let [r, z, n] = thirds(a, size);
    let (m, last, dlast) = (&mut m[..size], &last[..size], &mut dlast[..size]);
    // ANCHOR: loop_backward
    for i in 0..size {
        let (dz, dn) = (dh[i] * (last[i] - n[i]), dh[i] * (1.0 - z[i])); // h = n + z (last − n)
        dlast[i] = dh[i] * z[i];
        let da_n = dn * (1.0 - n[i] * n[i]); //                           n = tanh(…)
        let dr = da_n * m[i]; //                                          … + r m
        m[i] = da_n * r[i];
        n[i] = da_n;
        z[i] = dz * z[i] * (1.0 - z[i]); //                               z = σ(…)
        r[i] = dr * r[i] * (1.0 - r[i]); //                               r = σ(…)
    }
    // ANCHOR_END: loop_backward
}

/// The three gates of one column.
#[inline(always)]
fn thirds(a: &mut [Float], size: usize) -> [&mut [Float]; 3] {
    let (r, rest) = a.split_at_mut(size);
    let (z, n) = rest.split_at_mut(size);
    [r, z, &mut n[..size]]
}

/// The gradients of one step, column by column, for states of `size` entries.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward(
    size: usize,
    last: &[Float],
    dh: &[Float],
    a: &mut [Float],
    m: &mut [Float],
    dlast: &mut [Float],
) {
    let read = last.chunks_exact(size).zip(dh.chunks_exact(size));
    let written = a
        .chunks_exact_mut(3 * size)
        .zip(m.chunks_exact_mut(size))
        .zip(dlast.chunks_exact_mut(size));
    for ((last, dh), ((a, m), dlast)) in read.zip(written) {
        backward_column(last, dh, a, m, dlast);
    }
}
