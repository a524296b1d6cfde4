//! The matrix of the weights.

use super::queries::{Data, grid};
use crate::{Kernel, attention_weights};
use serde::{Deserialize, Serialize};
use shared::Float;
use workbench::figure::{Heatmap, Svg};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    pub largest: Float,
    /// How many keys a query attends to: 1/Σα² would be k for k equal weights; here with the mean
    /// of Σα² over the queries.
    pub keys_attended: f64,
}

pub(super) fn measure((x, _): &Data, bandwidth: Float) -> (Weights, Svg) {
    let queries = grid(0.0, 4.9, 49);
    let weights = attention_weights(&queries, x, Kernel::Gaussian, bandwidth); // (m, n)
    let concentration = weights.iter().map(|a| f64::from(a * a)).sum::<f64>();
    let every_tenth = |values: &[Float]| -> Vec<String> {
        let name = |(i, v): (usize, &Float)| match i % 10 {
            0 => format!("{v:.1}"),
            _ => String::new(),
        };
        values.iter().enumerate().map(name).collect()
    };
    let (key, query) = weights.iamax_full();
    let largest = format!("x = {}: one key has {:.3}", queries[query], weights.max());
    let heatmap = Heatmap::new("", "queries x", "keys in order, xᵢ", &weights)
        .x_names(&every_tenth(&queries))
        .y_names(&every_tenth(x))
        .rings(&largest, &[(key, query)])
        .draw();
    let results =
        Weights { largest: weights.max(), keys_attended: queries.len() as f64 / concentration };
    (results, heatmap)
}
