//! Kernel regression of points as people bring them: any units, any order, gaps, duplicates.

use crate::bandwidth::{self, Choice, narrower, sample};
use crate::{Float, Kernel};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::figure::{Chart, Svg, colour};
use workbench::files::{Columns, read_columns};

mod curve;

pub use curve::MANY;
use curve::evaluate;

/// A smooth curve through points.
#[derive(Clone, Debug)]
pub struct Smoothed {
    /// The curve at the x of each point, in the order of the points.
    pub at_points: Vec<f64>,
    /// The curve at evenly spaced x, for drawing.
    pub curve: Vec<(f64, f64)>,
    /// The bandwidth, in the unit of x.
    pub bandwidth: f64,
    /// When leave-one-out chose the bandwidth: how it did.
    pub choice: Option<Evidence>,
}

/// The leave-one-out errors that a bandwidth was chosen by, in the units of the points.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The points that chose: all, or of many a random sample.
    pub points: usize,
    /// The bandwidth that suits these points best. (Of a sample, all points take a narrower one.)
    pub bandwidth: f64,
    /// The root of the mean squared leave-one-out error, in the unit of y.
    pub error: f64,
    /// The points that were held out, one at a time.
    pub held_out: usize,
    /// The bandwidths tried, and the root of their mean squared error.
    pub curve: Vec<(f64, f64)>,
    /// Whether the best bandwidth was the smallest or the largest that was tried.
    pub at_the_edge: bool,
}

/// The points in two columns of a file.
///
/// # Errors
/// When the names are one, the file has not these columns of numbers, or they reach too far.
pub fn read_points(path: &Path, names: [&str; 2]) -> Result<Columns<2>> {
    let [x, y] = names;
    if x == y {
        return Err(Error::argument(format!("--x and --y both name column `{x}`")));
    }
    let columns = read_columns(path, names)?;
    for (name, column) in names.iter().zip(&columns.numbers) {
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(high - low).is_finite() {
            let reason = format!("column `{name}` reaches from {low:e} to {high:e}: too far apart");
            return Err(Error::file(path, reason));
        }
    }
    Ok(columns)
}

/// Only every second, third, … of thousands of points is held out: to choose a bandwidth takes time
/// in proportion to their number times all points.
fn every(points: usize) -> usize {
    points.div_ceil(10_000_000 / points)
}

/// Pieces of the drawn curve.
const CURVE: u32 = 600;

/// How often [`smooth`] calls `step`.
pub fn steps(x: &[f64]) -> u64 {
    let keys = Scale::of(x).shrink(x);
    let (keys, _) = sample(&keys, &keys, MANY);
    (bandwidth::candidates(&keys).len() + bandwidth::REFINEMENTS) as u64
}

