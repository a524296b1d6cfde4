//! How a gradient becomes a step.

use crate::matrix::{Float, Matrix};
use crate::module::{Module, ParamId};
use multiversion::multiversion;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Entries of a matrix that one thread works on at a time. Where a matrix is cut depends on nothing
/// but its size, so a sum over chunks does not depend on the number of threads.
const CHUNK: usize = 1 << 14;

/// The gradients of a model's parameters, by parameter: what backward leaves and an optimiser uses.
///
/// Shards of a batch produce one each; [`ParamGradients::merge`] adds them in a fixed order.
///
/// ```
/// use shared::{Matrix, Param, ParamGradients, Tape};
/// let w = Param::new(Matrix::from_element(2, 1, 3.0));
/// let tape = Tape::new();
/// let loss = tape.param(&w).square().sum();
/// let mut gradients = ParamGradients::from(loss.backward());
/// assert_eq!(gradients.get(w.id()).unwrap()[0], 6.0);
/// gradients.clip_norm(1.0);
/// assert!((gradients.norm() - 1.0).abs() < 1e-6);
/// ```
#[derive(Default)]
pub struct ParamGradients {
    /// In the order the tape met the parameters, which is the same in every run.
    entries: Vec<(ParamId, Matrix)>,
    /// Where each stands in `entries`.
    places: HashMap<ParamId, usize>,
}

impl From<crate::Gradients> for ParamGradients {
    fn from(gradients: crate::Gradients) -> ParamGradients {
        let entries = gradients.into_params();
        let places = entries.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
        ParamGradients { entries, places }
    }
}

impl ParamGradients {
    /// Adds the gradients of another shard.
    pub fn merge(&mut self, other: ParamGradients) {
        for (id, d) in other.entries {
            match self.places.get(&id) {
                Some(&place) => add(&mut self.entries[place].1, &d),
                None => {
                    self.places.insert(id, self.entries.len());
                    self.entries.push((id, d));
                }
            }
        }
    }

    /// The gradient of one parameter, `None` when the loss did not depend on it.
    pub fn get(&self, id: ParamId) -> Option<&Matrix> {
        self.places.get(&id).map(|&place| &self.entries[place].1)
    }

    /// The Euclidean norm of all gradients together. The squares are summed in double precision:
    /// they neither overflow nor drown each other.
    pub fn norm(&self) -> Float {
        self.entries.iter().map(|(_, d)| norm_squared(d.as_slice())).sum::<f64>().sqrt() as Float
    }

    /// Every gradient times a number, such as 1/tokens.
    pub fn scale(&mut self, factor: Float) {
        for (_, d) in &mut self.entries {
            *d *= factor;
        }
    }

    /// Shortens the whole gradient to `max_norm` if it is longer (Pascanu et al. 2013); returns the
    /// norm it had.
    pub fn clip_norm(&mut self, max_norm: Float) -> Float {
        let norm = self.norm();
        if norm > max_norm {
            self.scale(max_norm / norm);
        }
        norm
    }
}

