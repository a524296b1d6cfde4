//! The comparison of an attempt: with its input, and noted when it fails.

use std::cell::{Cell, RefCell};
use std::fmt::Write;

use nalgebra::DMatrix;

use super::entries::Entries;
use super::report::{difference, number, rendered, small};
use super::rule::close;

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

/// A comparison that failed. Two answers that fail at the same one with the same value make the same mistake.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// Which comparison of its check it is.
    ordinal: usize,
    call: Option<String>,
    actual: DMatrix<f64>,
    tolerance: f64,
}

thread_local! {
    /// How many comparisons the check has made so far.
    static COMPARISONS: Cell<usize> = const { Cell::new(0) };
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

impl Failure {
    /// The failure of the check that has ended on this thread; the next counts from the beginning.
    pub fn of_last_check() -> Option<Failure> {
        COMPARISONS.set(0);
        FAILURE.take()
    }

    /// NaN equals NaN here, and an infinity its like.
    pub fn is_like(&self, other: &Failure) -> bool {
        let mut pairs = self.actual.iter().zip(&other.actual);
        (self.ordinal, &self.call) == (other.ordinal, &other.call)
            && self.actual.shape() == other.actual.shape()
            && pairs.all(|(&a, &b)| a.is_nan() && b.is_nan() || close(a, b, self.tolerance))
    }
}

impl Expectation {
    /// Names the call, for the message: `softmax(scores)`.
    pub fn of(mut self, call: impl Into<String>) -> Self {
        self.call = Some(call.into());
        self
    }

    /// An input of the call. The message shows it when it is small, and else its shape.
    pub fn given(mut self, name: impl Into<String>, value: impl Entries) -> Self {
        self.inputs.push((name.into(), value.to_f64()));
        self
    }

    /// Says what is hard about this input: read by whoever fails here without one of the catalogue's mistakes.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|hint| !hint.is_empty());
        self
    }

    /// Panics with everything known – what differs, then the numbers – when the attempt is not close to the expected value.
    #[track_caller]
    pub fn check(self) {
        let ordinal = COMPARISONS.replace(COMPARISONS.get() + 1);
        let Some(difference) = difference(&self.actual, &self.expected, self.tolerance) else {
            return;
        };
        let mut message = match &self.call {
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
        let Expectation { call, actual, tolerance, .. } = self;
        FAILURE.set(Some(Failure { ordinal, call, actual, tolerance }));
        panic!("{message}");
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, expect};
    use crate::failing::message;

    #[test]
    fn an_expectation_tells_call_and_input() {
        expect([1.0], [1.0], 1e-6).check();
        let text = message(|| {
            expect([1.0, 2.0], [2.0, 4.0], 1e-6)
                .of("doubled(x)")
                .given("x", [1.0, 2.0])
                .given("times", 2.0)
                .given("long", vec![0.0; 9])
                .check();
        });
        assert!(text.starts_with("doubled(x): 2 of 2 entries differ (2 × 1); worst at row 1, column 0: 2 instead of 4 (off by 2, allowed 5e-6)\nactual"), "{text}");
        assert!(
            text.ends_with("\ngiven x\n    1\n    2\ngiven times = 2\ngiven long, 9 × 1"),
            "{text}"
        );
    }

    /// The failure of a check that compares each of these with 1, and calls it so.
    fn failure(calls: &[(&'static str, [f64; 2])]) -> Failure {
        let calls = calls.to_vec();
        message(move || calls.iter().for_each(|(f, x)| expect(x, [1.0; 2], 1e-3).of(*f).check()));
        Failure::of_last_check().expect("a comparison that failed")
    }

    #[test]
    fn a_failure_is_known_by_place_call_and_value() {
        let one = failure(&[("f", [1.0; 2]), ("f", [f64::NAN, f64::INFINITY])]);
        let like = |calls| one.is_like(&failure(calls));
        assert!(like(&[("f", [1.0; 2]), ("f", [f64::NAN, f64::INFINITY])]));
        assert!(!like(&[("f", [1.0; 2]), ("f", [f64::NAN, -f64::INFINITY])]));
        assert!(!like(&[("f", [1.0; 2]), ("g", [f64::NAN, f64::INFINITY])]));
        assert!(!like(&[("f", [f64::NAN, f64::INFINITY])]));
        assert!(failure(&[("f", [2.0, 3.0])]).is_like(&failure(&[("f", [2.001, 3.0])])));
        assert!(!failure(&[("f", [2.0, 3.0])]).is_like(&failure(&[("f", [2.01, 3.0])])));
    }
}
