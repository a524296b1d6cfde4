//! When two entries count as equal.

use approx::RelativeEq;
use nalgebra::DMatrix;

/// How far from the expected entry b the actual one may lie: tolerance · (1 + |b|).
pub(super) fn allowed(b: f64, tolerance: f64) -> f64 {
    tolerance * (1.0 + b.abs())
}

/// Is a within what b allows?
///
/// `approx` would also take a share of the larger of both numbers. An a that is too large would
/// then widen its own bound, so that share is zero, and the expected entry alone sets the scale.
/// (`abs_diff_eq` with the same bound would be wrong about infinities: ∞ − ∞ is NaN, and an expected
/// ∞ would allow everything.)
pub(super) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a.relative_eq(&b, allowed(b, tolerance), 0.0)
}

/// Equal shapes, and every entry close.
pub(super) fn all_close(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> bool {
    a.shape() == b.shape() && a.iter().zip(b).all(|(&a, &b)| close(a, b, tolerance))
}

/// 0 when close; else how far off, more for an infinity where none belongs, and most for NaN.
pub(super) fn badness(a: f64, b: f64, tolerance: f64) -> f64 {
    if close(a, b, tolerance) {
        0.0
    } else if a.is_nan() || b.is_nan() {
        f64::INFINITY
    } else {
        ((a - b).abs() / (1.0 + b.abs())).min(f64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule written out, without `approx`.
    fn by_definition(a: f64, b: f64, tolerance: f64) -> bool {
        if a.is_infinite() || b.is_infinite() {
            a == b
        } else {
            (a - b).abs() <= tolerance * (1.0 + b.abs())
        }
    }

    /// Numbers of every size, and often one of the special ones.
    fn anything() -> impl Strategy<Value = f64> {
        let special = vec![0.0, -0.0, f64::MAX, f64::MIN, f64::INFINITY, -f64::INFINITY, f64::NAN];
        prop_oneof![prop::num::f64::ANY, prop::sample::select(special)]
    }

    fn tolerances() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), (-17.0..3.0).prop_map(|x| 10.0_f64.powf(x)), Just(f64::MAX)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_two_numbers_are_close_by_definition(a in anything(), b in anything(), tolerance in tolerances()) {
            prop_assert_eq!(close(a, b, tolerance), by_definition(a, b, tolerance));
        }

        /// Pairs about as far apart as they may be, down to neighbours of the bound.
        #[test]
        fn pairs_at_the_bound_are_close_by_definition(
            b in prop_oneof![-2.0_f64..2.0, -1e6..1e6, anything()], tolerance in tolerances(),
            share in prop_oneof![Just(1.0), Just(-1.0), 0.999..1.001, -1.001..-0.999, -2.0..2.0],
            ulps in -2_i64..3,
        ) {
            let a = b + share * tolerance * (1.0 + b.abs());
            let a = f64::from_bits(a.to_bits().saturating_add_signed(ulps)); // its neighbours, too
            prop_assert_eq!(close(a, b, tolerance), by_definition(a, b, tolerance));
        }
    }

    /// 1000.5 off, where a thousandth of the one is 1001.0005 and of the other 1000.
    #[test]
    fn a_number_too_large_does_not_widen_its_own_bound() {
        let (a, b, tolerance) = (1_001_000.5, 1e6, 1e-3);
        assert!(a.relative_eq(&b, tolerance, tolerance));
        assert!(!close(a, b, tolerance) && close(b, a, tolerance));
    }
}
