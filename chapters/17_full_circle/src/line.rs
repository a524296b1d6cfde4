//! The eight on a line: places and values as chapter 1 has them, and a parameter for each that leave-one-out chooses.

use crate::estimators::{
    DeltaRule, Estimator, ImplicitStep, LinearAttention, LocalLine, Mean, NadarayaWatson,
    NearestNeighbour, RecursiveLeastSquares, bumps,
};
use crate::{Float, Matrix};
use shared::product;

/// Which of the eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named as in `estimators`
pub enum Kind {
    Mean,
    NearestNeighbour,
    NadarayaWatson,
    LocalLine,
    LinearAttention,
    DeltaRule,
    ImplicitStep,
    LeastSquares,
}

impl Kind {
    /// All, in the order of the page.
    pub const ALL: [Kind; 8] = [
        Kind::Mean,
        Kind::NearestNeighbour,
        Kind::NadarayaWatson,
        Kind::LocalLine,
        Kind::LinearAttention,
        Kind::DeltaRule,
        Kind::ImplicitStep,
        Kind::LeastSquares,
    ];

    /// The name in words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Mean => "mean",
            Kind::NearestNeighbour => "nearest neighbour",
            Kind::NadarayaWatson => "Nadaraya–Watson",
            Kind::LocalLine => "local line",
            Kind::LinearAttention => "linear attention",
            Kind::DeltaRule => "delta rule",
            Kind::ImplicitStep => "implicit step",
            Kind::LeastSquares => "least squares",
        }
    }

    /// What its parameter is called; nothing where there is none.
    pub fn parameter(self) -> Option<&'static str> {
        match self {
            Kind::Mean | Kind::NearestNeighbour => None,
            Kind::NadarayaWatson | Kind::LocalLine => Some("h"),
            Kind::LinearAttention | Kind::DeltaRule | Kind::ImplicitStep => Some("β"),
            Kind::LeastSquares => Some("λ"),
        }
    }

    /// The estimator with this parameter.
    pub fn with(self, parameter: Float) -> Box<dyn Estimator> {
        match self {
            Kind::Mean => Box::new(Mean),
            Kind::NearestNeighbour => Box::new(NearestNeighbour),
            Kind::NadarayaWatson => Box::new(NadarayaWatson { bandwidth: parameter }),
            Kind::LocalLine => Box::new(LocalLine { bandwidth: parameter }),
            Kind::LinearAttention => Box::new(LinearAttention { rate: parameter }),
            Kind::DeltaRule => Box::new(DeltaRule { rate: parameter }),
            Kind::ImplicitStep => Box::new(ImplicitStep { rate: parameter }),
            Kind::LeastSquares => Box::new(RecursiveLeastSquares { ridge: parameter }),
        }
    }

    /// What each value counts for each query, (m, n). The first four see places, the others bumps on [0, 5].
    pub fn weights(self, parameter: Float, queries: &[Float], keys: &[Float]) -> Matrix {
        let entered = |x: &[Float]| match self {
            Kind::Mean | Kind::NearestNeighbour | Kind::NadarayaWatson | Kind::LocalLine => {
                Matrix::from_row_slice(1, x.len(), x)
            }
            _ => bumps(x, &centres(), WIDTH),
        };
        self.with(parameter).weights(&entered(queries), &entered(keys))
    }

    /// The answers at the queries.
    pub fn curve(
        self,
        parameter: Float,
        queries: &[Float],
        keys: &[Float],
        values: &[Float],
    ) -> Vec<Float> {
        let v = Matrix::from_row_slice(1, values.len(), values);
        product(&v, &self.weights(parameter, queries, keys)).as_slice().to_vec()
    }

    /// Parameters worth trying, a fifth apart.
    pub fn candidates(self) -> Vec<Float> {
        let (low, high): (Float, Float) = match self {
            Kind::Mean | Kind::NearestNeighbour => return vec![1.0],
            Kind::NadarayaWatson | Kind::LocalLine => (0.05, 5.0),
            Kind::LinearAttention => (0.002, 1.0),
            Kind::DeltaRule => (0.02, 1.9),
            Kind::ImplicitStep => (0.02, 200.0),
            Kind::LeastSquares => (0.001, 100.0),
        };
        let steps = ((high / low).ln() / 0.2).ceil();
        (0..=steps as usize).map(|i| low * (high / low).powf(i as Float / steps)).collect()
    }

    /// The candidate with the smallest error on points that are left out one at a time, and that mean squared error.
    pub fn leave_one_out(self, keys: &[Float], values: &[Float]) -> (Float, f64) {
        let others = |all: &[Float], i: usize| [&all[..i], &all[i + 1..]].concat();
        let error = |parameter: Float| {
            let squared = (0..keys.len()).map(|i| {
                let y =
                    self.curve(parameter, &keys[i..=i], &others(keys, i), &others(values, i))[0];
                f64::from(y - values[i]).powi(2)
            });
            squared.sum::<f64>() / keys.len() as f64
        };
        let tried = self.candidates().into_iter().map(|parameter| (parameter, error(parameter)));
        tried.min_by(|a, b| a.1.total_cmp(&b.1)).expect("a candidate")
    }
}

/// The standard deviation of a bump, the distance of two centres.
pub const WIDTH: Float = 5.0 / 11.0;

/// Twelve places on [0, 5].
pub fn centres() -> Vec<Float> {
    (0..12).map(|i| i as Float * WIDTH).collect()
}
