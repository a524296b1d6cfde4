//! Random regressions, and layers that are trained to answer them: which estimator do they become?

use crate::linear_attention::{CHUNK, linear_attention};
use crate::{Float, Matrix};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::Sequences;
use self_attention::{HeadSizes, MultiHead};
use shared::{Linear, Module, Rng, Tape, Var, Visitor};
use std::ops::Range;

/// Random linear tasks, or curves, side by side: their points, and what is asked.
#[derive(Clone, Debug)]
pub struct Batch {
    /// (d, m·tasks): the keys, task by task
    pub keys: Matrix,
    /// (1, m·tasks)
    pub values: Matrix,
    /// (d, tasks): one query a task
    pub queries: Matrix,
    /// (1, tasks): what is right
    pub truths: Matrix,
}

fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

// ANCHOR: linear_tasks
/// `tasks` linear functions `y = wᵀx` with `w` from N(0, I/d), so that `y` has a variance of 1, known at `m` points `x`
/// from N(0, I) (Garg et al. 2022).
pub fn linear_tasks(tasks: usize, m: usize, d: usize, rng: &mut Rng) -> Batch {
    let w = normal(d, tasks, rng) / (d as Float).sqrt();
    let [keys, queries] = [m, 1].map(|points| normal(d, points * tasks, rng));
    let of = |x: &Matrix, points: usize| {
        Matrix::from_fn(1, x.ncols(), |_, i| w.column(i / points).dot(&x.column(i)))
    };
    Batch { values: of(&keys, m), truths: of(&queries, 1), keys, queries }
}

/// The error that the best layer of linear attention has on [`linear_tasks`]: `(d + 1)/(m + d + 1)`, at the rate
/// `m/(m + d + 1)` of its step (Zhang, Frei & Bartlett 2024).
pub fn best_error(m: usize, d: usize) -> Float {
    (d + 1) as Float / (m + d + 1) as Float
}
// ANCHOR_END: linear_tasks

// ANCHOR: linear_layer
/// One layer of linear attention, all of whose matrices are learned (von Oswald et al. 2023): tokens `[x; y]`, and a query
/// `[x; 0]`.
#[derive(Debug)]
pub struct LinearLayer {
    /// (d + 1, d + 1)
    pub w_q: Linear,
    /// (d + 1, d + 1)
    pub w_k: Linear,
    /// (1, d + 1)
    pub w_v: Linear,
}

impl LinearLayer {
    /// The answers (1, tasks): what the query's token, the last of its sequence, reads, divided by m.
    pub fn answer<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let (d, tasks) = batch.queries.shape();
        let m = batch.keys.ncols() / tasks;
        let tokens =
            Matrix::from_fn(d + 1, (m + 1) * tasks, |row, i| match (i / (m + 1), i % (m + 1)) {
                (task, i) if i < m && row < d => batch.keys[(row, task * m + i)],
                (task, i) if i < m => batch.values[task * m + i],
                (task, _) if row < d => batch.queries[(row, task)],
                _ => 0.0,
            });
        let x = tape.constant(tokens);
        let qkv = [&self.w_q, &self.w_k, &self.w_v].map(|w| w.forward(x));
        let offsets: Vec<usize> = (0..=tasks).map(|task| task * (m + 1)).collect();
        let last: Vec<usize> = offsets[1..].iter().map(|end| end - 1).collect();
        linear_attention(qkv, None, 1, &offsets, CHUNK).select_columns(&last) * (m as Float).recip()
    }

    /// Random parameters.
    pub fn new(d: usize, rng: &mut Rng) -> LinearLayer {
        let mut linear = |rows| Linear::without_bias(d + 1, rows, rng);
        LinearLayer { w_q: linear(d + 1), w_k: linear(d + 1), w_v: linear(1) }
    }
}
// ANCHOR_END: linear_layer