fn add(sum: &mut Matrix, d: &Matrix) {
    assert!(sum.shape() == d.shape(), "gradients {:?} and {:?}", sum.shape(), d.shape());
    let (sum, d) = (sum.as_mut_slice(), d.as_slice());
    if sum.len() <= CHUNK {
        return add_slices(sum, d);
    }
    sum.par_chunks_mut(CHUNK).zip(d.par_chunks(CHUNK)).for_each(|(sum, d)| add_slices(sum, d));
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_slices(sum: &mut [Float], d: &[Float]) {
    for (sum, d) in sum.iter_mut().zip(d) {
        *sum += d;
    }
}

/// Σ xᵢ²: one sum a chunk, on whatever thread is free, and these in their order.
fn norm_squared(x: &[Float]) -> f64 {
    match x.len() <= CHUNK {
        true => sum_of_squares(x),
        false => x.par_chunks(CHUNK).map(sum_of_squares).collect::<Vec<_>>().iter().sum(),
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn sum_of_squares(x: &[Float]) -> f64 {
    let mut lanes = [0.0; 32]; // a single sum would chain every addition to the last
    let (chunks, rest) = x.as_chunks::<32>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += f64::from(*x) * f64::from(*x);
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>()
}

/// Changes a model's parameters along their gradients.
pub trait Optimizer {
    /// One step. Parameters without a gradient stay as they are.
    fn step(&mut self, model: &mut impl Module, gradients: &ParamGradients) {
        self.scaled_step(model, gradients, 1.0);
    }

    /// One step along `factor·gradients`: the division by the number of tokens and the clipping
    /// cost no pass over the gradients of their own.
    fn scaled_step(&mut self, model: &mut impl Module, gradients: &ParamGradients, factor: Float);
}

/// Gradient descent: `θ ← θ − η·dθ`.
///
/// ```
/// use shared::{Matrix, Optimizer, Param, Sgd, Tape};
/// let mut x = Param::new(Matrix::from_element(1, 1, 3.0));
/// let gradients = Tape::new().param(&x).square().backward(); // 2x = 6
/// Sgd { learning_rate: 0.5 }.step(&mut x, &gradients.into());
/// assert_eq!(x.value()[0], 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sgd {
    /// η
    pub learning_rate: Float,
}

impl Optimizer for Sgd {
    fn scaled_step(&mut self, model: &mut impl Module, gradients: &ParamGradients, factor: Float) {
        model.for_each_parameter(|_, param| {
            if let Some(d) = gradients.get(param.id()) {
                *param.value_mut() -= d * (factor * self.learning_rate);
            }
        });
    }
}

/// Adam (Kingma & Ba 2015, algorithm 1): each entry's step is scaled by running estimates of its
/// gradient's mean `m` and square `v`.
///
/// ```
/// use shared::{Adam, Matrix, Optimizer, Param, Tape};
/// let mut x = Param::new(Matrix::from_element(1, 1, 3.0));
/// let mut adam = Adam::new(0.1);
/// for _ in 0..200 {
///     let gradients = Tape::new().param(&x).square().backward();
///     adam.step(&mut x, &gradients.into());
/// }
/// assert!(x.value()[0].abs() < 0.1);
/// ```
#[derive(Debug)]
pub struct Adam {
    /// η; its effect on each entry's step is roughly ±η.
    pub learning_rate: Float,
    /// Decay of the mean, 0.9.
    pub beta_1: Float,
    /// Decay of the square, 0.999.
    pub beta_2: Float,
    /// Keeps the quotient finite, 1e-8.
    pub epsilon: Float,
    moments: HashMap<ParamId, Moments>,
}

/// What Adam remembers of one parameter.
#[derive(Clone, Debug)]
pub struct Moments {
    /// The mean of its gradients.
    pub m: Matrix,
    /// The mean of their squares.
    pub v: Matrix,
    /// How often it was moved.
    pub steps: i32,
}

impl Adam {
    /// The paper's settings with the given learning rate.
    pub fn new(learning_rate: Float) -> Adam {
        let moments = HashMap::new();
        Adam { learning_rate, beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8, moments }
    }

    /// What it remembers of a parameter that it has moved.
    pub fn remembers(&self, id: ParamId) -> Option<&Moments> {
        self.moments.get(&id)
    }

    /// Makes it remember what it did in an earlier process.
    pub fn remember(&mut self, id: ParamId, moments: Moments) {
        self.moments.insert(id, moments);
    }
}

impl Optimizer for Adam {
    fn scaled_step(&mut self, model: &mut impl Module, gradients: &ParamGradients, factor: Float) {
        model.for_each_parameter(|_, param| {
            let Some(d) = gradients.get(param.id()) else { return };
            let zeros = || Matrix::zeros(d.nrows(), d.ncols());
            let start = || Moments { m: zeros(), v: zeros(), steps: 0 };
            let Moments { m, v, steps } = self.moments.entry(param.id()).or_insert_with(start);
            *steps += 1;
            // Both estimates start at zero and are too small at first: divide by what they have
            // seen.
            let (seen_1, seen_2) = (1.0 - self.beta_1.powi(*steps), 1.0 - self.beta_2.powi(*steps));
            let step = AdamStep {
                beta_1: self.beta_1,
                beta_2: self.beta_2,
                epsilon: self.epsilon,
                rate: self.learning_rate / seen_1,
                root: 1.0 / seen_2.sqrt(),
                factor,
            };
            step.apply(param.value_mut(), m, v, d);
        });
    }
}

/// The numbers that are the same for every entry of a parameter.
#[derive(Clone, Copy)]
struct AdamStep {
    beta_1: Float,
    beta_2: Float,
    epsilon: Float,
    rate: Float,
    root: Float,
    factor: Float,
}

impl AdamStep {
    fn apply(self, theta: &mut Matrix, m: &mut Matrix, v: &mut Matrix, d: &Matrix) {
        assert!(theta.shape() == d.shape(), "gradient {:?} for {:?}", d.shape(), theta.shape());
        let (theta, m, v) = (theta.as_mut_slice(), m.as_mut_slice(), v.as_mut_slice());
        if theta.len() <= CHUNK {
            return adam_slices(theta, m, v, d.as_slice(), self);
        }
        let moments = m.par_chunks_mut(CHUNK).zip(v.par_chunks_mut(CHUNK));
        let chunks = theta.par_chunks_mut(CHUNK).zip(moments).zip(d.as_slice().par_chunks(CHUNK));
        chunks.for_each(|((theta, (m, v)), d)| adam_slices(theta, m, v, d, self));
    }
}

// ANCHOR: adam
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn adam_slices(
    theta: &mut [Float],
    m: &mut [Float],
    v: &mut [Float],
    d: &[Float],
    AdamStep { beta_1, beta_2, epsilon, rate, root, factor }: AdamStep,
) {
    for (((theta, m), v), d) in theta.iter_mut().zip(m).zip(v).zip(d) {
        let d = factor * d;
        *m = beta_1 * *m + (1.0 - beta_1) * d;
        *v = beta_2 * *v + (1.0 - beta_2) * d * d;
        *theta -= rate * *m / (v.sqrt() * root + epsilon);
    }
}
// ANCHOR_END: adam

/// Which optimiser a run uses; its learning rate comes from the run's schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// [`Sgd`]
    Sgd,
    /// [`Adam`]
    Adam {
        /// Decay of the mean.
        beta_1: Float,
        /// Decay of the square.
        beta_2: Float,
        /// Keeps the quotient finite.
        epsilon: Float,
    },
}

impl Method {
    /// Adam with the settings of its paper.
    pub const ADAM: Method = Method::Adam { beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Param, Tape, Var};

    /// A valley that is much steeper in one direction: f(x) = ½(x₀² + 100·x₁²), lowest at 0.
    fn valley<'t>(tape: &'t Tape, x: &Param) -> Var<'t> {
        let curvature = Matrix::from_column_slice(2, 1, &[0.5, 50.0]);
        tape.param(x).square().component_mul(tape.constant(curvature)).sum()
    }

    fn descend(mut optimizer: impl Optimizer, steps: usize) -> Float {
        let mut x = Param::new(Matrix::from_element(2, 1, 1.0));
        for _ in 0..steps {
            let gradients = valley(&Tape::new(), &x).backward();
            optimizer.step(&mut x, &gradients.into());
        }
        valley(&Tape::new(), &x).scalar()
    }

    #[test]
    fn both_optimisers_find_the_valley() {
        assert!(descend(Sgd { learning_rate: 0.015 }, 500) < 1e-6);
        assert!(descend(Adam::new(0.02), 500) < 1e-6);
    }

    #[test]
    fn adams_first_step_is_the_learning_rate_whatever_the_gradient() {
        let mut x = Param::new(Matrix::from_element(2, 1, 1.0));
        let gradients = valley(&Tape::new(), &x).backward();
        Adam::new(0.1).step(&mut x, &gradients.into());
        assert!(x.value().iter().all(|x| (x - 0.9).abs() < 1e-5), "{}", x.value());
    }

    #[test]
    fn clipping_shortens_without_turning() {
        let x = Param::new(Matrix::from_element(2, 1, 1.0));
        let mut gradients = ParamGradients::from(valley(&Tape::new(), &x).backward());
        let norm = gradients.clip_norm(1.0);
        assert!((norm - Float::sqrt(1.0 + 100.0 * 100.0)).abs() < 1e-3);
        let d = gradients.get(x.id()).unwrap();
        assert!((d.norm() - 1.0).abs() < 1e-5 && (d[1] / d[0] - 100.0).abs() < 1e-2);
        assert!(gradients.clip_norm(2.0) <= 1.0 + 1e-5 && (gradients.norm() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn shards_add_up() {
        let x = Param::new(Matrix::from_element(2, 1, 1.0));
        let gradient = || ParamGradients::from(valley(&Tape::new(), &x).backward());
        let mut sum = gradient();
        sum.merge(gradient());
        assert_eq!(sum.get(x.id()).unwrap(), &(gradient().get(x.id()).unwrap() * 2.0));
    }
}
