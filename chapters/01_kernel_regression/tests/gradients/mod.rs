//! Chapter 1 in double precision: identities that single precision would blur, and the slope of the
//! curve against finite differences.

use kernel_regression::{
    Kernel, attention_weights, leave_one_out, nadaraya_watson, quotient, streaming,
};
use proptest::prelude::*;
use tests::{assert_close, finite_difference};

/// Points (key, value) on a stretch of 10, and queries around it.
fn problem() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<f64>, f64)> {
    let points = prop::collection::vec((-5.0..5.0, -3.0..3.0), 2..40);
    let queries = prop::collection::vec(-7.0..7.0, 1..70);
    (points, queries, 0.2..5.0).prop_map(|(points, queries, h)| {
        let (keys, values) = points.into_iter().unzip();
        (keys, values, queries, h)
    })
}

proptest! {
    /// The quotient of sums is a softmax of −(x − xᵢ)²/2h².
    #[test]
    fn the_softmax_is_the_quotient((keys, values, queries, h) in problem()) {
        let softmax = nadaraya_watson(&queries, &keys, &values, Kernel::Gaussian, h);
        let quotient = quotient(&queries, &keys, &values, Kernel::Gaussian, h);
        // Where the nearest key is too far, exp(−u²/2) has lost its digits, or is 0.
        let near = |x: &f64| keys.iter().any(|key| ((x - key) / h).abs() < 30.0);
        prop_assume!(queries.iter().all(near));
        assert_close!(softmax, quotient, 1e-9);
    }

    #[test]
    fn streaming_is_the_whole_matrix((keys, values, queries, h) in problem()) {
        let whole = nadaraya_watson(&queries, &keys, &values, Kernel::Gaussian, h);
        assert_close!(streaming::smooth(&queries, &keys, &values, h), whole, 1e-11);
    }

    /// dŷ/dx = Σ αᵢ (yᵢ − ŷ)(xᵢ − x)/h², a covariance under the weights (exercise 1.8).
    #[test]
    fn the_slope_is_a_covariance((keys, values, queries, h) in problem()) {
        let x = queries[0];
        let weights = attention_weights(&[x], &keys, Kernel::Gaussian, h);
        let y = nadaraya_watson(&[x], &keys, &values, Kernel::Gaussian, h)[0];
        let terms = weights.iter().zip(&keys).zip(&values);
        let covariance: f64 = terms.map(|((a, key), value)| a * (value - y) * (key - x)).sum();
        let curve = |x: &nalgebra::DMatrix<f64>| {
            nadaraya_watson(x.as_slice(), &keys, &values, Kernel::Gaussian, h)[0]
        };
        let differences = finite_difference(curve, nalgebra::DMatrix::from_element(1, 1, x));
        assert_close!(covariance / (h * h), differences[0], 1e-6);
    }

    /// One fit gives all the predictions of leave-one-out (exercise 1.5).
    #[test]
    fn leave_one_out_follows_from_one_fit((keys, values, _, h) in problem()) {
        let weights = attention_weights(&keys, &keys, Kernel::Gaussian, h);
        let fit = nadaraya_watson(&keys, &keys, &values, Kernel::Gaussian, h);
        let own = weights.diagonal();
        prop_assume!(own.iter().all(|own| *own < 1.0 - 1e-6));
        let others = (0..keys.len()).map(|j| (fit[j] - own[j] * values[j]) / (1.0 - own[j]));
        let others: Vec<f64> = others.collect();
        assert_close!(leave_one_out(&keys, &values, Kernel::Gaussian, h), others, 1e-8);
    }
}
