//! Chapters 1 and 2: points, a curve through them, and how wrong it is.

use kernel_regression::data::{noisy_points, truth};
use kernel_regression::{
    Kernel, attention_weights, leave_one_out, mean_squared_error, nadaraya_watson,
};
use parametric_attention::{Sees, descend, effective_keys, squared_error};
use shared::Float;

/// Places → both chapters' fifty keys, their values, and the truth at each place.
pub fn points(places: &[Float]) -> Vec<Float> {
    let (x, y) = noisy_points(50, &mut shared::rng(0));
    [x, y, places.iter().map(|x| truth(*x)).collect()].concat()
}

/// A kernel's number, a bandwidth, a query, how many places, the places, keys, as many values → the prediction
/// for the query, how many keys it attends to, the predictions at the places, the query's weights.
pub fn regression(numbers: &[Float]) -> Vec<Float> {
    let [kernel, bandwidth, query, count, rest @ ..] = numbers else { panic!("too few numbers") };
    let (places, points) = rest.split_at(*count as usize);
    let (keys, values) = points.split_at(points.len() / 2);
    let kernel = Kernel::ALL[*kernel as usize];
    let predict = |queries: &[Float]| nadaraya_watson(queries, keys, values, kernel, *bandwidth);
    let weights = attention_weights(&[*query], keys, kernel, *bandwidth); // (m, 1)
    let attended = effective_keys(weights.as_slice());
    [&predict(&[*query]), &[attended][..], &predict(places), weights.as_slice()].concat()
}

/// A kernel's number, how many bandwidths, the bandwidths, keys, as many values → the leave-one-out error of each
/// bandwidth.
pub fn errors(numbers: &[Float]) -> Vec<Float> {
    let [kernel, count, rest @ ..] = numbers else { panic!("too few numbers") };
    let (bandwidths, points) = rest.split_at(*count as usize);
    let (keys, values) = points.split_at(points.len() / 2);
    let kernel = Kernel::ALL[*kernel as usize];
    let curves = bandwidths.iter().map(|h| leave_one_out(keys, values, kernel, *h));
    curves.map(|curve| mean_squared_error(&curve, values) as Float).collect()
}

/// Whether a point sees itself (1) or the others alone (0), how many widths, the widths, keys, as many values → the
/// loss of each width.
pub fn landscape(numbers: &[Float]) -> Vec<Float> {
    let [itself, count, rest @ ..] = numbers else { panic!("too few numbers") };
    let (widths, points) = rest.split_at(*count as usize);
    let (x, y) = points.split_at(points.len() / 2);
    widths.iter().map(|w| squared_error(x, y, *w, sees(*itself)).0).collect()
}

/// Whether a point sees itself, a width, a learning rate, keys, as many values → the loss, its slope, and the width
/// after one step of descent.
pub fn descent(numbers: &[Float]) -> Vec<Float> {
    let [itself, w, rate, points @ ..] = numbers else { panic!("too few numbers") };
    let (x, y) = points.split_at(points.len() / 2);
    let path = descend(*w, *rate, 1, |w| squared_error(x, y, w, sees(*itself)));
    vec![path[0].loss, path[0].slope, path[1].w]
}

fn sees(itself: Float) -> Sees {
    if itself == 1.0 { Sees::Everyone } else { Sees::Others }
}
