//! Approximate equality that explains itself.
//!
//! Two entries a (actual) and b (expected) are close when |a − b| ≤ tolerance · (1 + |b|): absolute
//! for small numbers, relative for large ones. NaN is close to nothing, an infinity only to itself.
//! Shapes are compared first: `approx` answers `false` on different shapes and says nothing, which
//! is how a transposed result hides.

use std::fmt::{Arguments, Write};
use std::sync::Arc;

use nalgebra::{DMatrix, Dim, Matrix, RawStorage, Scalar};

/// A floating-point number, `f32` or `f64`.
pub trait Real: Scalar + Copy + Into<f64> {
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
}

impl Real for f32 {
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }
}

/// Whatever has rows, columns and entries: matrices and their views, and with them vectors, slices
/// and arrays (n × 1), arrays of rows (`[[1.0, 2.0], [3.0, 4.0]]`), numbers (1 × 1), references and
/// `Arc`s to all of these.
pub trait Entries {
    /// (rows, columns)
    fn shape(&self) -> (usize, usize);

    /// The entry, exact in `f64`.
    fn entry(&self, row: usize, column: usize) -> f64;

    /// A copy in double precision.
    fn to_f64(&self) -> DMatrix<f64> {
        let (rows, columns) = self.shape();
        DMatrix::from_fn(rows, columns, |row, column| self.entry(row, column))
    }
}

impl<T: Real, R: Dim, C: Dim, S: RawStorage<T, R, C>> Entries for Matrix<T, R, C, S> {
    fn shape(&self) -> (usize, usize) {
        self.shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        self[(row, column)].into()
    }
}

