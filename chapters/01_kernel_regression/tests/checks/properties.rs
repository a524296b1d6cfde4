//! Chapter 1: what holds of kernel regression whatever the points.

use kernel_regression::bandwidth::{self, leave_one_out_error};
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::smoothing::{self, MANY};
use kernel_regression::{
    Float, Kernel, Matrix, attention_weights, average_pooling, leave_one_out, mean_squared_error,
    nadaraya_watson, streaming,
};
use proptest::prelude::*;
use tests::assert_close;

#[derive(Clone, Debug)]
struct Problem {
    keys: Vec<Float>,
    values: Vec<Float>,
    queries: Vec<Float>,
    kernel: Kernel,
    bandwidth: Float,
}

impl Problem {
    fn weights(&self) -> Matrix {
        attention_weights(&self.queries, &self.keys, self.kernel, self.bandwidth)
    }

    fn predictions(&self) -> Vec<Float> {
        nadaraya_watson(&self.queries, &self.keys, &self.values, self.kernel, self.bandwidth)
    }
}

/// Points on a stretch of 10 with some keys twice, queries that lie on, between and far from them,
/// and bandwidths from far too small to far too large.
fn problem() -> impl Strategy<Value = Problem> {
    let points = prop::collection::vec((-5.0..5.0 as Float, -3.0..3.0 as Float), 1..40);
    let queries = prop::collection::vec(-8.0..8.0 as Float, 0..20);
    let kernel = prop::sample::select(Kernel::ALL.to_vec());
    (points, queries, kernel, -4.0..3.0 as Float).prop_map(|(points, queries, kernel, log_h)| {
        let (mut keys, values): (Vec<Float>, Vec<Float>) = points.into_iter().unzip();
        if keys.len() > 3 {
            keys[0] = keys[1];
        }
        let queries = [queries, vec![keys[0], 100.0]].concat();
        Problem { keys, values, queries, kernel, bandwidth: (10.0 as Float).powf(log_h) }
    })
}

