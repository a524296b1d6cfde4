//! Chapter 4's gradient on its way back, and the gates of a cell that learns the adding problem.

use rand::RngExt;
use recurrent_networks::cells::rnn;
use recurrent_networks::{Gru, Recurrent, Rnn, Steps};
use shared::{
    Adam, Float, Linear, Matrix, Module, Optimizer, Rng, Tape, Var, Visitor, squared_error,
};
use std::cell::RefCell;
use std::rc::Rc;

const BACK: usize = 100;
const UNITS: usize = 16;
const TOKENS: usize = 20;
const BATCH: usize = 32;
const TRAINED: usize = 1000;

/// A spectral radius → the norm of ∂h_T/∂h_t (its largest singular value) 1, 2, … and 100 steps back, in a plain
/// network of 16 units that reads random tokens.
pub fn radius(numbers: &[Float]) -> Vec<Float> {
    let mut rng = shared::rng(0);
    let mut layer = Rnn::new(2, UNITS, &mut rng);
    let u = layer.weights.weight_h.value_mut();
    let largest = u.complex_eigenvalues().iter().map(|z| z.norm()).fold(0.0, Float::max);
    *u *= numbers[0] / largest;
    let tape = Tape::new();
    let gates = layer.weights().on(&tape);
    // As many copies as units: each is asked for the gradient of one entry of the last state.
    let jacobians = Rc::new(RefCell::new(Vec::new()));
    let mut h = tape.leaf(Matrix::zeros(UNITS, UNITS));
    for _ in 0..=BACK {
        let token = [rng.random(), 0.0];
        let x = tape.constant(Matrix::from_fn(2, UNITS, |i, _| token[i]));
        h = rnn(gates, gates.project(x), watched(h, &jacobians));
    }
    h.component_mul(tape.constant(Matrix::identity(UNITS, UNITS))).sum().backward();
    jacobians.take().iter().take(BACK).map(largest_singular_value).collect()
}

/// The same state; what comes back to it is noted.
fn watched<'t>(h: Var<'t>, jacobians: &Rc<RefCell<Vec<Matrix>>>) -> Var<'t> {
    let seen = jacobians.clone();
    h.tape().push([h], h.value(), move |dh, [h_id], gradients| {
        seen.borrow_mut().push(dh.clone());
        gradients.add(h_id, dh);
    })
}

fn largest_singular_value(x: &Matrix) -> Float {
    let largest = x.amax(); // taken out, so that no square underflows
    if largest > 0.0 { (x / largest).singular_values().max() * largest } else { 0.0 }
}

thread_local! {
    static ADDING: RefCell<Adding> = RefCell::new(Adding::new(0));
}

/// A cell that learns to add the two marked numbers of a sequence, and how far it has come.
pub struct Adding {
    cell: Adder,
    adam: Adam,
    rng: Rng,
    step: usize,
}

struct Adder {
    gru: Gru,
    readout: Linear,
}

impl Module for Adder {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("gru", &mut self.gru);
        visitor.module("readout", &mut self.readout);
    }
}

impl Adding {
    /// Before the first step.
    pub fn new(seed: u64) -> Adding {
        let mut rng = shared::rng(seed);
        let (gru, readout) = (Gru::new(2, UNITS, &mut rng), Linear::new(UNITS, 1, &mut rng));
        Adding { cell: Adder { gru, readout }, adam: Adam::new(0.01), rng, step: 0 }
    }

    /// One step, with 32 sequences drawn afresh → its mean squared error.
    pub fn train(&mut self) -> Float {
        let mut x = Matrix::zeros(2, TOKENS * BATCH); // token after token
        let mut sums = Matrix::zeros(1, BATCH);
        for i in 0..BATCH {
            (0..TOKENS).for_each(|t| x[(0, t * BATCH + i)] = self.rng.random());
            for half in [0, TOKENS / 2] {
                let column = (half + self.rng.random_range(0..TOKENS / 2)) * BATCH + i;
                x[(1, column)] = 1.0;
                sums[i] += x[(0, column)];
            }
        }
        let tape = Tape::new();
        let steps = Steps::new(&[TOKENS; BATCH]);
        let h = self.cell.gru.forward(tape.constant(x), &steps, None);
        let answers = self.cell.readout.forward(h.select_columns(&steps.last()));
        let loss = squared_error(answers, &sums) * (1.0 / BATCH as Float);
        let error = loss.scalar();
        let left = 1.0 - self.step as Float / TRAINED as Float;
        self.adam.learning_rate = 0.01 * left.max(0.0);
        self.adam.step(&mut self.cell, &loss.backward().into());
        self.step += 1;
        error
    }

