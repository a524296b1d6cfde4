//! The width of the reader's own points: any units, any order, gaps, duplicates.

use crate::{Sees, Step, error_of, learn};
use rand::seq::index::sample;
use rayon::prelude::*;
use shared::{Float, Rng};
use workbench::figure::{Chart, Svg, colour};

/// What the points taught, in their own units.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The width, per unit of x.
    pub w: f64,
    /// The root of the mean squared leave-one-out error, in the unit of y.
    pub error: f64,
    /// The share of the variance of y that the others' predictions explain; negative when the mean
    /// of y predicts better.
    pub explained: f64,
    /// The points that were predicted from all others: all, or as many as fit into the time.
    pub predicted: usize,
    /// Where the descent began, and where each step led: widths and errors.
    pub path: Vec<(f64, f64)>,
    /// The error for many widths: the curve that was descended.
    pub landscape: Vec<(f64, f64)>,
}

/// The starts of the descents: windows of a half, a tenth … of the spread of x. The error may have
/// several valleys.
const WINDOWS: [Float; 4] = [0.5, 0.1, 0.02, 0.004];
/// Widths of the drawn landscape.
const DRAWN: usize = 40;
/// Pairs of points that one evaluation may look at …
const PAIRS: usize = 12_000_000;
/// … but no fewer points than these are predicted: fewer would say too little of the error.
const LEAST: usize = 500;

/// About how often [`learn_width`] calls `step`: how long a descent takes, nobody knows before.
pub const STEPS: u64 = (DRAWN + 15 * WINDOWS.len()) as u64;

/// Learns the width from the points, by descent in ln w on ln L from several starts. `step` is
/// called after each evaluation of the loss.
///
/// ```
/// // A step: whoever is asked at 4.9 should not listen to those beyond 5.
/// let x: Vec<f64> = (0..40).map(f64::from).collect();
/// let y: Vec<f64> = x.iter().map(|x| if *x < 20.0 { 0.0 } else { 1.0 }).collect();
/// let learnt = parametric_attention::reader::learn_width(&x, &y, &mut shared::rng(0), || ());
/// assert!(learnt.w > 0.5 && learnt.explained > 0.9);
/// ```
///
/// # Panics
/// When there are fewer than three points, or all x or all y are equal.
pub fn learn_width(x: &[f64], y: &[f64], rng: &mut Rng, step: impl Fn()) -> Learnt {
    assert!(x.len() == y.len() && x.len() > 2, "{} x and {} y", x.len(), y.len());
    let ((keys, x_unit), (values, y_unit)) = (scaled(x), scaled(y));
    assert!(x_unit > 0.0 && y_unit > 0.0, "all x or all y are equal");
    let count = (PAIRS / x.len()).max(LEAST).min(x.len());
    let mut predicted = sample(rng, x.len(), count).into_vec();
    predicted.sort_unstable();

    let loss = |w: Float| {
        // In parallel, but added up in order: the sum does not depend on threads.
        let parts = predicted.par_iter().map(|j| {
            let (error, slope) = error_of(*j, &keys, &values, w, Sees::Others);
            (error * error, 2.0 * error * slope)
        });
        let parts: Vec<(Float, Float)> = parts.collect();
        step();
        let sum = |part: fn(&(Float, Float)) -> Float| {
            (parts.iter().map(|p| f64::from(part(p))).sum::<f64>() / count as f64) as Float
        };
        (sum(|p| p.0), sum(|p| p.1))
    };
    let spread = spread(&keys);
    let descents = WINDOWS.map(|window| learn(1.0 / (window * spread), loss));
    let end = |path: &Vec<Step>| path[path.len() - 1];
    let path = descents
        .into_iter()
        .min_by(|a, b| end(a).loss.total_cmp(&end(b).loss))
        .expect("there are several starts");
    let best = end(&path);

    let widest = (1.0 / (WINDOWS[0] * spread)).min(best.w / 4.0);
    let narrowest = (1.0 / (WINDOWS[WINDOWS.len() - 1] * spread)).max(4.0 * best.w);
    let widths =
        (0..DRAWN).map(|i| widest * (narrowest / widest).powf(i as Float / (DRAWN - 1) as Float));
    let own = |w: Float, loss: Float| (f64::from(w) / x_unit, f64::from(loss).sqrt() * y_unit);
    let mean = values.iter().map(|y| f64::from(*y)).sum::<f64>() / values.len() as f64;
    let variance = predicted.iter().map(|j| (f64::from(values[*j]) - mean).powi(2)).sum::<f64>()
        / count as f64;
    Learnt {
        w: own(best.w, best.loss).0,
        error: own(best.w, best.loss).1,
        explained: 1.0 - f64::from(best.loss) / variance,
        predicted: count,
        path: path.iter().map(|step| own(step.w, step.loss)).collect(),
        landscape: widths.map(|w| own(w, loss(w).0)).collect(),
    }
}

/// Values from their median, in units of their range, and the range: single precision would keep
/// two minutes of a date in seconds.
fn scaled(values: &[f64]) -> (Vec<Float>, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (origin, range) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1] - sorted[0]);
    let unit = if range > 0.0 { range } else { 1.0 };
    (values.iter().map(|v| ((v - origin) / unit) as Float).collect(), range)
}

/// The distance between the 5 % and the 95 % quantile, stretched to the range that evenly spread
/// points would have, so that an outlier does not blow it up. The whole range, 1, when most points
/// share an x.
fn spread(keys: &[Float]) -> Float {
    let mut sorted = keys.to_vec();
    sorted.sort_by(Float::total_cmp);
    let last = sorted.len() - 1;
    let middle = (sorted[last - last / 20] - sorted[last / 20]) / 0.9;
    if middle > 0.0 { middle.min(1.0) } else { 1.0 }
}

/// The error against the width, and the way down.
pub fn draw_landscape(learnt: &Learnt, (x, y): (&str, &str)) -> Svg {
    Chart::new("", &format!("width w, per unit of {x}"), &format!("leave-one-out error, in {y}"))
        .line("root mean squared error", &learnt.landscape)
        .coloured(colour::LEARNT)
        .points("the descent", &learnt.path)
        .coloured(colour::CHOSEN)
        .log(true, false)
        .draw()
}
