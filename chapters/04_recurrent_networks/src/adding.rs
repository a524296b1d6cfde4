//! The adding problem: two numbers of a long sequence are marked; what is their sum?

use crate::layers::Recurrent;
use crate::steps::Steps;
use rand::RngExt;
use shared::{Float, Linear, Matrix, Module, Rng, Var, Visitor, rng};

/// Units of every cell.
pub const HIDDEN: usize = 64;
/// The mean squared error of always answering 1: the variance of a sum of two numbers from U(0, 1).
pub const ALWAYS_ONE: Float = 1.0 / 6.0;
/// Below it the problem counts as solved: a hundredth of 1/6, an error of 0.04 as a root.
pub const SOLVED: Float = ALWAYS_ONE / 100.0;

/// One sequence, (2, length), and its answer.
///
/// Row 0 holds numbers from U(0, 1), row 1 marks two of them with 1: one in the first half, one in
/// the second (Hochreiter & Schmidhuber 1997, experiment 4, in the form of Arjovsky et al. 2016).
pub fn example(length: usize, seed: usize) -> (Matrix, Float) {
    let rng = &mut rng(seed as u64);
    let mut x = Matrix::zeros(2, length);
    for t in 0..length {
        x[(0, t)] = rng.random();
    }
    let marked = [rng.random_range(0..length / 2), rng.random_range(length / 2..length)];
    for t in marked {
        x[(1, t)] = 1.0;
    }
    (x.clone(), marked.iter().map(|t| x[(0, *t)]).sum())
}

/// Sequences of one length, packed, and their answers (1, B).
pub fn batch(length: usize, seeds: &[usize]) -> (Matrix, Steps, Matrix) {
    let steps = Steps::new(&vec![length; seeds.len()]);
    let (mut x, mut sums) = (Matrix::zeros(2, steps.tokens()), Matrix::zeros(1, seeds.len()));
    for (i, seed) in seeds.iter().enumerate() {
        let (sequence, sum) = example(length, *seed);
        for t in 0..length {
            x.set_column(steps.column(i, t), &sequence.column(t));
        }
        sums[i] = sum;
    }
    (x, steps, sums)
}

/// What answers packed sequences (2, N) with a number each, (1, B).
pub trait Answers: Module + Sync {
    /// The answers.
    fn answers<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t>;
}

/// A layer that reads, and one number that it answers after the last token.
pub struct Adder<L> {
    /// Reads.
    pub layer: L,
    /// (1, H): answers.
    pub readout: Linear,
}

impl<L: Recurrent> Adder<L> {
    /// Fresh weights.
    pub fn new(rng: &mut Rng) -> Self {
        Adder { layer: L::new(2, HIDDEN, rng), readout: Linear::new(HIDDEN, 1, rng) }
    }
}

impl<L: Recurrent + Sync> Answers for Adder<L> {
    fn answers<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t> {
        let h = self.layer.forward(x, steps, None); //              (H, N)
        self.readout.forward(h.select_columns(&steps.last())) //    (1, B)
    }
}

impl<L: Recurrent> Module for Adder<L> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("layer", &mut self.layer);
        visitor.module("readout", &mut self.readout);
    }
}
