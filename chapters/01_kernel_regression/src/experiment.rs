//! What the page reports: each function measures one of its sections.

pub use crate::data::{noisy_points, truth};

use crate::bandwidth::{Choice, candidates, choose, leave_one_out_error};
use crate::data::NOISE;
use crate::{
    Float, Kernel, attention_weights, average_pooling, mean_squared_error, nadaraya_watson,
    quotient, streaming,
};
use rand::Rng as _;
use rand_distr::{Distribution, Normal, Uniform};
use serde::{Deserialize, Serialize};
use shared::{Rng, rng};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::figure::{Chart, Heatmap, Svg, points};

/// The experiment of the page is the `Default`.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// Points to smooth.
    pub points: usize,
    /// Sizes of the ever larger sets of points.
    pub sizes: Vec<usize>,
    /// Queries of the noisy memory.
    pub lookups: usize,
}

impl Default for Config {
    fn default() -> Config {
        let sizes = vec![100, 316, 1000, 3162, 10_000, 31_623, 100_000];
        Config { seed: 0, points: 50, sizes, lookups: 40_000 }
    }
}

impl Config {
    /// How often [`run`] calls `step`.
    pub fn steps(&self) -> u64 {
        self.sizes.iter().map(|n| sets(*n) as u64).sum()
    }
}

/// The numbers of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The seed they come from.
    pub seed: u64,
    /// Points that were smoothed.
    pub points: usize,
    /// Three readings of a thermometer.
    pub thermometer: Thermometer,
    /// The flat line.
    pub average_pooling: Flat,
    /// Each kernel with the bandwidth that leave-one-out chose.
    pub kernels: BTreeMap<String, Fit>,
    /// The Gaussian with bandwidths that nobody should choose, and with the best.
    pub bandwidths: Bandwidths,
    /// Where the quotient of sums ends.
    pub underflow: Vec<Underflow>,
    /// The entries of the weights' matrix.
    pub weights: Weights,
    /// Ever larger sets of points.
    pub consistency: Consistency,
    /// A memory asked with noisy keys.
    pub lookup: Vec<Lookup>,
    /// Seconds, on one machine on one day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// The first example of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thermometer {
    /// Kernel values at 9, 10 and 13 o'clock, asked at half past ten.
    pub kernel: [Float; 3],
    /// Their sum.
    pub sum: Float,
    /// The weights.
    pub weights: [Float; 3],
    /// The weighted mean, in °C.
    pub degrees: Float,
}

/// The errors of average pooling.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flat {
    /// The mean itself.
    pub value: Float,
    /// Mean squared error of predicting each point by the mean of the others.
    pub leave_one_out: f64,
    /// Mean squared distance from the truth.
    pub error: f64,
}

/// A kernel with a bandwidth, and its errors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fit {
    /// The bandwidth.
    pub bandwidth: Float,
    /// Mean squared error of predicting each point from the others.
    pub leave_one_out: f64,
    /// Mean squared distance from the truth, over the whole interval.
    pub error: f64,
}

/// The sweep over bandwidths with the Gaussian kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bandwidths {
    /// Too narrow.
    pub narrow: Fit,
    /// Too wide.
    pub wide: Fit,
    /// Closest to the truth, which only an experiment knows.
    pub best: Fit,
    /// Mean squared error on the points themselves, each seeing itself, with the narrowest
    /// bandwidth tried.
    pub seeing_itself: f64,
    /// That bandwidth.
    pub narrowest: Float,
    /// What leave-one-out chooses when the points are drawn anew.
    pub drawn_anew: DrawnAnew,
}

/// Leave-one-out on many sets of points of the same curve.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DrawnAnew {
    /// Sets of points.
    pub sets: usize,
    /// The smallest bandwidth chosen.
    pub smallest: Float,
    /// The largest.
    pub largest: Float,
    /// Mean squared distance from the truth with the chosen bandwidths, on average.
    pub error: f64,
    /// The same with the best candidate for each set, which only an experiment knows.
    pub error_of_best: f64,
}

/// The quotient of sums against the softmax at a small bandwidth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Underflow {
    /// The bandwidth.
    pub bandwidth: Float,
    /// Share of 1001 queries where the quotient is 0/0.
    pub quotient_nan: f64,
    /// The same for the softmax.
    pub softmax_nan: f64,
    /// Largest distance between the softmax's prediction and the nearest neighbour's value.
    pub from_nearest: f64,
}

