//! The curve through points; through very many, in time proportional to their number.
//!
//! A million queries over a million keys are 10¹² weights. Two things make them few: keys far away
//! weigh nothing, and a curve that was smoothed over a bandwidth is straight over a fiftieth of it.

use crate::{Float, Kernel, nadaraya_watson, streaming};
use rayon::prelude::*;

/// Places of the curve in one bandwidth.
const PER_BANDWIDTH: f64 = 50.0;
/// How many bandwidths farther than the nearest key another one counts: at 8, a Gaussian's weight is
/// e⁻³² of the nearest key's.
const REACH: f64 = 8.0;

/// A sample of more points than these chooses the bandwidth, and the curve is computed at fewer
/// places than there are points.
pub const MANY: usize = 10_000;

/// The curve at the queries.
pub fn evaluate(
    queries: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    h: Float,
) -> Vec<Float> {
    if keys.len() <= MANY {
        exactly(queries, keys, values, kernel, h)
    } else {
        straightened(queries, keys, values, kernel, h)
    }
}

/// The Gaussian streams; the other kernels take a block of queries at a time.
fn exactly(
    queries: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    h: Float,
) -> Vec<Float> {
    if kernel == Kernel::Gaussian {
        return streaming::smooth(queries, keys, values, h);
    }
    let blocks = queries.par_chunks(16);
    blocks.flat_map_iter(|block| nadaraya_watson(block, keys, values, kernel, h)).collect()
}

/// The curve computed at the multiples of a fiftieth of a bandwidth on both sides of each query, and
/// straight between them; at the queries themselves where these are fewer.
fn straightened(
    queries: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    h: Float,
) -> Vec<Float> {
    let pairs = keys.iter().copied().zip(values.iter().copied());
    let mut points: Vec<(Float, Float)> = pairs.collect();
    points.par_sort_by(|a, b| a.0.total_cmp(&b.0));
    let (keys, values): (Vec<Float>, Vec<Float>) = points.into_iter().unzip();
    let curve = |places: &[Float]| near(places, &keys, &values, kernel, h);

    let step = f64::from(h) / PER_BANDWIDTH;
    let below = |query: &Float| (f64::from(*query) / step).floor();
    let mut corners: Vec<f64> =
        queries.iter().flat_map(|query| [below(query), below(query) + 1.0]).collect();
    corners.par_sort_by(f64::total_cmp);
    corners.dedup();
    let countable = corners.iter().all(|corner| corner.abs() < 1e15); // x + 1 is another number
    if corners.len() >= queries.len() || !countable {
        let mut places = queries.to_vec();
        places.par_sort_by(Float::total_cmp);
        places.dedup();
        let curve = curve(&places);
        return queries.iter().map(|q| curve[places.partition_point(|p| p < q)]).collect();
    }
    let places: Vec<Float> = corners.iter().map(|corner| (corner * step) as Float).collect();
    let curve = curve(&places);
    let between = queries.iter().map(|query| {
        let left = corners.partition_point(|corner| *corner < below(query));
        let share = (f64::from(*query) / step - corners[left]) as Float;
        curve[left] * (1.0 - share) + curve[left + 1] * share
    });
    between.collect()
}

/// The curve at sorted places over sorted keys, a block of places with the keys in its reach.
fn near(
    places: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    h: Float,
) -> Vec<Float> {
    let reach = |place: f64| {
        let right = keys.partition_point(|key| f64::from(*key) < place);
        let around = &keys[right.saturating_sub(1)..keys.len().min(right + 1)];
        let distances = around.iter().map(|key| (f64::from(*key) - place).abs());
        distances.fold(f64::INFINITY, f64::min) + REACH * f64::from(h)
    };
    let blocks = places.par_chunks(32).flat_map_iter(|places| {
        let (first, last) = (f64::from(places[0]), f64::from(places[places.len() - 1]));
        let (low, high) = (first - reach(first), last + reach(last));
        let from = keys.partition_point(|key| f64::from(*key) < low);
        let to = keys.partition_point(|key| f64::from(*key) <= high);
        exactly(places, &keys[from..to], &values[from..to], kernel, h)
    });
    blocks.collect()
}
