//! Chapter 2: what holds of attention with a learnt width, whatever the points.

use kernel_regression::{Kernel, attention_weights, leave_one_out};
use parametric_attention::{
    Attention, Sees, effective_keys, error_of, learn, predict, predict_with_slope, scores,
    squared_error, weights,
};
use proptest::prelude::*;
use shared::{Float, Matrix, Tape};
use tests::assert_close;

/// Points on a stretch of 6, a query near them, and a width from far too wide to far too narrow.
fn problem() -> impl Strategy<Value = (Vec<Float>, Vec<Float>, Float, Float)> {
    let points = prop::collection::vec((-3.0..3.0 as Float, -3.0..3.0 as Float), 2..30);
    let widths = (-2.0..2.0 as Float).prop_map(|log| (10.0 as Float).powf(log));
    (points, -4.0..4.0 as Float, widths).prop_map(|(points, query, w)| {
        let (x, y) = points.into_iter().unzip();
        (x, y, query, w)
    })
}

/// Points whose x are at least 0.1 apart.
fn apart() -> impl Strategy<Value = (Vec<Float>, Vec<Float>)> {
    let points = prop::collection::vec((0.0..0.9 as Float, -3.0..3.0 as Float), 2..20);
    points.prop_map(|points| {
        let x = points.iter().enumerate().map(|(i, (x, _))| i as Float + x).collect();
        (x, points.iter().map(|point| point.1).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn weights_are_positive_and_sum_to_1((x, _, query, w) in problem(), hide: bool) {
        let alpha = weights(query, &x, w, hide.then_some(1));
        prop_assert!(alpha.iter().all(|alpha| (0.0..=1.0).contains(alpha)));
        assert_close!(alpha.iter().sum::<Float>(), 1.0, 1e-5);
        prop_assert!(!hide || alpha[1] == 0.0);
        let keys = effective_keys(&alpha);
        prop_assert!(keys > 0.999 && keys < x.len() as Float + 0.001, "{} keys", keys);
    }

    /// w is one over the bandwidth of chapter 1.
    #[test]
    fn one_over_the_width_is_the_bandwidth((x, y, query, w) in problem()) {
        let expected = attention_weights(&[query], &x, Kernel::Gaussian, 1.0 / w);
        assert_close!(weights(query, &x, w, None), expected, 1e-3);
        let others = leave_one_out(&x, &y, Kernel::Gaussian, 1.0 / w);
        for j in 0..x.len() {
            let (error, _) = error_of(j, &x, &y, w, Sees::Others);
            assert_close!(error + y[j], others[j], 1e-2);
        }
    }

    #[test]
    fn a_prediction_lies_among_the_values((x, y, query, w) in problem()) {
        let (f, _) = predict_with_slope(query, &x, &y, w, None);
        let (low, high) = y.iter().fold((y[0], y[0]), |(low, high), y| (low.min(*y), high.max(*y)));
        prop_assert!(f >= low - 1e-5 && f <= high + 1e-5);
        assert_close!(f, predict(&[query], &x, &y, w)[0], 1e-3);
    }

    #[test]
    fn a_wide_window_takes_the_mean_and_a_narrow_one_the_nearest((x, y, query, _) in problem()) {
        let mean = y.iter().sum::<Float>() / y.len() as Float;
        assert_close!(predict_with_slope(query, &x, &y, 1e-4, None).0, mean, 1e-5);
        let mut near: Vec<usize> = (0..x.len()).collect();
        near.sort_by(|a, b| (x[*a] - query).abs().total_cmp(&(x[*b] - query).abs()));
        let (first, second) = ((x[near[0]] - query).abs(), (x[near[1]] - query).abs());
        prop_assume!(second - first > 0.01);
        assert_close!(predict_with_slope(query, &x, &y, 1e3, None).0, y[near[0]], 1e-5);
    }

    /// Only distances times w count: their sign, the origin and the unit of x do not.
    #[test]
    fn what_changes_nothing((x, y, query, w) in problem(), shift in -2i8..3, unit in -3i32..4) {
        let (f, slope) = predict_with_slope(query, &x, &y, w, None);
        let mirrored = predict_with_slope(query, &x, &y, -w, None);
        assert_close!([mirrored.0, mirrored.1], [f, -slope], 1e-6);
        let unit = (2.0 as Float).powi(unit); // a power of two: no rounding
        let scaled: Vec<Float> = x.iter().map(|x| x * unit).collect();
        let (same, steeper) = predict_with_slope(query * unit, &scaled, &y, w / unit, None);
        assert_close!([same, steeper / unit], [f, slope], 1e-5);
        prop_assume!(w < 5.0); // what rounding of the shifted x changes, w makes larger
        let shifted: Vec<Float> = x.iter().map(|x| x + Float::from(shift)).collect();
        let moved = predict_with_slope(query + Float::from(shift), &shifted, &y, w, None).0;
        assert_close!(moved, f, 1e-3);
    }

    /// Adding to all values moves the prediction, not its slope: a covariance knows no mean.
    #[test]
    fn the_slope_knows_differences_of_values_only((x, y, query, w) in problem()) {
        prop_assume!(w < 10.0);
        let (f, slope) = predict_with_slope(query, &x, &y, w, None);
        let raised: Vec<Float> = y.iter().map(|y| y + 2.0).collect();
        let (higher, same) = predict_with_slope(query, &x, &raised, w, None);
        assert_close!(higher, f + 2.0, 1e-5);
        assert_close!(same, slope, 1e-4 * (1.0 + w));
    }

    /// Values that are all alike teach nothing, whatever w.
    #[test]
    fn equal_values_have_no_slope((x, _, query, w) in problem()) {
        let (f, slope) = predict_with_slope(query, &x, &vec![2.0; x.len()], w, None);
        assert_close!([f, slope], [2.0, 0.0], 1e-4 * (1.0 + w));
    }

    /// Seeing itself, every point is predicted without error once the window is narrow enough.
    #[test]
    fn seeing_itself_nothing_is_left_to_predict((x, y) in apart()) {
        let (loss, slope) = squared_error(&x, &y, 200.0, Sees::Everyone);
        prop_assert_eq!((loss, slope), (0.0, 0.0));
        // … while a point that does not see itself hears its neighbours, however narrow it is.
        let nearest = |j: usize| {
            let others = (0..x.len()).filter(|i| *i != j);
            others.min_by(|a, b| (x[*a] - x[j]).abs().total_cmp(&(x[*b] - x[j]).abs())).unwrap()
        };
        let gap = |j: usize| {
            let mut gaps: Vec<Float> =
                (0..x.len()).filter(|i| *i != j).map(|i| (x[i] - x[j]).abs()).collect();
            gaps.sort_by(Float::total_cmp);
            gaps.get(1).map_or(1.0, |second| second - gaps[0])
        };
        prop_assume!((0..x.len()).all(|j| gap(j) > 0.01));
        let expected: Float = (0..x.len()).map(|j| (y[nearest(j)] - y[j]).powi(2)).sum();
        assert_close!(squared_error(&x, &y, 200.0, Sees::Others).0, expected, 1e-3);
    }

    /// Learning never makes the loss worse.
    #[test]
    fn a_descent_goes_down((x, y, _, w) in problem()) {
        let path = learn(w, |w| squared_error(&x, &y, w, Sees::Others));
        prop_assert!(path.windows(2).all(|step| step[1].loss <= step[0].loss));
        prop_assert!(path.iter().all(|step| step.w.is_finite() && step.w > 0.0));
    }

    /// Gaussian scores are dot products with a bias for each key; what depends on the query alone
    /// cancels in the softmax.
    #[test]
    fn gaussian_attention_is_dot_product_attention(
        d in 1..4usize, m in 1..8usize, n in 1..8usize,
        entries in prop::collection::vec(-1.5..1.5 as Float, 2 * 4 * 8),
    ) {
        let (for_q, for_k) = entries.split_at(32);
        let tape = Tape::new();
        let (q, k) = (Matrix::from_column_slice(d, n, &for_q[..d * n]), Matrix::from_column_slice(d, m, &for_k[..d * m]));
        let (q, k) = (tape.constant(q), tape.constant(k));
        let bias = k.square().column_sums().transpose() * -0.5; // (m, 1)
        let by_products = k.tr_mul(q).add_column(bias).softmax();
        assert_close!(scores(q, k).softmax().value(), by_products.value(), 1e-5);
    }

    /// With W = w·1 and one input, the model on the tape is the formula for one width.
    #[test]
    fn a_matrix_of_one_entry_is_a_width((x, y, query, w) in problem()) {
        prop_assume!(w < 10.0);
        let (model, tape) = (Attention::new(Matrix::from_element(1, 1, w)), Tape::new());
        let row = |values: &[Float]| tape.constant(Matrix::from_row_slice(1, values.len(), values));
        let f = model.forward(row(&[query]), row(&x), row(&y)).scalar();
        assert_close!(f, predict_with_slope(query, &x, &y, w, None).0, 1e-3);
    }
}
