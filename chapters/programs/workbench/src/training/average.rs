//! The mean of the parameters at the ends of the last epochs.

use crate::parameters::{Named, parameters};
use shared::{Float, Matrix, Module};
use std::collections::VecDeque;
use std::sync::Arc;

/// The parameters at the ends of the last k epochs, the oldest first. All of them are kept, and not
/// their sum: which epochs are the last ones, a run that goes on decides anew.
///
/// Their mean (Vaswani et al. 2017, section 6.1) is `w̄ = (w₁ + … + wₖ)/k`. While the learning rate
/// is not small, w moves around a good place; the mean is nearer to it than most of the w are.
pub(super) struct LastEpochs {
    most: usize,
    ends: VecDeque<Vec<Arc<Matrix>>>,
}

impl LastEpochs {
    pub(super) fn new(most: Option<usize>) -> LastEpochs {
        LastEpochs { most: most.unwrap_or(0), ends: VecDeque::new() }
    }

    /// An epoch is over.
    pub(super) fn keep(&mut self, model: &mut impl Module) {
        if self.most > 0 {
            // Copies: were they shared, the next step would copy them, and products keep what they made of them.
            let values = parameters(model).into_iter();
            let values = values.map(|Named { value, .. }| Arc::new(Matrix::clone(&value)));
            self.ends.push_back(values.collect());
            if self.ends.len() > self.most {
                self.ends.pop_front();
            }
        }
    }

    /// The mean of each parameter; `None` when nothing was kept.
    pub(super) fn mean(&self) -> Option<Vec<Matrix>> {
        let means = self.ends.front()?.iter().enumerate().map(|(place, first)| {
            Matrix::from_fn(first.nrows(), first.ncols(), |i, j| {
                let sum: f64 = self.ends.iter().map(|end| f64::from(end[place][(i, j)])).sum();
                (sum / self.ends.len() as f64) as Float
            })
        });
        Some(means.collect())
    }
}

impl LastEpochs {
    /// What stands before the names of their tensors in a checkpoint, after so many epochs.
    pub(super) fn names(&self, epochs: usize) -> Vec<String> {
        let first = epochs.saturating_sub(self.most) + 1;
        (first..=epochs).map(|epoch| format!("epoch.{epoch}.")).collect()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Vec<Arc<Matrix>>> {
        self.ends.iter()
    }

    pub(super) fn restore(&mut self, ends: Vec<Vec<Arc<Matrix>>>) {
        self.ends = ends.into();
    }
}