/// The weights drawn on the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// The largest entry.
    pub largest: Float,
    /// How many keys a query attends to: 1/Σα² would be k for k equal weights; here with the mean
    /// of Σα² over the queries.
    pub keys_attended: f64,
}

/// Errors of ever larger sets of points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Consistency {
    /// h = constant · n^(−1/5).
    pub constant: Float,
    /// Slope of ln(error) against ln(n), for queries from 1 to 4.
    pub slope_inside: f64,
    /// Its standard error.
    pub slope_inside_se: f64,
    /// The same without the smallest sets: from 1000 points.
    pub slope_inside_large: f64,
    /// Its standard error.
    pub slope_inside_large_se: f64,
    /// The slope for queries from 0 to 5, from 1000 points.
    pub slope_whole: f64,
    /// Its standard error.
    pub slope_whole_se: f64,
    /// The errors by number of points.
    pub sizes: BTreeMap<usize, Size>,
}

/// The errors at one number of points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Size {
    /// The bandwidth.
    pub bandwidth: Float,
    /// Sets of points that were drawn.
    pub sets: usize,
    /// Mean squared distance from the truth for queries from 1 to 4.
    pub inside: f64,
    /// Its standard error.
    pub inside_se: f64,
    /// The same for queries from 0 to 5.
    pub whole: f64,
    /// Its standard error.
    pub whole_se: f64,
    /// What theory expects inside.
    pub theory: f64,
}

/// A memory asked with keys of one noise.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lookup {
    /// Standard deviation of the query from the key it means.
    pub noise: Float,
    /// The bandwidth with the smallest mean squared error, over the noise.
    pub best_over_noise: f64,
    /// That error.
    pub error: f64,
    /// The error with a tenth of the noise as bandwidth.
    pub error_sharp: f64,
    /// The error with ten times the noise as bandwidth.
    pub error_blunt: f64,
}

/// Seconds on the machine and day that `where_and_when` names; no test compares these.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The machine and the date.
    pub where_and_when: String,
    /// Threads that worked.
    pub threads: usize,
    /// 10⁵ queries × 10⁵ keys, streaming.
    pub streaming_100000: f64,
    /// 10⁴ × 10⁴, streaming.
    pub streaming_10000: f64,
    /// 10⁴ × 10⁴, the whole matrix of weights.
    pub matrix_10000: f64,
    /// The matrix' time over the streaming time at 10⁴ × 10⁴.
    pub speedup: f64,
    /// The largest difference between the two predictions.
    pub largest_difference: f64,
    /// Gigabytes that the matrix of 10⁵ × 10⁵ weights would take.
    pub matrix_100000_gb: f64,
}