    /// Numbers and marks of a sequence, token after token → after each token the answer; then the gate z of every
    /// unit at every token; then its mean at the marks, and elsewhere.
    pub fn read(&self, tokens: &[Float]) -> Vec<Float> {
        let n = tokens.len() / 2;
        let tape = Tape::no_grad();
        let x = tape.constant(Matrix::from_column_slice(2, n, tokens));
        let Adder { gru, readout } = &self.cell;
        let h = gru.forward(x, &Steps::new(&[n]), None); // (H, n)
        let mut before = Matrix::zeros(UNITS, n);
        before.columns_mut(1, n - 1).copy_from(&h.value().columns(0, n - 1));
        let gates = gru.weights().on(&tape);
        let (p, q) = (gates.project(x), gates.recur(tape.constant(before))); // r, z, n: 3H rows
        let z = (p.rows(UNITS, UNITS) + q.rows(UNITS, UNITS)).sigmoid().value();
        let mean = |marked: bool| {
            let columns =
                || z.column_iter().zip(tokens.chunks(2)).filter(|(_, t)| (t[1] == 1.0) == marked);
            let sum: Float = columns().map(|(column, _)| column.mean()).sum();
            sum / columns().count().max(1) as Float
        };
        let means = [mean(true), mean(false)];
        [readout.forward(h).value().as_slice(), z.as_slice(), &means].concat()
    }
}

/// A seed → nothing: a cell that has learnt nothing.
pub fn add_start(numbers: &[Float]) -> Vec<Float> {
    ADDING.set(Adding::new(numbers[0] as u64));
    Vec::new()
}

/// How many steps → the error of each.
pub fn add_train(numbers: &[Float]) -> Vec<Float> {
    ADDING.with_borrow_mut(|adding| (0..numbers[0] as usize).map(|_| adding.train()).collect())
}

/// [`Adding::read`] of the cell in training.
pub fn add_read(numbers: &[Float]) -> Vec<Float> {
    ADDING.with_borrow(|adding| adding.read(numbers))
}

#[cfg(test)]
mod tests {
    use super::{Adding, radius};

    #[test]
    fn a_gradient_vanishes_or_explodes_with_the_radius() {
        let [half, one, large] = [0.5, 1.0, 1.5].map(|r| radius(&[r])[99]);
        assert!(half < 1e-20 && (1e-6..10.0).contains(&one) && large > one, "{half} {one} {large}");
    }

    /// A step back is tanh' · U: no longer than U's largest singular value.
    #[test]
    fn one_step_back_is_the_matrix() {
        let norms = radius(&[0.01]); // so small that no tanh bends
        assert!(norms[1] < norms[0] && norms[0] < 0.05, "{:?}", &norms[..3]);
    }

    #[test]
    fn the_cell_learns_to_add_and_writes_at_marks() {
        let mut adding = Adding::new(0);
        let errors: Vec<f32> = (0..1000).map(|_| adding.train()).collect();
        let last = errors[900..].iter().sum::<f32>() / 100.0;
        let tokens: Vec<f32> =
            (0..20).flat_map(|t| [0.05 * t as f32, f32::from(t == 4 || t == 15)]).collect();
        let answer = adding.read(&tokens);
        let [marked, elsewhere] = answer[answer.len() - 2..] else { panic!() };
        assert!(last < 0.0167 && (answer[19] - 0.95).abs() < 0.1, "{last}, {}", answer[19]);
        assert!(marked < elsewhere, "{marked}, {elsewhere}");
    }
}
