//! What a failed comparison says.

use std::fmt::Write;

use nalgebra::DMatrix;

use super::rule::{all_close, allowed, badness, close};

/// `None` when close; else the explanation, many lines without a final line break.
pub(super) fn difference(
    actual: &DMatrix<f64>,
    expected: &DMatrix<f64>,
    tolerance: f64,
) -> Option<String> {
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
        let marked = rendered(actual, |row, column| {
            same_shape && !close(actual[(row, column)], expected[(row, column)], tolerance)
        });
        let _ = write!(text, "\nactual{marked}");
        let _ = write!(text, "\nexpected{}", rendered(expected, |_, _| false));
    }
    Some(text)
}

/// `0.5 instead of 0.25 (off by 0.25, allowed 1.25e-6)`
fn instead(a: f64, b: f64, tolerance: f64) -> String {
    let (off, allowed) = ((a - b).abs(), allowed(b, tolerance));
    let text = format!("{} instead of {}", number(a, 9), number(b, 9));
    if off.is_finite() {
        format!("{text} (off by {}, allowed {})", number(off, 3), number(allowed, 3))
    } else {
        text
    }
}

pub(super) fn small(matrix: &DMatrix<f64>) -> bool {
    matrix.nrows() <= 6 && matrix.ncols() <= 6
}

/// One indented line a row, columns aligned; a star follows an entry that differs.
pub(super) fn rendered(matrix: &DMatrix<f64>, differs: impl Fn(usize, usize) -> bool) -> String {
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
pub(super) fn number(value: f64, digits: usize) -> String {
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
    use super::number;

    #[test]
    fn numbers_are_short() {
        let small = [0.0, 1.0, -0.5, 123456.0, 1234567.0, 0.000123456789, 0.0000123456789, 1e-30];
        let shown = small.into_iter().chain([2.0 / 3.0, f64::NAN, -f64::INFINITY]);
        let text: Vec<String> = shown.map(|x| number(x, 6)).collect();
        let wanted = "0 1 -0.5 123456 1.23457e6 0.000123457 1.23457e-5 1e-30 0.666667 NaN -inf";
        assert_eq!(text.join(" "), wanted);
    }
}