impl<T: Real> Entries for [T] {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl<T: Real, const N: usize> Entries for [T; N] {
    fn shape(&self) -> (usize, usize) {
        (N, 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl<T: Real, const R: usize, const C: usize> Entries for [[T; C]; R] {
    fn shape(&self) -> (usize, usize) {
        (R, C)
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        self[row][column].into()
    }
}

impl<T: Real> Entries for Vec<T> {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl Entries for f32 {
    fn shape(&self) -> (usize, usize) {
        (1, 1)
    }
    fn entry(&self, _row: usize, _column: usize) -> f64 {
        f64::from(*self)
    }
}

impl Entries for f64 {
    fn shape(&self) -> (usize, usize) {
        (1, 1)
    }
    fn entry(&self, _row: usize, _column: usize) -> f64 {
        *self
    }
}

impl<E: Entries + ?Sized> Entries for &E {
    fn shape(&self) -> (usize, usize) {
        (**self).shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        (**self).entry(row, column)
    }
}

impl<E: Entries + ?Sized> Entries for Arc<E> {
    fn shape(&self) -> (usize, usize) {
        (**self).shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        (**self).entry(row, column)
    }
}

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

/// Begins the comparison of an attempt with what it should be, under the rule of
/// [`assert_close!`](crate::assert_close). Nothing is checked before [`check`](Expectation::check).
///
/// ```should_panic
/// # use tests::expect;
/// # fn softmax(_: [[f32; 2]; 2]) -> [[f32; 2]; 2] { [[0.5, 0.5], [0.25, 0.75]] }
/// let scores = [[0.0, 0.0], [0.0, 3.0_f32.ln()]];
/// expect(softmax(scores), [[0.5, 0.25], [0.5, 0.75]], 1e-6)
///     .of("softmax(scores)")
///     .given("scores", scores)
///     .or_hint([[0.5, 0.5], [0.25, 0.75]], "these are softmaxes over rows: a column is a query, so each column must sum to 1")
///     .check();
/// ```
pub fn expect(
    actual: impl Entries,
    expected: impl Entries,
    tolerance: impl Into<f64>,
) -> Expectation {
    Expectation {
        actual: actual.to_f64(),
        expected: expected.to_f64(),
        tolerance: tolerance.into(),
        call: None,
        inputs: Vec::new(),
        hint: None,
    }
}

/// An attempt's value beside the expected one, see [`expect`].
#[must_use = "nothing is compared before `check()`"]
pub struct Expectation {
    actual: DMatrix<f64>,
    expected: DMatrix<f64>,
    tolerance: f64,
    call: Option<String>,
    inputs: Vec<(String, DMatrix<f64>)>,
    hint: Option<String>,
}

impl Expectation {
    /// What was called, for the message: `softmax(scores)`.
    pub fn of(mut self, call: impl Into<String>) -> Self {
        self.call = Some(call.into());
        self
    }

    /// An input of the call. The message shows it when it is small, and else its shape.
    pub fn given(mut self, name: impl Into<String>, value: impl Entries) -> Self {
        self.inputs.push((name.into(), value.to_f64()));
        self
    }

    /// A typical wrong answer and what to say when the attempt gave it; the first that fits is
    /// told. A wrong answer that is close to the right one cannot be told apart from it and panics:
    /// choose a better input.
    #[track_caller]
    pub fn or_hint(mut self, wrong: impl Entries, hint: impl Into<String>) -> Self {
        let (wrong, hint) = (wrong.to_f64(), hint.into());
        assert!(
            difference(&wrong, &self.expected, self.tolerance).is_some(),
            "this input cannot tell the wrong answer from the right one: {hint}"
        );
        if self.hint.is_none() && difference(&self.actual, &wrong, self.tolerance).is_none() {
            self.hint = Some(hint);
        }
        self
    }

    /// Panics with everything known when the attempt is not close to the expected value.
    #[track_caller]
    pub fn check(self) {
        let Some(difference) = difference(&self.actual, &self.expected, self.tolerance) else {
            return;
        };
        let mut message = match self.call {
            Some(call) => format!("{call}: {difference}"),
            None => difference,
        };
        for (name, value) in &self.inputs {
            let (rows, columns) = value.shape();
            let _ = match value.shape() {
                (1, 1) => write!(message, "\ngiven {name} = {}", number(value[0], 6)),
                _ if small(value) => {
                    write!(message, "\ngiven {name}{}", rendered(value, |_, _| false))
                }
                _ => write!(message, "\ngiven {name}, {rows} × {columns}"),
            };
        }
        if let Some(hint) = &self.hint {
            let _ = write!(message, "\nhint: {hint}");
        }
        panic!("{message}");
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    // Infinities first: |∞ − b| ≤ ε(1 + ∞) would hold for every b.
    if a.is_infinite() || b.is_infinite() {
        a == b
    } else {
        (a - b).abs() <= tolerance * (1.0 + b.abs())
    }
}

fn all_close(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> bool {
    a.shape() == b.shape() && a.iter().zip(b).all(|(&a, &b)| close(a, b, tolerance))
}

/// 0 when close; else how far off, more for an infinity where none belongs, and most for NaN.
fn badness(a: f64, b: f64, tolerance: f64) -> f64 {
    if close(a, b, tolerance) {
        0.0
    } else if a.is_nan() || b.is_nan() {
        f64::INFINITY
    } else {
        ((a - b).abs() / (1.0 + b.abs())).min(f64::MAX)
    }
}

/// `None` when close; else the explanation, many lines without a final line break.
fn difference(actual: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) -> Option<String> {
    assert!(
        tolerance >= 0.0 && tolerance.is_finite(),
        "a tolerance of {tolerance} compares nothing"
    );
    if all_close(actual, expected, tolerance) {
        return None;
    }
    let (rows, columns) = expected.shape();
    let transposed = all_close(&actual.transpose(), expected, tolerance);
    let mut text = String::new();

    if actual.shape() != expected.shape() {
        let _ = write!(
            text,
            "shapes differ: actual is {} × {}, expected is {rows} × {columns}",
            actual.nrows(),
            actual.ncols()
        );
        if transposed {
            text += "; actual is the transpose of expected";
        } else if actual.shape() == (columns, rows) {
            text += "; rows and columns are swapped, and the transpose has other entries, too";
        }
    } else if expected.shape() == (1, 1) {
        return Some(instead(actual[0], expected[0], tolerance));
    } else {
        let badness: Vec<f64> =
            actual.iter().zip(expected).map(|(&a, &b)| badness(a, b, tolerance)).collect();
        let wrong = badness.iter().filter(|&&badness| badness > 0.0).count();
        let worst = (0..badness.len()).fold(0, |w, i| if badness[i] > badness[w] { i } else { w });
        let (total, row, column) = (actual.len(), worst % rows, worst / rows);
        let _ = write!(text, "{wrong} of {total} entries differ ({rows} × {columns}); ");
        let values = instead(actual[worst], expected[worst], tolerance);
        let _ = write!(text, "worst at row {row}, column {column}: {values}");
        if transposed {
            text += "\nactual is the transpose of expected";
        }
    }
    if small(actual) && small(expected) {
        let same_shape = actual.shape() == expected.shape();
        let differs = |row, column| {
            same_shape && !close(actual[(row, column)], expected[(row, column)], tolerance)
        };
        let _ = write!(text, "\nactual{}", rendered(actual, differs));
        let _ = write!(text, "\nexpected{}", rendered(expected, |_, _| false));
    }
    Some(text)
}

/// `0.5 instead of 0.25 (off by 0.25, allowed 1.25e-6)`
fn instead(a: f64, b: f64, tolerance: f64) -> String {
    let (off, allowed) = ((a - b).abs(), tolerance * (1.0 + b.abs()));
    let text = format!("{} instead of {}", number(a, 9), number(b, 9));
    if off.is_finite() {
        format!("{text} (off by {}, allowed {})", number(off, 3), number(allowed, 3))
    } else {
        text
    }
}

fn small(matrix: &DMatrix<f64>) -> bool {
    matrix.nrows() <= 6 && matrix.ncols() <= 6
}

/// One indented line a row, columns aligned; a star follows an entry that differs.
fn rendered(matrix: &DMatrix<f64>, differs: impl Fn(usize, usize) -> bool) -> String {
    let cell = |row, column| {
        format!(
            "{}{}",
            number(matrix[(row, column)], 5),
            if differs(row, column) { "*" } else { " " }
        )
    };
    let width = |column| (0..matrix.nrows()).map(|row| cell(row, column).len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..matrix.nrows() {
        let cells: Vec<String> = (0..matrix.ncols())
            .map(|column| format!("{:>1$}", cell(row, column), width(column)))
            .collect();
        let _ = write!(text, "\n    {}", cells.join(" ").trim_end());
    }
    if matrix.is_empty() { " is empty".into() } else { text }
}

/// A number in at most so many significant digits, without trailing zeros, as C's `%g` prints it.
fn number(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').expect("LowerExp writes an e");
    let exponent: i32 = exponent.parse().expect("and an integer after it");
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text.to_string()
        }
    };
    if (-4..digits as i32).contains(&exponent) {
        trim(&format!("{value:.*}", (digits as i32 - 1 - exponent) as usize))
    } else {
        format!("{}e{exponent}", trim(mantissa))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use nalgebra::{DVector, Matrix2};

    use super::*;

    /// The message with which the closure panics.
    fn message(failing: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = catch_unwind(failing).expect_err("this must fail");
        *payload.downcast::<String>().expect("a formatted message")
    }

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
    fn the_tolerance_is_absolute_for_small_and_relative_for_large_numbers() {
        assert_close!(0.0, 0.99e-3, 1e-3);
        assert_close!(1000.0, 1001.0, 1e-3); // 1 ≤ 1e-3 · 1002
        assert!(catch_unwind(|| assert_close!(0.0, 1.1e-3, 1e-3)).is_err());
        assert!(catch_unwind(|| assert_close!(1000.0, 1001.1, 1e-3)).is_err());
        assert!(catch_unwind(|| assert_close!(1.0, 1.0, f64::NAN)).is_err());
        assert!(catch_unwind(|| assert_close!(1.0, 2.0, f64::INFINITY)).is_err());
    }

    #[test]
    fn nan_and_infinities() {
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        assert_close!([inf, -inf], [inf, -inf], 1e-6);
        for (a, b) in [
            (nan, nan),
            (nan, 0.0),
            (0.0, nan),
            (inf, -inf),
            (-inf, inf),
            (inf, 1.0),
            (1.0, inf),
            (inf, nan),
        ] {
            assert!(
                catch_unwind(|| assert_close!([1.0, a], [1.0, b], 1e-6)).is_err(),
                "{a} passed for {b}"
            );
            assert!(catch_unwind(|| assert_close!(a, b, 1e-6)).is_err(), "{a} passed for {b}");
        }
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

    #[test]
    fn an_expectation_tells_call_input_and_hint() {
        expect([1.0], [1.0], 1e-6).or_hint([2.0], "unused").check();
        let text = message(|| {
            expect([1.0, 2.0], [2.0, 4.0], 1e-6)
                .of("doubled(x)")
                .given("x", [1.0, 2.0])
                .given("times", 2.0)
                .given("long", vec![0.0; 9])
                .or_hint([0.0, 0.0], "that is nothing")
                .or_hint([1.0, 2.0], "that is the input")
                .or_hint([1.0, 2.0], "never reached")
                .check();
        });
        assert!(text.starts_with("doubled(x): 2 of 2 entries differ (2 × 1); worst at row 1, column 0: 2 instead of 4"), "{text}");
        assert!(text.ends_with("\ngiven x\n    1\n    2\ngiven times = 2\ngiven long, 9 × 1\nhint: that is the input"), "{text}");
        let text = message(|| expect(1.0, 2.0, 1e-6).or_hint(3.0, "no").check());
        assert!(!text.contains("hint"), "{text}");
        let text = message(|| expect(1.0, 2.0, 1e-6).or_hint(2.0, "equal").check());
        assert!(text.contains("cannot tell the wrong answer from the right one: equal"), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        let shown = [
            0.0,
            1.0,
            -0.5,
            123456.0,
            1234567.0,
            0.000123456789,
            0.0000123456789,
            1e-30,
            2.0 / 3.0,
            f64::NAN,
            -f64::INFINITY,
        ];
        let text: Vec<String> = shown.iter().map(|&x| number(x, 6)).collect();
        let wanted = [
            "0",
            "1",
            "-0.5",
            "123456",
            "1.23457e6",
            "0.000123457",
            "1.23457e-5",
            "1e-30",
            "0.666667",
            "NaN",
            "-inf",
        ];
        assert_eq!(text, wanted);
    }
}
