//! Chapter 1: kernels and bandwidths on fifty points, and how the error falls as points are added.

use crate::comparison::{Comparison, Numbers};
use kernel_regression::bandwidth::{candidates, leave_one_out_error};
use kernel_regression::data::noisy_points;
use kernel_regression::program::{self, Points, chosen, error, even, fifty, whole};
use kernel_regression::theory::Theory;
use kernel_regression::{
    Kernel, Matrix, attention_weights, average_pooling, mean_squared_error, nadaraya_watson,
    quotient, streaming,
};
use rand_distr::{Distribution, Normal, Uniform};
use serde_json::{Value, json};
use shared::{Float, Rng, rng};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::figure::{Chart, Heatmap, Svg, colour};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "points",
    about: "Kernels and bandwidths on fifty points; how the error falls as points are added",
    record: "01_kernel_regression/figures/results.json",
    claims: &[],
    figures: &[
        ("data", |_| program::data()),
        ("kernels", |_| program::kernels()),
        ("fits", |_| program::fits()),
        ("bandwidths", |_| program::bandwidths()),
        ("leave_one_out", leave_one_out),
        ("weights", weights),
        ("consistency", consistency),
        ("lookup", lookup),
    ],
    run: |this, arguments| this.record_once(arguments, "fifty points", found),
}];

// ---- numbers -------------------------------------------------------------------------------------

fn found() -> BTreeMap<String, Value> {
    let slow = [("consistency", more_points()), ("measured", timed())];
    quick().into_iter().chain(slow.map(|(name, value)| (name.to_owned(), value))).collect()
}

