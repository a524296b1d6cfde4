//! The comparison of an attempt: with its input, and with hints.

use std::fmt::Write;

use nalgebra::DMatrix;

use super::entries::Entries;
use super::report::{difference, number, rendered, small};

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

    /// Panics with everything known – what differs, the hint, then the numbers – when the attempt is not close to the expected value.
    #[track_caller]
    pub fn check(self) {
        let Some(difference) = difference(&self.actual, &self.expected, self.tolerance) else {
            return;
        };
        let mut message = match self.call {
            Some(call) => format!("{call}: {difference}"),
            None => difference,
        };
        if let Some(hint) = &self.hint {
            let first = message.find('\n').unwrap_or(message.len());
            message.insert_str(first, &format!("\nhint: {hint}"));
        }
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
        panic!("{message}");
    }
}

#[cfg(test)]
mod tests {
    use super::expect;
    use crate::failing::message;

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
        assert!(text.starts_with("doubled(x): 2 of 2 entries differ (2 × 1); worst at row 1, column 0: 2 instead of 4 (off by 2, allowed 5e-6)\nhint: that is the input\nactual"), "{text}");
        assert!(
            text.ends_with("\ngiven x\n    1\n    2\ngiven times = 2\ngiven long, 9 × 1"),
            "{text}"
        );
        let text = message(|| expect(1.0, 2.0, 1e-6).or_hint(3.0, "no").check());
        assert!(!text.contains("hint"), "{text}");
        let text = message(|| expect(1.0, 2.0, 1e-6).or_hint(2.0, "equal").check());
        assert!(text.contains("cannot tell the wrong answer from the right one: equal"), "{text}");
    }
}