/// Pictures by file name.
pub type Figures = Vec<(&'static str, Svg)>;

/// Runs everything. `step` is called [`Config::steps`] times.
pub fn run(config: &Config, step: impl Fn()) -> (Results, Figures) {
    let data = noisy_points(config.points, &mut rng(config.seed));
    let (kernels, bandwidths, mut figures) = smooth(&data, config);
    let chosen = kernels["gaussian"].bandwidth;
    let (weights, heatmap) = weights(&data, chosen);
    let (consistency, falling) = consistency(config, step);
    let (lookup, memory) = lookup(config);
    figures.extend([("weights", heatmap), ("consistency", falling), ("lookup", memory)]);
    let results = Results {
        seed: config.seed,
        points: config.points,
        thermometer: thermometer(),
        average_pooling: flat(&data),
        kernels,
        bandwidths,
        underflow: underflow(&data),
        weights,
        consistency,
        lookup,
        measured: None,
    };
    (results, figures)
}

/// Evenly spaced, both ends included.
fn grid(low: Float, high: Float, pieces: usize) -> Vec<Float> {
    (0..=pieces).map(|i| low + (high - low) * i as Float / pieces as Float).collect()
}

/// The Gaussian at (10.5 − 9)/1, (10.5 − 10)/1, (10.5 − 13)/1.
fn thermometer() -> Thermometer {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let kernel = hours.map(|hour: Float| Kernel::Gaussian.weight(10.5 - hour));
    let weights = attention_weights(&[10.5], &hours, Kernel::Gaussian, 1.0);
    Thermometer {
        kernel,
        sum: kernel.iter().sum(),
        weights: [weights[0], weights[1], weights[2]],
        degrees: nadaraya_watson(&[10.5], &hours, &degrees, Kernel::Gaussian, 1.0)[0],
    }
}

type Data = (Vec<Float>, Vec<Float>);

/// Queries over the whole interval, with the truth at each.
fn whole() -> Data {
    let queries = grid(0.0, 5.0, 500);
    let truths = queries.iter().map(|x| truth(*x)).collect();
    (queries, truths)
}

fn flat((x, y): &Data) -> Flat {
    let (_, truths) = whole();
    let value = average_pooling(y);
    let others = |i: usize| average_pooling(&[&y[..i], &y[i + 1..]].concat());
    let predictions: Vec<Float> = (0..x.len()).map(others).collect();
    Flat {
        value,
        leave_one_out: mean_squared_error(&predictions, y),
        error: mean_squared_error(&vec![value; truths.len()], &truths),
    }
}

fn fit((x, y): &Data, kernel: Kernel, bandwidth: Float) -> Fit {
    let (queries, truths) = whole();
    let predictions = nadaraya_watson(&queries, x, y, kernel, bandwidth);
    let error = mean_squared_error(&predictions, &truths);
    Fit { bandwidth, leave_one_out: leave_one_out_error(x, y, kernel, bandwidth, 1), error }
}

/// Kernels and bandwidths on the fifty points.
fn smooth(data: &Data, config: &Config) -> (BTreeMap<String, Fit>, Bandwidths, Figures) {
    let (x, y) = data;
    let (queries, truths) = whole();
    let tried = candidates(x);
    let choices: Vec<Choice> =
        Kernel::ALL.iter().map(|kernel| choose(x, y, *kernel, &tried, 1, || ())).collect();
    let with = |kernel, h| points(&queries, &nadaraya_watson(&queries, x, y, kernel, h));
    let truth_line = points(&queries, &truths);
    let dots = points(x, y);
    let over_data = |title| Chart::new(title, "x", "y").points("data", &dots);

    let mut kernels = BTreeMap::new();
    let mut fits = over_data("").dashed("truth", &truth_line);
    for (kernel, choice) in Kernel::ALL.into_iter().zip(&choices) {
        kernels.insert(kernel.name().to_owned(), fit(data, kernel, choice.bandwidth));
        fits = fits.line(&format!("{kernel:?}"), &with(kernel, choice.bandwidth));
    }

    let errors: Vec<(Float, Fit)> =
        tried.iter().map(|h| (*h, fit(data, Kernel::Gaussian, *h))).collect();
    let (best, _) = errors.iter().min_by(|a, b| a.1.error.total_cmp(&b.1.error)).expect("tried");
    let narrowest = tried[0];
    let (narrow, wide) = (0.05, 2.0);
    let bandwidths = Bandwidths {
        narrow: fit(data, Kernel::Gaussian, narrow),
        wide: fit(data, Kernel::Gaussian, wide),
        best: fit(data, Kernel::Gaussian, *best),
        seeing_itself: mean_squared_error(
            &nadaraya_watson(x, x, y, Kernel::Gaussian, narrowest),
            y,
        ),
        narrowest,
        drawn_anew: drawn_anew(config),
    };
    let chosen = &choices[0];
    let flat_line = vec![average_pooling(y); queries.len()];
    let pooled = over_data("")
        .dashed("truth", &truth_line)
        .line("average pooling", &points(&queries, &flat_line));
    let sweep = over_data("")
        .line("h = 0.05", &with(Kernel::Gaussian, narrow))
        .line(&format!("h = {:.2}", chosen.bandwidth), &with(Kernel::Gaussian, chosen.bandwidth))
        .line("h = 2", &with(Kernel::Gaussian, wide));
    let figures = vec![
        ("data", pooled.draw()),
        ("kernels", kernel_shapes()),
        ("fits", fits.draw()),
        ("bandwidths", sweep.draw()),
        ("leave_one_out", choice_of_bandwidth(chosen, &errors, data)),
    ];
    (kernels, bandwidths, figures)
}

/// How far the choice of leave-one-out can be trusted.
fn drawn_anew(config: &Config) -> DrawnAnew {
    const SETS: usize = 100;
    let mut rng = rng(config.seed);
    let choices: Vec<(Float, f64, f64)> = (0..SETS)
        .map(|_| {
            let (x, y) = noisy_points(config.points, &mut rng);
            let (queries, truths) = whole();
            let tried = candidates(&x);
            let choice = choose(&x, &y, Kernel::Gaussian, &tried, 1, || ());
            let error = |h: Float| {
                let predictions = streaming::smooth(&queries, &x, &y, h);
                mean_squared_error(&predictions, &truths)
            };
            let best = tried.iter().map(|h| error(*h)).fold(f64::INFINITY, f64::min);
            (choice.bandwidth, error(choice.bandwidth), best)
        })
        .collect();
    let bandwidths = || choices.iter().map(|choice| choice.0);
    let mean = |errors: &dyn Fn(&(Float, f64, f64)) -> f64| {
        choices.iter().map(errors).sum::<f64>() / SETS as f64
    };
    DrawnAnew {
        sets: SETS,
        smallest: bandwidths().fold(Float::INFINITY, Float::min),
        largest: bandwidths().fold(0.0, Float::max),
        error: mean(&|choice| choice.1),
        error_of_best: mean(&|choice| choice.2),
    }
}

fn kernel_shapes() -> Svg {
    let u = grid(-2.5, 2.5, 500);
    let shape = |kernel: Kernel| {
        let weights: Vec<Float> = u.iter().map(|u| kernel.weight(*u)).collect();
        points(&u, &weights)
    };
    let chart = Chart::new("", "distance from the query, in bandwidths", "weight");
    Kernel::ALL.iter().fold(chart, |chart, k| chart.line(&format!("{k:?}"), &shape(*k))).draw()
}

fn choice_of_bandwidth(chosen: &Choice, errors: &[(Float, Fit)], (x, y): &Data) -> Svg {
    let against_h = |error: &dyn Fn(&(Float, Fit)) -> f64| -> Vec<(f64, f64)> {
        errors.iter().map(|pair| (f64::from(pair.0), error(pair))).collect()
    };
    let seeing_itself = |(h, _): &(Float, Fit)| {
        mean_squared_error(&nadaraya_watson(x, x, y, Kernel::Gaussian, *h), y)
    };
    let chosen_point = (f64::from(chosen.bandwidth), chosen.error);
    Chart::new("", "bandwidth h", "mean squared error")
        .line("leave-one-out", &against_h(&|(_, fit)| fit.leave_one_out))
        .line("against the truth", &against_h(&|(_, fit)| fit.error))
        .line("each point seeing itself", &against_h(&seeing_itself))
        .points("chosen", &[chosen_point])
        .log(true, false)
        .draw()
}

/// Where the quotient's sums are both zero, and what the softmax says there.
fn underflow((x, y): &Data) -> Vec<Underflow> {
    let queries = grid(0.0, 5.0, 1000);
    let nearest = nadaraya_watson(&queries, x, y, Kernel::Boxcar, 0.0);
    let share = |predictions: &[Float]| {
        predictions.iter().filter(|p| p.is_nan()).count() as f64 / queries.len() as f64
    };
    let measure = |h: Float| {
        let softmax = nadaraya_watson(&queries, x, y, Kernel::Gaussian, h);
        let distances = softmax.iter().zip(&nearest).map(|(a, b)| f64::from((a - b).abs()));
        Underflow {
            bandwidth: h,
            quotient_nan: share(&quotient(&queries, x, y, Kernel::Gaussian, h)),
            softmax_nan: share(&softmax),
            from_nearest: distances.fold(0.0, f64::max),
        }
    };
    [0.1, 0.01, 0.001, 0.0001].map(measure).into()
}

fn weights((x, _): &Data, bandwidth: Float) -> (Weights, Svg) {
    let queries = grid(0.0, 4.9, 49);
    let weights = attention_weights(&queries, x, Kernel::Gaussian, bandwidth); // (m, n)
    let concentration = weights.iter().map(|a| f64::from(a * a)).sum::<f64>();
    let every_tenth = |values: &[Float]| -> Vec<String> {
        let name = |(i, v): (usize, &Float)| match i % 10 {
            0 => format!("{v:.1}"),
            _ => String::new(),
        };
        values.iter().enumerate().map(name).collect()
    };
    let heatmap = Heatmap::new("", "queries x", "keys xᵢ", &weights)
        .x_names(&every_tenth(&queries))
        .y_names(&every_tenth(x))
        .draw();
    let results =
        Weights { largest: weights.max(), keys_attended: queries.len() as f64 / concentration };
    (results, heatmap)
}

/// Sets of points to average over: many of the small ones, whose errors vary most.
fn sets(n: usize) -> usize {
    (1_000_000 / n).clamp(20, 400)
}

/// How the error falls as points are added, with the bandwidth that theory finds best inside.
pub fn consistency(config: &Config, step: impl Fn()) -> (Consistency, Svg) {
    let theory = Theory::new();
    let measure = |n: usize| {
        let h = theory.bandwidth(n) as Float;
        let mut rng = rng(config.seed);
        rng.set_stream(n as u64); // every size has its own numbers, whichever sizes are measured
        let errors: Vec<(f64, f64)> = (0..sets(n))
            .map(|_| {
                let errors = one_set(n, h, &mut rng);
                step();
                errors
            })
            .collect();
        let (inside, inside_se) = mean_and_error(errors.iter().map(|e| e.0));
        let (whole, whole_se) = mean_and_error(errors.iter().map(|e| e.1));
        let theory = theory.error(n);
        Size { bandwidth: h, sets: sets(n), inside, inside_se, whole, whole_se, theory }
    };
    let sizes: BTreeMap<usize, Size> = config.sizes.iter().map(|n| (*n, measure(*n))).collect();
    let line = |value: &dyn Fn(&Size) -> f64| -> Vec<(f64, f64)> {
        sizes.iter().map(|(n, size)| (*n as f64, value(size))).collect()
    };
    let (inside, whole) = (line(&|size| size.inside), line(&|size| size.whole));
    let inside_errors = line(&|size| size.inside_se / size.inside);
    let whole_errors = line(&|size| size.whole_se / size.whole);
    let large = sizes.keys().filter(|n| **n < 1000).count();
    let (slope_inside, slope_inside_se) = slope(&inside, &inside_errors);
    let (slope_inside_large, slope_inside_large_se) =
        slope(&inside[large..], &inside_errors[large..]);
    let (slope_whole, slope_whole_se) = slope(&whole[large..], &whole_errors[large..]);
    let figure = Chart::new("", "points n", "mean squared error")
        .points("measured, 1 ≤ x ≤ 4", &inside)
        .points("measured, 0 ≤ x ≤ 5", &whole)
        .dashed("theory, 1 ≤ x ≤ 4", &line(&|size| size.theory))
        .log(true, true)
        .draw();
    let results = Consistency {
        constant: theory.bandwidth(1) as Float,
        slope_inside,
        slope_inside_se,
        slope_inside_large,
        slope_inside_large_se,
        slope_whole,
        slope_whole_se,
        sizes,
    };
    (results, figure)
}

/// The mean squared errors of one set of n points: inside, and over the whole interval.
fn one_set(n: usize, h: Float, rng: &mut Rng) -> (f64, f64) {
    let (keys, values) = noisy_points(n, rng);
    let (queries, truths) = whole();
    let predictions = streaming::smooth(&queries, &keys, &values, h);
    let inside = 100..=400; // 1 ≤ x ≤ 4
    (
        mean_squared_error(&predictions[inside.clone()], &truths[inside]),
        mean_squared_error(&predictions, &truths),
    )
}

/// The mean, and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The slope of ln y against ln x by weighted least squares, and its standard error, from the
/// relative standard errors of y.
fn slope(line: &[(f64, f64)], relative_errors: &[(f64, f64)]) -> (f64, f64) {
    let weights: Vec<f64> = relative_errors.iter().map(|(_, e)| e.powi(-2)).collect();
    let total: f64 = weights.iter().sum();
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| {
        line.iter().zip(&weights).map(|(p, w)| w * value(p)).sum::<f64>() / total
    };
    let (x_mean, y_mean) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    let variance = mean(&|p| (p.0.ln() - x_mean).powi(2));
    let covariance = mean(&|p| (p.0.ln() - x_mean) * (p.1.ln() - y_mean));
    (covariance / variance, (1.0 / (total * variance)).sqrt())
}

// ANCHOR: theory
/// What theory expects of the Gaussian kernel for 1 ≤ x ≤ 4, far from the ends:
/// error(h) = B h⁴ + V/(n h), the squared bias and the variance.
struct Theory {
    b: f64,
    v: f64,
}

impl Theory {
    fn new() -> Theory {
        let curvature = |x: f64| -2.0 * x.sin() - 0.16 * x.powf(-1.2); // f''
        let squares = (0..3000).map(|i| curvature(1.0005 + f64::from(i) / 1000.0).powi(2));
        let density = 1.0 / 5.0; // of x, uniform on [0, 5]
        let roughness = 0.5 / std::f64::consts::PI.sqrt(); // ∫K² of the normalised kernel
        let v = f64::from(NOISE).powi(2) * roughness / density;
        Theory { b: squares.sum::<f64>() / 3000.0 / 4.0, v }
    }

    /// Where the derivative of the error, 4 B h³ − V/(n h²), is zero.
    fn bandwidth(&self, n: usize) -> f64 {
        (self.v / (4.0 * self.b * n as f64)).powf(0.2)
    }

    fn error(&self, n: usize) -> f64 {
        let h = self.bandwidth(n);
        self.b * h.powi(4) + self.v / (n as f64 * h)
    }
}
// ANCHOR_END: theory

/// A hundred values under random keys in [0, 1]; each query is one of the keys plus noise.
pub fn lookup(config: &Config) -> (Vec<Lookup>, Svg) {
    let over_noise: Vec<Float> =
        (-16..=16).map(|i| (10.0 as Float).powf(i as Float / 16.0)).collect();
    let mut results = Vec::new();
    let mut chart = Chart::new("", "bandwidth, over the noise σ", "mean squared error");
    for noise in [0.002, 0.01, 0.05] {
        let errors = lookup_errors(noise, &over_noise, config);
        let best = (0..errors.len()).fold(0, |a, b| if errors[b] < errors[a] { b } else { a });
        results.push(Lookup {
            noise,
            best_over_noise: f64::from(over_noise[best]),
            error: errors[best],
            error_sharp: errors[0],
            error_blunt: errors[errors.len() - 1],
        });
        let x = over_noise.iter().map(|h| f64::from(*h));
        chart = chart.line(&format!("σ = {noise}"), &x.zip(errors).collect::<Vec<_>>());
    }
    (results, chart.log(true, false).draw())
}

/// The mean squared error of what the memory returns, for every bandwidth (in units of the noise).
fn lookup_errors(noise: Float, over_noise: &[Float], config: &Config) -> Vec<f64> {
    let mut rng = rng(config.seed);
    let unit = Uniform::new(0.0 as Float, 1.0).expect("0 < 1");
    let standard = Normal::new(0.0 as Float, 1.0).expect("1 is positive");
    // Many small memories, so that the result is not that of one set of keys.
    const ITEMS: usize = 100;
    let memories = config.lookups / ITEMS;
    let mut sums = vec![0.0; over_noise.len()];
    for _ in 0..memories {
        let keys: Vec<Float> = (0..ITEMS).map(|_| unit.sample(&mut rng)).collect();
        let values: Vec<Float> = (0..ITEMS).map(|_| standard.sample(&mut rng)).collect();
        let asked: Vec<usize> = (0..ITEMS).map(|_| (rng.next_u32() as usize) % ITEMS).collect();
        let queries: Vec<Float> =
            asked.iter().map(|i| keys[*i] + noise * standard.sample(&mut rng)).collect();
        let wanted: Vec<Float> = asked.iter().map(|i| values[*i]).collect();
        for (sum, h) in sums.iter_mut().zip(over_noise) {
            let found = nadaraya_watson(&queries, &keys, &values, Kernel::Gaussian, h * noise);
            *sum += mean_squared_error(&found, &wanted) / memories as f64;
        }
    }
    sums
}

/// Streaming against the whole matrix, in seconds: each the best of three runs.
pub fn time(where_and_when: &str) -> Measured {
    let once = |work: &dyn Fn() -> Vec<Float>| {
        let start = Instant::now();
        let predictions = work();
        (start.elapsed().as_secs_f64(), predictions)
    };
    let seconds = |work: &dyn Fn() -> Vec<Float>| {
        let (first, predictions) = once(work);
        (first.min(once(work).0).min(once(work).0), predictions)
    };
    let draw = |n: usize| noisy_points(n, &mut rng(0));
    let large = draw(100_000);
    let (streaming_100000, _) = seconds(&|| streaming::smooth(&large.0, &large.0, &large.1, 0.1));
    let (x, y) = draw(10_000);
    let (streaming_10000, streamed) = seconds(&|| streaming::smooth(&x, &x, &y, 0.1));
    let (matrix_10000, whole) = seconds(&|| nadaraya_watson(&x, &x, &y, Kernel::Gaussian, 0.1));
    let differences = streamed.iter().zip(&whole).map(|(a, b)| f64::from((a - b).abs()));
    Measured {
        where_and_when: where_and_when.to_owned(),
        threads: rayon::current_num_threads(),
        streaming_100000,
        streaming_10000,
        matrix_10000,
        speedup: matrix_10000 / streaming_10000,
        largest_difference: differences.fold(0.0, f64::max),
        matrix_100000_gb: 1e5 * 1e5 * size_of::<Float>() as f64 / 1e9,
    }
}