/// All that is the same on every day and takes no more than a second.
pub fn quick() -> BTreeMap<String, Value> {
    let points = fifty();
    let kernels = Kernel::ALL.map(|kernel| {
        let (bandwidth, leave_one_out) = chosen(&points, kernel);
        let error = error(&points, kernel, bandwidth);
        let fit = json!({"bandwidth": bandwidth, "leave_one_out": leave_one_out, "error": error});
        (kernel.name(), fit)
    });
    let (value, (_, truths)) = (average_pooling(&points.1), whole());
    let flat = mean_squared_error(&vec![value; truths.len()], &truths);
    [
        ("thermometer", thermometer()),
        ("average_pooling", json!({"value": value, "error": flat})),
        ("kernels", json!(BTreeMap::from(kernels))),
        ("bandwidths", tried(&points)),
        ("underflow", json!([0.1, 0.01, 0.001, 0.0001].map(|h| underflow(&points, h)))),
        ("weights", concentration(&points)),
        ("lookup", json!([0.002, 0.01, 0.05].map(memory))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn thermometer() -> Value {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let kernel = hours.map(|hour: Float| Kernel::Gaussian.weight(10.5 - hour));
    let weights = attention_weights(&[10.5], &hours, Kernel::Gaussian, 1.0);
    let answer = nadaraya_watson(&[10.5], &hours, &degrees, Kernel::Gaussian, 1.0)[0];
    let sum: Float = kernel.iter().sum();
    json!({"kernel": kernel, "sum": sum, "weights": weights.as_slice(), "degrees": answer})
}

/// Bandwidths that nobody should choose, the best, and what is chosen on sets drawn anew.
fn tried(points: &Points) -> Value {
    let (x, y) = points;
    let gaussian = |h| json!({"bandwidth": h, "error": error(points, Kernel::Gaussian, h)});
    let best = |points: &Points| {
        let errors = candidates(&points.0).into_iter();
        let errors = errors.map(|h| (h, error(points, Kernel::Gaussian, h)));
        errors.min_by(|a, b| a.1.total_cmp(&b.1)).expect("bandwidths")
    };
    let narrowest = candidates(x)[0];
    let itself = mean_squared_error(&nadaraya_watson(x, x, y, Kernel::Gaussian, narrowest), y);
    let rng = &mut rng(0);
    let anew = |_| {
        let points = noisy_points(50, rng);
        let (h, _) = chosen(&points, Kernel::Gaussian);
        (h, error(&points, Kernel::Gaussian, h), best(&points).1)
    };
    let anew: Vec<(Float, f64, f64)> = (0..100).map(anew).collect();
    let drawn_anew = json!({
        "sets": anew.len(),
        "smallest": anew.iter().map(|one| one.0).fold(Float::INFINITY, Float::min),
        "largest": anew.iter().map(|one| one.0).fold(0.0, Float::max),
        "error": anew.iter().map(|one| one.1).sum::<f64>() / anew.len() as f64,
        "error_of_best": anew.iter().map(|one| one.2).sum::<f64>() / anew.len() as f64,
    });
    json!({
        "narrow": gaussian(0.05), "wide": gaussian(2.0), "best": gaussian(best(points).0),
        "seeing_itself": itself, "drawn_anew": drawn_anew,
    })
}

/// Where the quotient of sums ends: shares of 1001 queries, and how far the softmax's prediction is from
/// the nearest neighbour's value.
fn underflow((x, y): &Points, h: Float) -> Value {
    let queries = even(0.0, 5.0, 1001);
    let nearest = nadaraya_watson(&queries, x, y, Kernel::Boxcar, 0.0);
    let softmax = nadaraya_watson(&queries, x, y, Kernel::Gaussian, h);
    let share = |predictions: &[Float]| {
        predictions.iter().filter(|p| p.is_nan()).count() as f64 / queries.len() as f64
    };
    let distances = softmax.iter().zip(&nearest).map(|(a, b)| f64::from((a - b).abs()));
    json!({
        "quotient_nan": share(&quotient(&queries, x, y, Kernel::Gaussian, h)),
        "softmax_nan": share(&softmax),
        "from_nearest": distances.fold(0.0, f64::max),
    })
}

fn of_queries(points: &Points) -> (Vec<Float>, Matrix) {
    let (h, _) = chosen(points, Kernel::Gaussian);
    let queries = even(0.0, 4.9, 50);
    let weights = attention_weights(&queries, &points.0, Kernel::Gaussian, h); // (m, n)
    (queries, weights)
}

/// How many keys a query attends to: 1/Σα² would be k for k equal weights; here with the mean of Σα² over
/// the queries.
fn concentration(points: &Points) -> Value {
    let (queries, weights) = of_queries(points);
    let squares = weights.iter().map(|a| f64::from(a * a)).sum::<f64>();
    json!({"largest": weights.max(), "keys_attended": queries.len() as f64 / squares})
}

/// A mean and its standard error.
type Measured = (f64, f64);

const SIZES: [usize; 7] = [100, 316, 1000, 3162, 10_000, 31_623, 100_000];

/// How the error falls as points are added, with the bandwidth that theory finds best inside.
fn more_points() -> Value {
    let theory = Theory::new();
    let (queries, truths) = whole();
    let measured = SIZES.map(|n| {
        let (h, sets) = (theory.bandwidth(n) as Float, (1_000_000 / n).clamp(20, 400));
        let mut rng = rng(0);
        rng.set_stream(n as u64); // every size has its own numbers
        let errors = (0..sets).map(|_| {
            let (x, y) = noisy_points(n, &mut rng);
            let found = streaming::smooth(&queries, &x, &y, h);
            let inside = mean_squared_error(&found[100..=400], &truths[100..=400]); // 1 ≤ x ≤ 4
            [inside, mean_squared_error(&found, &truths)]
        });
        let errors: Vec<[f64; 2]> = errors.collect();
        let [inside, whole] =
            [0, 1].map(|k| mean_and_error(errors.iter().map(|set| set[k]).collect()));
        (n, h, sets, inside, whole)
    });
    let line = |of: fn(&Measured, &Measured) -> Measured| {
        let large = measured.iter().filter(|size| size.0 >= 1000);
        slope(&large.map(|size| (size.0 as f64, of(&size.3, &size.4))).collect::<Vec<_>>())
    };
    let ((inside, inside_se), (whole, _)) = (line(|inside, _| *inside), line(|_, whole| *whole));
    let sizes = measured.map(|(n, h, sets, (inside, _), (whole, _))| {
        let theory = theory.error(n);
        let size = json!({
            "bandwidth": h, "sets": sets, "inside": inside, "whole": whole, "theory": theory,
        });
        (n.to_string(), size)
    });
    json!({
        "constant": theory.bandwidth(1) as Float,
        "slope_inside_large": inside, "slope_inside_large_se": inside_se, "slope_whole": whole,
        "sizes": BTreeMap::from(sizes),
    })
}

fn mean_and_error(values: Vec<f64>) -> Measured {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The slope of ln y against ln x by weighted least squares, and its standard error, from those of y.
fn slope(line: &[(f64, (f64, f64))]) -> (f64, f64) {
    let weight = |(_, (y, error)): &(f64, (f64, f64))| (error / y).powi(-2);
    let total: f64 = line.iter().map(weight).sum();
    let mean = |value: &dyn Fn(f64, f64) -> f64| {
        let weighted = line.iter().map(|p| weight(p) * value(p.0.ln(), p.1.0.ln()));
        weighted.sum::<f64>() / total
    };
    let (x_mean, y_mean) = (mean(&|x, _| x), mean(&|_, y| y));
    let variance = mean(&|x, _| (x - x_mean).powi(2));
    let covariance = mean(&|x, y| (x - x_mean) * (y - y_mean));
    (covariance / variance, (1.0 / (total * variance)).sqrt())
}

fn over_noise() -> Vec<Float> {
    (-16..=16).map(|i| (10.0 as Float).powf(i as Float / 16.0)).collect()
}

/// Memories of a hundred values under random keys in [0, 1]; each query is one of the keys plus noise. The
/// mean squared error of what is returned, for every bandwidth in units of the noise.
fn memory(noise: Float) -> Value {
    const ITEMS: usize = 100;
    let mut rng = rng(0);
    let unit = Uniform::new(0.0 as Float, 1.0).expect("0 < 1");
    let standard = Normal::new(0.0 as Float, 1.0).expect("1 is positive");
    let draw = |rng: &mut Rng| -> Vec<Float> { (0..ITEMS).map(|_| standard.sample(rng)).collect() };
    let over_noise = over_noise();
    let mut errors = vec![0.0; over_noise.len()];
    for _ in 0..400 {
        let keys: Vec<Float> = (0..ITEMS).map(|_| unit.sample(&mut rng)).collect();
        let values = draw(&mut rng);
        let asked: Vec<usize> =
            (0..ITEMS).map(|_| rand::Rng::next_u32(&mut rng) as usize % ITEMS).collect();
        let blurred = draw(&mut rng);
        let queries: Vec<Float> =
            asked.iter().zip(blurred).map(|(i, z)| keys[*i] + noise * z).collect();
        let wanted: Vec<Float> = asked.iter().map(|i| values[*i]).collect();
        for (error, h) in errors.iter_mut().zip(&over_noise) {
            let found = nadaraya_watson(&queries, &keys, &values, Kernel::Gaussian, h * noise);
            *error += mean_squared_error(&found, &wanted) / 400.0;
        }
    }
    let best = (0..errors.len()).fold(0, |a, b| if errors[b] < errors[a] { b } else { a });
    json!({
        "noise": noise, "best_over_noise": over_noise[best], "error": errors[best],
        "error_sharp": errors[0], "error_blunt": errors[errors.len() - 1], "errors": errors,
    })
}

/// Seconds, the best of three: streaming against the whole matrix.
fn timed() -> Value {
    let seconds = |work: &dyn Fn() -> Vec<Float>| {
        let runs = [0; 3].map(|_| {
            let start = Instant::now();
            (work(), start.elapsed().as_secs_f64())
        });
        let best = runs.iter().map(|run| run.1).fold(f64::INFINITY, f64::min);
        (runs.into_iter().next().map(|run| run.0).unwrap_or_default(), best)
    };
    let stream = |n| {
        let (x, y) = noisy_points(n, &mut rng(0));
        seconds(&|| streaming::smooth(&x, &x, &y, 0.1))
    };
    let ((_, large), (streamed, small)) = (stream(100_000), stream(10_000));
    let (x, y) = noisy_points(10_000, &mut rng(0));
    let (whole, matrix) = seconds(&|| nadaraya_watson(&x, &x, &y, Kernel::Gaussian, 0.1));
    let differences = streamed.iter().zip(&whole).map(|(a, b)| f64::from((a - b).abs()));
    json!({
        "streaming_100000": large, "streaming_10000": small, "matrix_10000": matrix,
        "largest_difference": differences.fold(0.0, f64::max),
    })
}

// ---- pictures ------------------------------------------------------------------------------------

fn leave_one_out(_: &Numbers) -> Svg {
    let fifty = fifty();
    let (x, y) = &fifty;
    let (h, left_out) = chosen(&fifty, Kernel::Gaussian);
    let against_h = |error: &dyn Fn(Float) -> f64| -> Vec<(f64, f64)> {
        candidates(x).into_iter().map(|h| (f64::from(h), error(h))).collect()
    };
    let seeing_itself =
        against_h(&|h| mean_squared_error(&nadaraya_watson(x, x, y, Kernel::Gaussian, h), y));
    Chart::new("", "bandwidth h", "mean squared error")
        .line("leave-one-out", &against_h(&|h| leave_one_out_error(x, y, Kernel::Gaussian, h, 1)))
        .coloured(colour::LEARNT)
        .line("against the truth", &against_h(&|h| error(&fifty, Kernel::Gaussian, h)))
        .coloured(colour::AGAINST_TRUTH)
        .line("seeing itself", &seeing_itself)
        .coloured(colour::SEES_ITSELF)
        .points("chosen: the smallest when left out", &[(f64::from(h), left_out)])
        .coloured(colour::CHOSEN)
        .log(true, false)
        .draw()
}

/// Every tenth number.
pub fn every_tenth(values: &[Float]) -> Vec<String> {
    let places = values.iter().enumerate();
    places.map(|(i, v)| if i % 10 == 0 { format!("{v:.1}") } else { String::new() }).collect()
}

fn weights(_: &Numbers) -> Svg {
    let fifty = fifty();
    let (queries, weights) = of_queries(&fifty);
    let (key, query) = weights.iamax_full();
    let largest = format!("x = {}: one key has {:.3}", queries[query], weights.max());
    Heatmap::new("", "queries x", "keys in order, xᵢ", &weights)
        .x_names(&every_tenth(&queries))
        .y_names(&every_tenth(&fifty.0))
        .rings(&largest, &[(key, query)])
        .draw()
}

fn consistency(found: &Numbers) -> Svg {
    let line = |number: &str| {
        SIZES.map(|n| {
            let size = &found.once["consistency"]["sizes"][n.to_string()];
            (n as f64, size[number].as_f64().unwrap_or_default())
        })
    };
    Chart::new("", "points n", "mean squared error")
        .points("measured, 1 ≤ x ≤ 4", &line("inside"))
        .points("measured, 0 ≤ x ≤ 5", &line("whole"))
        .dashed("theory, 1\u{a0}≤\u{a0}x\u{a0}≤\u{a0}4", &line("theory"))
        .coloured(colour::GIVEN)
        .log(true, true)
        .draw()
}

fn lookup(found: &Numbers) -> Svg {
    let mut chart = Chart::new("", "bandwidth, over the noise σ", "mean squared error");
    let mut minima = Vec::new();
    for memory in found.once["lookup"].as_array().into_iter().flatten() {
        let errors = memory["errors"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        let line: Vec<_> = over_noise().into_iter().map(f64::from).zip(errors).collect();
        let best = line.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        minima.extend(best.copied());
        let noise = memory["noise"].as_f64().unwrap_or_default() as Float;
        chart = chart.line(&format!("σ = {noise}"), &line);
    }
    chart.rings("the smallest error", &minima).coloured(colour::CHOSEN).log(true, false).draw()
}
