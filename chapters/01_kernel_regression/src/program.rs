//! The fifty points of the page, and its pictures of them.

use crate::bandwidth::{candidates, choose};
use crate::data::{noisy_points, truth};
use crate::{Kernel, average_pooling, mean_squared_error, nadaraya_watson};
use shared::{Float, rng};
use workbench::figure::{Chart, Svg, colour, points};

/// Keys and values.
pub type Points = (Vec<Float>, Vec<Float>);

/// Numbers from `low` to `high` at even distances.
pub fn even(low: Float, high: Float, count: usize) -> Vec<Float> {
    (0..count).map(|i| low + (high - low) * i as Float / (count - 1) as Float).collect()
}

/// 501 queries, and what is true there.
pub fn whole() -> Points {
    let queries = even(0.0, 5.0, 501);
    let truths = queries.iter().map(|x| truth(*x)).collect();
    (queries, truths)
}

/// The points that the page smooths.
pub fn fifty() -> Points {
    noisy_points(50, &mut rng(0))
}

/// The bandwidth that leave-one-out chooses, and its error.
pub fn chosen((x, y): &Points, kernel: Kernel) -> (Float, f64) {
    let choice = choose(x, y, kernel, &candidates(x), 1, || ());
    (choice.bandwidth, choice.error)
}

/// The mean squared distance from the truth.
pub fn error((x, y): &Points, kernel: Kernel, h: Float) -> f64 {
    let (queries, truths) = whole();
    mean_squared_error(&nadaraya_watson(&queries, x, y, kernel, h), &truths)
}

fn over_points() -> (Points, Chart) {
    let fifty = fifty();
    let chart = Chart::new("", "x", "y").points("data", &points(&fifty.0, &fifty.1));
    (fifty, chart.coloured(colour::GIVEN))
}

fn true_line() -> Vec<(f64, f64)> {
    let (queries, truths) = whole();
    points(&queries, &truths)
}

fn curve((x, y): &Points, kernel: Kernel, h: Float) -> Vec<(f64, f64)> {
    let (queries, _) = whole();
    points(&queries, &nadaraya_watson(&queries, x, y, kernel, h))
}

/// Average pooling.
pub fn data() -> Svg {
    let (fifty, chart) = over_points();
    let flat = average_pooling(&fifty.1);
    chart
        .dashed("truth", &true_line())
        .coloured(colour::GIVEN)
        .line("average pooling", &points(&whole().0, &[flat; 501]))
        .coloured(colour::AVERAGE)
        .draw()
}

/// Four kernels.
pub fn kernels() -> Svg {
    let u = even(-2.5, 2.5, 501);
    let mut chart = Chart::new("", "distance from the query, in bandwidths", "weight");
    for kernel in Kernel::ALL {
        let weights: Vec<Float> = u.iter().map(|u| kernel.weight(*u)).collect();
        chart = chart.line(&format!("{kernel:?}"), &points(&u, &weights));
    }
    chart.named_above().draw()
}

/// Each kernel with the bandwidth that suits it.
pub fn fits() -> Svg {
    let (fifty, chart) = over_points();
    let mut chart = chart.dashed("truth", &true_line()).coloured(colour::GIVEN);
    for kernel in Kernel::ALL {
        let (name, colour) = match kernel {
            Kernel::Boxcar => ("Boxcar", colour::LEARNT),
            Kernel::Gaussian => ("the three others", colour::ASIDE),
            _ => ("", colour::ASIDE),
        };
        let (h, _) = chosen(&fifty, kernel);
        chart = chart.line(name, &curve(&fifty, kernel, h)).coloured(colour);
    }
    chart.draw()
}

/// Three bandwidths.
pub fn bandwidths() -> Svg {
    let (fifty, chart) = over_points();
    let (h, _) = chosen(&fifty, Kernel::Gaussian);
    chart
        .line("h = 0.05", &curve(&fifty, Kernel::Gaussian, 0.05))
        .coloured(colour::NARROW)
        .line(&format!("h = {h:.2}"), &curve(&fifty, Kernel::Gaussian, h))
        .coloured(colour::LEARNT)
        .line("h = 2", &curve(&fifty, Kernel::Gaussian, 2.0))
        .coloured(colour::WIDE)
        .named_above()
        .draw()
}