/// The kernel regression of y on x, with the given bandwidth or the one that leave-one-out chooses.
///
/// ```
/// use kernel_regression::{Kernel, smoothing::smooth};
/// let smoothed = smooth(&[9.0, 10.0, 13.0], &[14.0, 17.0, 20.0], Kernel::Gaussian, Some(1.0), || ());
/// assert!((smoothed.at_points[1] - 15.90).abs() < 0.01); // 17, drawn towards 14
/// ```
///
/// # Panics
/// When there is not one y for each x, or all x are equal.
pub fn smooth(
    x: &[f64],
    y: &[f64],
    kernel: Kernel,
    bandwidth: Option<f64>,
    step: impl Fn(),
) -> Smoothed {
    assert!(x.len() == y.len(), "{} x and {} y", x.len(), y.len());
    // Kernel regression does not depend on origin and unit of its axes. Single precision does: of a
    // date in seconds it would keep two minutes. So both axes are shifted and scaled.
    let (x_scale, y_scale) = (Scale::of(x), Scale::of(y));
    assert!(x_scale.unit > 0.0, "all x are equal");
    let (keys, values) = (x_scale.shrink(x), y_scale.shrink(y));

    let choice = match bandwidth {
        Some(_) => None,
        None => {
            let (keys, values) = sample(&keys, &values, MANY);
            let candidates = bandwidth::candidates(&keys);
            let every = every(keys.len());
            let choice = bandwidth::choose(&keys, &values, kernel, &candidates, every, step);
            Some((choice, keys.len()))
        }
    };
    let h = match (&choice, bandwidth) {
        (Some((choice, points)), _) => choice.bandwidth * narrower(*points, keys.len()),
        // An f32 must hold it; so narrow a bandwidth means the nearest neighbour anyway.
        (None, given) => (given.unwrap_or_default() / x_scale.unit).max(1e-30) as Float,
    };
    let predict =
        |queries: &[Float]| y_scale.restore(&evaluate(queries, &keys, &values, kernel, h));
    let steps = (0..=CURVE).map(|i| x_scale.unit * (f64::from(i) / f64::from(CURVE)));
    let places: Vec<f64> = steps.map(|step| x_scale.low + step).collect();
    let on_curve = predict(&x_scale.shrink(&places));
    Smoothed {
        at_points: predict(&keys),
        curve: places.into_iter().zip(on_curve).collect(),
        bandwidth: bandwidth.unwrap_or(f64::from(h) * x_scale.unit),
        choice: choice
            .map(|(choice, points)| evidence(&choice, points, x_scale.unit, y_scale.unit)),
    }
}

fn evidence(choice: &Choice, points: usize, x_unit: f64, y_unit: f64) -> Evidence {
    let first_and_last = [choice.curve.first(), choice.curve.last()];
    Evidence {
        points,
        bandwidth: f64::from(choice.bandwidth) * x_unit,
        error: choice.error.sqrt() * y_unit,
        held_out: points.div_ceil(every(points)),
        curve: choice
            .curve
            .iter()
            .map(|(h, error)| (f64::from(*h) * x_unit, error.sqrt() * y_unit))
            .collect(),
        at_the_edge: first_and_last
            .into_iter()
            .flatten()
            .any(|(h, _)| (h / choice.bandwidth).ln().abs() < 1e-2),
    }
}

/// An axis' origin and unit. The origin is the median, around which single precision is finest: an
/// outlier then costs no digits.
struct Scale {
    low: f64,
    origin: f64,
    unit: f64,
}

impl Scale {
    fn of(values: &[f64]) -> Scale {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        Scale { low, origin: sorted[sorted.len() / 2], unit: high - low }
    }

    /// The range becomes 1 wide; equal values become 0.
    fn shrink(&self, values: &[f64]) -> Vec<Float> {
        let unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        values.iter().map(|v| ((v - self.origin) / unit) as Float).collect()
    }

    fn restore(&self, values: &[Float]) -> Vec<f64> {
        values.iter().map(|v| self.origin + f64::from(*v) * self.unit).collect()
    }
}

/// The points with their curve. Of more than 5000 points every second, third, … is drawn.
pub fn figure(x: &[f64], y: &[f64], smoothed: &Smoothed, names: (&str, &str)) -> Svg {
    const DRAWN: usize = 5000;
    let every = x.len().div_ceil(DRAWN).max(1);
    let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).step_by(every).collect();
    let name = match every {
        1 => "data".to_owned(),
        _ => format!("data, 1 point of {every}"),
    };
    Chart::new("", names.0, names.1)
        .points(&name, &points)
        .coloured(colour::GIVEN)
        .line("smoothed", &smoothed.curve)
        .coloured(colour::LEARNT)
        .draw()
}

/// The leave-one-out error against the bandwidth.
pub fn figure_of_choice(evidence: &Evidence, names: (&str, &str)) -> Svg {
    let (x, y) = names;
    Chart::new("", &format!("bandwidth, in {x}"), &format!("leave-one-out error, in {y}"))
        .line("root mean squared error", &evidence.curve)
        .coloured(colour::LEARNT)
        .points("chosen", &[(evidence.bandwidth, evidence.error)])
        .coloured(colour::CHOSEN)
        .log(true, false)
        .draw()
}