/// The mean of the values whose keys are nearest.
fn nearest_neighbour(query: Float, keys: &[Float], values: &[Float]) -> Float {
    let distances: Vec<Float> = keys.iter().map(|key| (query - key).abs()).collect();
    let shortest = distances.iter().copied().fold(Float::INFINITY, Float::min);
    let nearest = distances.iter().zip(values).filter(|(d, _)| **d == shortest);
    average_pooling(&nearest.map(|(_, value)| *value).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn weights_are_positive_and_columns_sum_to_1(problem in problem()) {
        let weights = problem.weights();
        prop_assert_eq!(weights.shape(), (problem.keys.len(), problem.queries.len()));
        prop_assert!(weights.iter().all(|a| *a >= 0.0));
        for column in weights.column_iter() {
            assert_close!(column.sum(), 1.0, 1e-6);
        }
    }

    #[test]
    fn predictions_stay_between_the_values(problem in problem()) {
        let low = problem.values.iter().copied().fold(Float::INFINITY, Float::min);
        let high = problem.values.iter().copied().fold(Float::NEG_INFINITY, Float::max);
        for y in problem.predictions() {
            prop_assert!((low - 1e-5..=high + 1e-5).contains(&y), "{} outside {}..{}", y, low, high);
        }
    }

    #[test]
    fn an_endless_bandwidth_is_average_pooling(problem in problem()) {
        let wide = Problem { bandwidth: 1e6, ..problem };
        let average = average_pooling(&wide.values);
        assert_close!(wide.predictions(), vec![average; wide.queries.len()], 1e-5);
    }

    #[test]
    fn no_bandwidth_is_the_nearest_neighbour(problem in problem()) {
        let narrow = Problem { bandwidth: 1e-6, ..problem };
        for (query, y) in narrow.queries.iter().zip(narrow.predictions()) {
            // Between two keys almost equally near even this bandwidth may still hesitate.
            let mut distances: Vec<Float> =
                narrow.keys.iter().map(|key| (query - key).abs()).collect();
            distances.sort_by(Float::total_cmp);
            let shortest = distances[0];
            let second = distances.iter().find(|d| **d > shortest).copied();
            prop_assume!(second.is_none_or(|second| second - shortest > 1e-4));
            assert_close!(y, nearest_neighbour(*query, &narrow.keys, &narrow.values), 1e-5);
        }
    }

    /// In quarters, which shift without rounding, so that nothing but the shift is tested.
    #[test]
    fn a_translation_changes_nothing(problem in problem(), quarters in -400..400_i32) {
        let shift = quarters as Float / 4.0;
        let on_grid = |x: &Float| (x * 64.0).round() / 64.0;
        let here: Vec<Float> = problem.keys.iter().map(on_grid).collect();
        let asked: Vec<Float> = problem.queries.iter().map(on_grid).collect();
        let there = |x: &[Float]| x.iter().map(|x| x + shift).collect::<Vec<_>>();
        let (kernel, h) = (problem.kernel, problem.bandwidth);
        prop_assert_eq!(
            attention_weights(&there(&asked), &there(&here), kernel, h),
            attention_weights(&asked, &here, kernel, h)
        );
    }

    /// A power of two scales without rounding: only distance over bandwidth matters.
    #[test]
    fn units_do_not_matter(problem in problem(), power in -6..6_i32) {
        let scale = (2.0 as Float).powi(power);
        let scaled = |x: &[Float]| x.iter().map(|x| x * scale).collect::<Vec<_>>();
        let (queries, keys) = (scaled(&problem.queries), scaled(&problem.keys));
        let weights =
            attention_weights(&queries, &keys, problem.kernel, problem.bandwidth * scale);
        prop_assert_eq!(weights, problem.weights());
    }

    #[test]
    fn the_order_of_the_points_does_not_matter(problem in problem()) {
        let mut turned = problem.clone();
        turned.keys.reverse();
        turned.values.reverse();
        assert_close!(turned.predictions(), problem.predictions(), 1e-5);
    }

    /// Where the quotient of sums is a number at all.
    #[test]
        /// In single precision: of an exponent d²/2h² near 5000, rounding alone is worth 10⁻³ of the
    /// weight. Keys farther than 30 bandwidths are left to the same test in double precision.
    #[test]
    fn streaming_equals_the_whole_matrix(problem in problem()) {
        let Problem { keys, values, queries, bandwidth, .. } = &problem;
        let in_reach = |q: &Float| keys.iter().all(|key| (q - key).abs() <= 30.0 * bandwidth);
        let queries: Vec<Float> = queries.iter().copied().filter(in_reach).collect();
        prop_assume!(!queries.is_empty());
        let whole = nadaraya_watson(&queries, keys, values, Kernel::Gaussian, *bandwidth);
        assert_close!(streaming::smooth(&queries, keys, values, *bandwidth), whole, 5e-4);
    }

    #[test]
    fn leaving_one_out_is_leaving_it_out(problem in problem(), which in any::<prop::sample::Index>()) {
        let Problem { mut keys, mut values, kernel, bandwidth, .. } = problem;
        prop_assume!(keys.len() > 1);
        let all = leave_one_out(&keys, &values, kernel, bandwidth);
        let error = leave_one_out_error(&keys, &values, kernel, bandwidth, 1);
        assert_close!(error, mean_squared_error(&all, &values), 1e-5);
        let i = which.index(keys.len());
        let (key, _) = (keys.remove(i), values.remove(i));
        let left = nadaraya_watson(&[key], &keys, &values, kernel, bandwidth);
        assert_close!(all[i], left[0], 1e-6);
    }
}

/// The bias of the page, without noise: ½h²f″ where keys are spread evenly; where their density p
/// changes, h²f′p′/p more.
#[test]
fn the_bias_depends_on_how_keys_are_spread() {
    let (m, x, h) = (4000, 2.5, 0.1);
    let bias = |place: fn(Float) -> Float| {
        let keys: Vec<Float> =
            (0..m).map(|i| 5.0 * place((i as Float + 0.5) / m as Float)).collect();
        let values: Vec<Float> = keys.iter().map(|x| truth(*x)).collect();
        nadaraya_watson(&[x], &keys, &values, Kernel::Gaussian, h)[0] - truth(x)
    };
    let (slope, bend) = (2.0 * x.cos() + 0.8 * x.powf(-0.2), -2.0 * x.sin() - 0.16 * x.powf(-1.2));
    assert_close!(bias(|t| t) / (h * h), bend / 2.0, 0.02);
    // Keys with the density p ∝ x, so p′/p = 1/x.
    assert_close!(bias(Float::sqrt) / (h * h), bend / 2.0 + slope / x, 0.02);
}

/// The page's numbers where it says that leave-one-out and the distance from the truth are means
/// over different things.
#[test]
fn leave_one_out_contains_the_noise_that_was_drawn() {
    let (x, y) = noisy_points(50, &mut shared::rng(0));
    let truths: Vec<Float> = x.iter().map(|x| truth(*x)).collect();
    let predictions = leave_one_out(&x, &y, Kernel::Gaussian, 0.307_068_77);
    let (noise, distance) =
        (mean_squared_error(&y, &truths), mean_squared_error(&predictions, &truths));
    assert_close!(noise, 0.233, 0.0005);
    assert_close!(distance, 0.064, 0.0005);
}

/// A sample of many points chooses a bandwidth; scaled by n^(−1/5), it is close to what all choose.
#[test]
fn a_sample_chooses_nearly_the_bandwidth_of_all() {
    let (keys, values) = noisy_points(3000, &mut shared::rng(1));
    let (few, theirs) = bandwidth::sample(&keys, &values, 300);
    assert_eq!((few.len(), theirs.len()), (300, 300));
    assert!(few.contains(&keys[0]) && few.contains(&keys[2999]), "the ends belong to it");
    let numbers: Vec<Float> = (0..3000).map(|i| i as Float).collect();
    let (mut most, _) = bandwidth::sample(&numbers, &numbers, 2999);
    most.sort_by(Float::total_cmp);
    most.dedup();
    assert_eq!(most.len(), 2999, "no point is drawn twice");
    let best = |keys: &[Float], values: &[Float], every| {
        let tried: Vec<Float> = (0..12).map(|i| 0.04 * (1.25 as Float).powi(i)).collect();
        bandwidth::choose(keys, values, Kernel::Gaussian, &tried, every, || ()).bandwidth
    };
    let (scaled, of_all) =
        (best(&few, &theirs, 1) * bandwidth::narrower(300, 3000), best(&keys, &values, 5));
    assert!((scaled / of_all).ln().abs() < 0.3, "{scaled} from a sample, {of_all} from all");
}

/// The curve through very many points, of which most are never looked at, is the curve; also with an
/// outlier, with equal keys and with hardly any bandwidth.
#[test]
fn the_curve_through_many_points_is_the_curve() {
    let n = 2 * MANY;
    let (x, y) = noisy_points(n, &mut shared::rng(2));
    let mut x: Vec<f64> = x.into_iter().map(f64::from).collect();
    x[7] = x[8];
    x[n - 1] = 40.0;
    let y: Vec<f64> = y.into_iter().map(f64::from).collect();
    for (kernel, h) in [
        (Kernel::Gaussian, 0.1),
        (Kernel::Gaussian, 30.0),
        (Kernel::Gaussian, 1e-9),
        (Kernel::Epanechnikov, 0.3),
    ] {
        let smoothed = smoothing::smooth(&x, &y, kernel, Some(h), || ());
        for i in (0..n).step_by(997).chain([7, 8, n - 1]) {
            let weight = |key: &f64| f64::from(kernel.weight(((key - x[i]) / h) as Float));
            let (mut above, mut below) = (0.0, 0.0);
            for (key, value) in x.iter().zip(&y) {
                above += weight(key) * value;
                below += weight(key);
            }
            assert_close!(smoothed.at_points[i], above / below, 1e-3, "{kernel:?} {h}, point {i}");
        }
    }
}
