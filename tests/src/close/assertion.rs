//! The assertion itself: [`assert_close!`](crate::assert_close).

use std::fmt::Arguments;

use super::entries::Entries;
use super::report::difference;

/// Asserts that shapes are equal and every entry is close: |a − b| ≤ tolerance · (1 + |b|), with b
/// the expected entry.
///
/// Takes matrices, views, vectors, slices, arrays and numbers, of `f32` or `f64`; a slice is a
/// column, an array of arrays a matrix by rows. NaN is never close; an infinity only to itself. The
/// failure shows shapes, the worst entry with both values, how many entries differ, and small
/// matrices whole. A format string after the tolerance says what was being compared.
///
/// ```
/// # use tests::assert_close;
/// # use nalgebra::DMatrix;
/// let weights = DMatrix::from_row_slice(2, 2, &[0.25_f32, 0.5, 0.75, 0.5]);
/// assert_close!(weights.row_sum(), [[1.0, 1.0]], 1e-6);
/// assert_close!(weights.column(0), [0.25, 0.75], 1e-6, "column {}", 0);
/// assert_close!(weights.sum(), 2.0, 1e-6);
/// ```
#[macro_export]
macro_rules! assert_close {
    ($actual:expr, $expected:expr, $tolerance:expr $(,)?) => {
        $crate::close::assert_close(&$actual, &$expected, $tolerance, ::core::option::Option::None)
    };
    ($actual:expr, $expected:expr, $tolerance:expr, $($context:tt)+) => {
        $crate::close::assert_close(
            &$actual,
            &$expected,
            $tolerance,
            ::core::option::Option::Some(::core::format_args!($($context)+)),
        )
    };
}

/// The function behind [`assert_close!`](crate::assert_close).
#[track_caller]
pub fn assert_close(
    actual: impl Entries,
    expected: impl Entries,
    tolerance: impl Into<f64>,
    context: Option<Arguments>,
) {
    if let Some(difference) = difference(&actual.to_f64(), &expected.to_f64(), tolerance.into()) {
        match context {
            Some(context) => panic!("{context}: {difference}"),
            None => panic!("{difference}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{DMatrix, DVector, Matrix2};

    use crate::failing::message;

    #[test]
    fn every_kind_of_argument() {
        let m = DMatrix::from_row_slice(2, 2, &[1.0_f32, 2.0, 3.0, 4.0]);
        assert_close!(m, Matrix2::new(1.0_f64, 2.0, 3.0, 4.0), 0.0);
        assert_close!(&m, &&m, 0.0);
        assert_close!(Arc::new(m.clone()), m, 0.0);
        assert_close!(m.column(1), DVector::from_vec(vec![2.0_f64, 4.0]), 0.0);
        assert_close!(m.row(1), m.view((1, 0), (1, 2)), 0.0_f32);
        assert_close!(m.as_slice(), [1.0, 3.0, 2.0, 4.0], 0.0, "column-major, as {}", "always");
        assert_close!(vec![1.0_f32], [1.0], 0.0,);
        assert_close!(m, [[1.0, 2.0], [3.0, 4.0]], 0.0);
        assert_close!(m[(0, 0)], 1.0, 0.0);
        assert_close!(DMatrix::<f32>::zeros(0, 3), DMatrix::<f32>::zeros(0, 3), 0.0);
    }

    #[test]
    fn a_nan_is_worse_than_an_infinity_is_worse_than_a_number() {
        let expected = [0.0_f32; 4];
        let text =
            message(move || assert_close!([9e30, f32::INFINITY, f32::NAN, 0.0], expected, 1e-6));
        assert!(
            text.starts_with(
                "3 of 4 entries differ (4 × 1); worst at row 2, column 0: NaN instead of 0\n"
            ),
            "{text}"
        );
        let text = message(move || assert_close!([9e30, f32::INFINITY, 0.0, 0.0], expected, 1e-6));
        assert!(text.contains("worst at row 1, column 0: inf instead of 0\n"), "{text}");
    }

    #[test]
    fn the_message_shows_what_differs() {
        let actual = [[0.5_f32, 0.25, 100.0], [0.5, 0.625, -1e-7]];
        let expected = [[0.5_f32, 0.25, 200.0], [0.5, 0.75, 0.0]];
        let text = message(move || assert_close!(actual, expected, 1e-6, "case {}", 7));
        let wanted = "case 7: 2 of 6 entries differ (2 × 3); worst at row 0, column 2: 100 instead of 200 (off by 100, allowed 0.000201)
actual
    0.5   0.25    100*
    0.5  0.625* -1e-7
expected
    0.5  0.25  200
    0.5  0.75    0";
        assert_eq!(text, wanted);
        let text = message(|| assert_close!(0.5, 0.75, 1e-6));
        assert_eq!(text, "0.5 instead of 0.75 (off by 0.25, allowed 1.75e-6)");
        let text = message(|| {
            assert_close!(
                DMatrix::<f32>::zeros(7, 2),
                DMatrix::<f32>::from_element(7, 2, 1.0),
                1e-6
            )
        });
        assert_eq!(
            text,
            "14 of 14 entries differ (7 × 2); worst at row 0, column 0: 0 instead of 1 (off by 1, allowed 2e-6)"
        );
    }

    #[test]
    fn shapes_come_first_and_transposes_are_recognised() {
        let m = DMatrix::from_row_slice(2, 3, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let text = message({
            let m = m.clone();
            move || assert_close!(m.transpose(), m, 1e-6)
        });
        assert!(text.starts_with("shapes differ: actual is 3 × 2, expected is 2 × 3; actual is the transpose of expected\n"), "{text}");
        let text = message({
            let m = m.clone();
            move || assert_close!(m.transpose() * 2.0, m, 1e-6)
        });
        assert!(text.contains("rows and columns are swapped"), "{text}");
        let text = message(|| assert_close!([[1.0; 2]; 3], [[1.0; 3]; 2], 1e-6));
        assert!(text.contains("actual is the transpose of expected"), "{text}");
        let text = message(|| assert_close!([1.0, 2.0], [1.0], 1e-6));
        assert!(text.starts_with("shapes differ: actual is 2 × 1, expected is 1 × 1\n"), "{text}");
        let text = message(|| assert_close!(DMatrix::<f32>::zeros(0, 2), [1.0], 1e-6));
        assert!(text.contains("\nactual is empty\nexpected\n    1"), "{text}");
        let text =
            message(|| assert_close!([[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]], 1e-6));
        assert!(text.contains("\nactual is the transpose of expected\n"), "{text}");
    }
}