// ANCHOR: curves
/// `tasks` curves like chapter 1's, `a·sin(x + φ) + b·x + c`, seen at `m` points through noise of ½; keys and queries are
/// uniform on these ranges.
pub fn curves(tasks: usize, m: usize, [keys, queries]: [Range<Float>; 2], rng: &mut Rng) -> Batch {
    let mut batch = Batch {
        keys: Matrix::from_fn(1, tasks * m, |_, _| rng.random_range(keys.clone())),
        values: Matrix::zeros(1, tasks * m),
        queries: Matrix::from_fn(1, tasks, |_, _| rng.random_range(queries.clone())),
        truths: Matrix::zeros(1, tasks),
    };
    for task in 0..tasks {
        let (a, phase) = (rng.random_range(1.0..3.0), rng.random_range(0.0..TAU));
        let [b, c]: [Float; 2] = [0.6, 1.0].map(|scale: Float| scale * draw(rng));
        let curve = |x: Float| a * (x + phase).sin() + b * (x - 2.5) + c;
        for i in task * m..(task + 1) * m {
            batch.values[i] = curve(batch.keys[i]) + 0.5 * draw(rng);
        }
        batch.truths[task] = curve(batch.queries[task]);
    }
    batch
}
// ANCHOR_END: curves

const TAU: Float = std::f64::consts::TAU as Float;

fn draw(rng: &mut Rng) -> Float {
    StandardNormal.sample(rng)
}

// ANCHOR: softmax_layer
/// Chapter 9's multi-head attention, asked for a curve: places enter as `[1; x; x²]`, with which a dot product can be
/// `−(x − x')²/2h²` up to what a softmax does not see; values as they are.
#[derive(Debug)]
pub struct SoftmaxLayer(pub MultiHead);

impl SoftmaxLayer {
    /// The answers (1, tasks).
    pub fn answer<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let tasks = batch.queries.ncols();
        let m = batch.keys.ncols() / tasks;
        let [queries, keys] = [&batch.queries, &batch.keys].map(|x| tape.constant(powers(x)));
        let values = tape.constant(batch.values.clone());
        self.0.attend([queries, keys, values], &Sequences::batch(tasks, 1, m)).0
    }

    /// Random parameters.
    pub fn new(heads: usize, rng: &mut Rng) -> SoftmaxLayer {
        let sizes =
            HeadSizes { d_q: 3, d_k: 3, d_v: 1, d_o: 1, heads, groups: heads, p: 4, p_v: 1 };
        SoftmaxLayer(MultiHead::with_sizes(&sizes, rng))
    }
}

/// `[1; x − 2.5; (x − 2.5)²]`, from the middle of where curves are trained.
fn powers(x: &Matrix) -> Matrix {
    Matrix::from_fn(3, x.ncols(), |power, i| (x[i] - 2.5).powi(power as i32))
}
// ANCHOR_END: softmax_layer

impl SoftmaxLayer {
    /// A head's scores of the keys for a query at `x` are a parabola: where it is highest, and the bandwidth `h` with
    /// which it falls like `−(x' − centre)²/2h²`; nothing where it does not fall.
    pub fn centre_and_bandwidth(&self, head: usize, x: Float) -> Option<(Float, Float)> {
        let (tape, p) = (Tape::no_grad(), 4);
        let q = self.0.w_q.forward(tape.constant(powers(&Matrix::from_element(1, 1, x)))).value();
        let w_k = self.0.w_k.weight.value();
        let score = q.rows(head * p, p).tr_mul(&w_k.rows(head * p, p)) / (p as Float).sqrt(); // (1, 3)
        let fall = -score[2];
        (fall > 0.0).then(|| (2.5 + score[1] / (2.0 * fall), (2.0 * fall).sqrt().recip()))
    }
}

impl Module for LinearLayer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("w_v", &mut self.w_v);
    }
}

impl Module for SoftmaxLayer {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.0.visit(visitor);
    }
}
