//! The gradients of all parameters together: what shards add up and an optimiser uses.

use crate::module::{Module, ParamId};
use crate::tape::Gradients;
use multiversion::multiversion;
use products::{Float, Matrix};
use rayon::prelude::*;
use std::collections::HashMap;

/// Entries of a matrix that one thread works on at a time. Where a matrix is cut depends on nothing
/// but its size, so a sum over chunks does not depend on the number of threads.
pub(crate) const CHUNK: usize = 1 << 14;

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
    /// The gradients in the order the tape met the parameters, which is the same in every run.
    entries: Vec<(ParamId, Matrix)>,
    /// The place of each in `entries`.
    places: HashMap<ParamId, usize>,
    /// Σ xᵢ² of each whose sum was made last: while a part of it was in the processor's caches.
    squares: HashMap<ParamId, f64>,
}

impl From<Gradients> for ParamGradients {
    fn from(gradients: Gradients) -> ParamGradients {
        gradients.into_params().into_iter().collect()
    }
}

/// One gradient a parameter.
impl FromIterator<(ParamId, Matrix)> for ParamGradients {
    fn from_iter<I: IntoIterator<Item = (ParamId, Matrix)>>(gradients: I) -> ParamGradients {
        let entries: Vec<_> = gradients.into_iter().collect();
        let places = entries.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
        ParamGradients { entries, places, squares: HashMap::new() }
    }
}

impl ParamGradients {
    /// Adds the gradients of another shard.
    pub fn merge(&mut self, other: ParamGradients) {
        for (id, d) in other.entries {
            match self.places.get(&id) {
                Some(&place) => {
                    let sum = &mut self.entries[place].1;
                    self.squares.insert(id, add_and_square(sum, &d));
                }
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
    /// they neither overflow nor drown each other; and from the smallest on, so that the order of the
    /// parameters does not matter.
    pub fn norm(&self) -> Float {
        let squares = self.entries.iter().map(|(id, d)| match self.squares.get(id) {
            Some(square) => *square,
            None => norm_squared(d.as_slice()),
        });
        let mut squares: Vec<f64> = squares.collect();
        squares.sort_by(f64::total_cmp);
        squares.iter().sum::<f64>().sqrt() as Float
    }

    /// Every gradient times a number, such as 1/tokens.
    pub fn scale(&mut self, factor: Float) {
        self.squares.clear();
        for (_, d) in &mut self.entries {
            *d *= factor;
        }
    }

    /// All gradients as one row of numbers, to compare them: parameter after parameter as the model
    /// shows them, zeros where there is none.
    pub fn to_numbers(&self, model: &mut impl Module) -> Vec<Float> {
        let mut numbers = Vec::new();
        model.for_each_parameter(|_, param| match self.get(param.id()) {
            Some(d) => numbers.extend_from_slice(d.as_slice()),
            None => numbers.resize(numbers.len() + param.value().len(), 0.0),
        });
        numbers
    }

    /// Shortens the whole gradient to `max_norm` if it is longer (Pascanu et al. 2013); returns the
    /// norm it had.
    #[doc(alias = "clip_grad_norm_")]
    pub fn clip_norm(&mut self, max_norm: Float) -> Float {
        let norm = self.norm();
        if norm > max_norm {
            self.scale(max_norm / norm);
        }
        norm
    }
}

/// `sum ← sum + d`, in chunks on whatever threads are free, and the [`norm_squared`] of the sum, while each chunk
/// is in a processor's caches.
///
/// # Panics
/// When the shapes differ.
fn add_and_square(sum: &mut Matrix, d: &Matrix) -> f64 {
    assert!(sum.shape() == d.shape(), "gradients {:?} and {:?}", sum.shape(), d.shape());
    let (sum, d) = (sum.as_mut_slice(), d.as_slice());
    let of_chunk = |(sum, d): (&mut [Float], &[Float])| {
        add_slices(sum, d);
        sum_of_squares(sum)
    };
    if sum.len() <= CHUNK {
        return of_chunk((sum, d));
    }
    let chunks = sum.par_chunks_mut(CHUNK).zip(d.par_chunks(CHUNK));
    chunks.map(of_chunk).collect::<Vec<_>>().iter().sum()
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_slices(sum: &mut [Float], d: &[Float]) {
    for (sum, d) in sum.iter_mut().zip(d) {
        *sum += d;
    }
}

/// Σ xᵢ²: one sum a chunk, on whatever thread is free, and these in their order.
fn norm_squared(x: &[Float]) -> f64 {
    if x.len() <= CHUNK {
        sum_of_squares(x)
    } else {
        x.par_chunks(CHUNK).map(sum_of_squares).collect::<Vec<_>>().iter().sum()
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
