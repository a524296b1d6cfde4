//! Gaussian kernel regression without ever holding the weights.
//!
//! The weights of m keys for n queries are a matrix of m·n numbers: 40 GB for 10⁵ of each. But a
//! prediction needs only two sums, `Σ exp(eᵢ)` and `Σ exp(eᵢ) yᵢ`, and these can be gathered key by
//! key. One question remains: the stable softmax subtracts the largest score, which is known only
//! at the end. The answer is a *running* softmax: keep the largest score so far, and when a larger
//! one comes, rescale both sums. (Milakov & Gimelshein 2018, algorithm 3, do so with the first sum,
//! Rabe & Staats 2021 with both.)

use multiversion::multiversion;
use rayon::prelude::*;
use shared::Float;
use shared::elementwise::exp;

/// Queries that move through the keys together, one a lane of a vector register.
const LANES: usize = 32;
/// Keys between two looks at the largest score: enough to forget its cost, few enough to stay in
/// cache.
const TILE: usize = 128;

/// Nadaraya–Watson regression with a Gaussian kernel: `ŷ(q) = Σᵢ softmaxᵢ(−(q − xᵢ)²/2h²)·yᵢ`.
///
/// `queries` (n), `keys` xᵢ and `values` yᵢ (m), `bandwidth` h, in the unit of x → predictions (n).
/// Time O(n·m), memory O(n + m); on all threads, with the same result on any number of them.
///
/// ```
/// use kernel_regression::streaming::smooth;
/// let predictions = smooth(&[0.0, 1.0], &[-1.0, 1.0], &[10.0, 20.0], 0.5);
/// assert_eq!(predictions[0], 15.0); // halfway between two keys: their mean
/// ```
///
/// # Panics
/// When there are no keys, not one value a key, or the bandwidth is not positive.
// ANCHOR: smooth
pub fn smooth(queries: &[Float], keys: &[Float], values: &[Float], bandwidth: Float) -> Vec<Float> {
    assert!(!keys.is_empty(), "no keys");
    assert!(keys.len() == values.len(), "{} keys, {} values", keys.len(), values.len());
    assert!(bandwidth > 0.0, "the bandwidth must be positive, not {bandwidth}");
    let in_bandwidths = |x: &Float| x / bandwidth;
    let scaled_keys: Vec<Float> = keys.iter().map(in_bandwidths).collect();
    let mut predictions = vec![0.0; queries.len()];
    let blocks = predictions.par_chunks_mut(LANES).zip(queries.par_chunks(LANES));
    blocks.for_each(|(predictions, queries)| {
        // A last, short block repeats its first query in the lanes that are left over.
        let lanes = std::array::from_fn(|i| in_bandwidths(queries.get(i).unwrap_or(&queries[0])));
        let block = block(&lanes, &scaled_keys, values);
        predictions.copy_from_slice(&block[..queries.len()]);
    });
    predictions
}
// ANCHOR_END: smooth

// ANCHOR: tile
/// One block of queries against all keys, both measured in bandwidths: `e = −d²/2` with `d = |q −
/// x|`.
///
/// The largest score belongs to the nearest key, so the running maximum is a running distance
/// `nearest`. The exponent `e − e_max = −½(d − nearest)(d + nearest)` is written as a product: the
/// difference of two large squares would lose the digits that decide between neighbouring keys.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn block(queries: &[Float; LANES], keys: &[Float], values: &[Float]) -> [Float; LANES] {
    let mut nearest = [Float::INFINITY; LANES]; // distance of the nearest key so far
    let mut weight_sum = [0.0; LANES]; //          Σ exp(e − e_max)
    let mut value_sum = [0.0; LANES]; //           Σ exp(e − e_max)·y
    for (keys, values) in keys.chunks(TILE).zip(values.chunks(TILE)) {
        let before = nearest;
        for &x in keys {
            for lane in 0..LANES {
                nearest[lane] = smaller((queries[lane] - x).abs(), nearest[lane]);
            }
        }
        let (mut tile_weights, mut tile_values) = ([0.0; LANES], [0.0; LANES]);
        for (&x, &y) in keys.iter().zip(values) {
            for lane in 0..LANES {
                let weight = weight((queries[lane] - x).abs(), nearest[lane]);
                tile_weights[lane] += weight;
                tile_values[lane] += weight * y;
            }
        }
        for lane in 0..LANES {
            // What was summed so far shrinks as the maximum grows; on the first tile, to nothing.
            let shrink = weight(before[lane], nearest[lane]);
            weight_sum[lane] = weight_sum[lane] * shrink + tile_weights[lane];
            value_sum[lane] = value_sum[lane] * shrink + tile_values[lane];
        }
    }
    std::array::from_fn(|lane| value_sum[lane] / weight_sum[lane])
}

/// `exp(e − e_max)` of a key at distance `d`.
#[inline(always)]
fn weight(d: Float, nearest: Float) -> Float {
    exp(-0.5 * (d - nearest) * (d + nearest))
}
// ANCHOR_END: tile

/// A comparison and a selection, which vectorise; `Float::min` also looks for NaN.
#[inline(always)]
fn smaller(a: Float, b: Float) -> Float {
    if a < b { a } else { b }
}
