//! The chapter's experiment: what the page reports, as functions from settings to numbers and
//! pictures.

pub use crate::graph::{Graph, graph};
pub use crate::plane::plane_points;
pub use crate::training::{on_tape, train};

use crate::graph::two_keys;
use crate::{
    Attention, Sees, Step, descend, effective_keys, learn, predict, predict_with_slope,
    squared_error, weights,
};
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::{Kernel, attention_weights, bandwidth, mean_squared_error};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use shared::{Float, Linear, Matrix, Operand, Tape, Var, gemm, squared_error as error_on_tape};
use std::time::Instant;
use workbench::figure::{Chart, Heatmap, Svg, points};

/// What can be set. The default is the experiment of the page.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// Training points; the textbook has 50.
    pub points: usize,
    /// η of the textbook's training.
    pub learning_rate: Float,
    /// Its steps.
    pub epochs: usize,
    /// A rate that does not leap over the valley.
    pub small_rate: Float,
    /// Further data sets on which the first step is measured.
    pub data_sets: usize,
    /// Training points of the experiment with two inputs.
    pub plane_points: usize,
    /// Its steps.
    pub plane_steps: usize,
    /// How far the relevant direction is turned in its second half, in degrees.
    pub angle: Float,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            points: 50,
            learning_rate: 0.5,
            epochs: 5,
            small_rate: 0.01,
            data_sets: 200,
            plane_points: 200,
            plane_steps: 1500,
            angle: 30.0,
        }
    }
}

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The settings.
    pub config: Config,
    /// Three neighbours of half past ten.
    pub example: Example,
    /// The gradient, computed in three ways.
    pub gradient: GradientCheck,
    /// The textbook's training: `epochs + 1` entries, the last being where it arrived.
    pub textbook: Vec<Step>,
    /// Ways to descend, from the same start.
    pub descents: Descents,
    /// The learnt width beside chapter 1's bandwidth.
    pub width: Width,
    /// The fits that the pictures show.
    pub fits: Fits,
    /// Training in which a point may attend to itself.
    pub itself: Itself,
    /// The first step of the textbook's training on further data sets.
    pub first_step: FirstStep,
    /// The same training when the loss has a half in front.
    pub halved: Halved,
    /// Two inputs, one of them irrelevant.
    pub plane: Plane,
    /// The worked example of the appendix *How gradients flow*.
    pub graph: Graph,
    /// Finite differences in single and double precision.
    pub differences: Differences,
    /// What the tape costs, on one machine on one day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// Times on the machine and day that `where_and_when` names; no test compares these.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The machine and the date.
    pub where_and_when: String,
    /// Nanoseconds for an operation on a single number, there and back.
    pub operation_ns: f64,
    /// Milliseconds of a network's forward pass, without gradients.
    pub forward_ms: f64,
    /// Milliseconds of its forward and backward pass.
    pub both_ms: f64,
    /// The one over the other.
    pub ratio: f64,
}

/// Runs everything; `step` is called after each of [`PARTS`] parts.
pub fn run(config: &Config, step: impl Fn()) -> (Results, Vec<(&'static str, Svg)>) {
    let rng = &mut shared::rng(config.seed);
    let (x, y) = noisy_points(config.points, rng);
    let start = rng.random::<f64>() as Float; // w₀ ~ U(0, 1)

    let textbook = textbook_training(config, start, &x, &y);
    let w_textbook = arrived(&textbook).w;
    let (descents, w_learnt) = descents(config, start, &x, &y);
    step();
    let itself = itself(config, start, &x, &y);
    step();
    let w_itself = itself.epochs_50000.w;
    let (first_step, first_step_figure) = first_steps(config);
    let halved = halved(config, start, &x, &y);
    step();
    let (plane, metrics) = plane(config);
    step();
    let fits = Fits {
        unit: fit(1.0, &x, &y),
        textbook: fit(w_textbook, &x, &y),
        learnt: fit(w_learnt, &x, &y),
        itself: fit(w_itself, &x, &y),
        truth_bending: bending(&even(0.0, 5.0, 501).into_iter().map(truth).collect::<Vec<_>>()),
    };
    let (differences, differences_figure) = differences();
    let results = Results {
        config: config.clone(),
        example: example(),
        gradient: gradient_check(start, &x, &y),
        width: width(w_learnt, &x, &y),
        textbook,
        descents,
        fits,
        itself,
        first_step,
        halved,
        plane,
        graph: graph(),
        differences,
        measured: None,
    };
    let figures = vec![
        ("landscape", landscape(config, &x, &y, &results.textbook, w_learnt)),
        ("first_step", first_step_figure),
        ("fits", draw_fits(config, &x, &y, w_textbook, w_learnt)),
        ("weights", draw_weights(&x, w_learnt)),
        ("fit_and_weights", draw_fit_and_weights(&x, &y, w_learnt)),
        ("memorised", draw_memorised(&x, &y, w_itself, w_learnt)),
        ("metric", draw_metrics(&metrics, config.angle)),
        ("differences", differences_figure),
    ];
    (results, figures)
}

/// How often [`run`] reports progress.
pub const PARTS: u64 = 4;

// ---- three neighbours --------------------------------------------------------------------------

/// Chapter 1's measurements, 14°, 17° and 20° at 9, 10 and 13 o'clock, asked about half past ten
/// with a wide, a middling and a narrow window.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// w = ¼
    pub wide: Answer,
    /// w = 1
    pub middling: Answer,
    /// w = 4
    pub narrow: Answer,
}

/// What attention answers with one width.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The width.
    pub w: Float,
    /// The weights of the three.
    pub weights: Vec<Float>,
    /// The temperature, in degrees.
    pub prediction: Float,
    /// Its change for a change of `w`.
    pub slope: Float,
}

fn example() -> Example {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let answer = |w: Float| {
        let (prediction, slope) = predict_with_slope(10.5, &hours, &degrees, w, None);
        Answer { w, weights: weights(10.5, &hours, w, None), prediction, slope }
    };
    Example { wide: answer(0.25), middling: answer(1.0), narrow: answer(4.0) }
}

// ---- the gradient ------------------------------------------------------------------------------

/// ∂L/∂w at the start of training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GradientCheck {
    /// Where.
    pub w: Float,
    /// By the formula of the page.
    pub by_hand: Float,
    /// By the tape.
    pub tape: Float,
    /// By central differences, in this program's precision.
    pub differences: Float,
    /// The largest relative difference between hand and tape over widths from 0.1 to 30.
    pub worst: Float,
}

fn gradient_check(start: Float, x: &[Float], y: &[Float]) -> GradientCheck {
    let by_hand = |w: Float| squared_error(x, y, w, Sees::Others).1;
    let relative = |w: &Float| (on_tape(*w, x, y).1 - by_hand(*w)).abs() / by_hand(*w).abs();
    let differences = shared::finite_differences(
        |w| squared_error(x, y, w[0], Sees::Others).0,
        &Matrix::from_element(1, 1, start),
    );
    GradientCheck {
        w: start,
        by_hand: by_hand(start),
        tape: on_tape(start, x, y).1,
        differences: differences[0],
        worst: spaced(0.1, 30.0, 40).iter().map(relative).fold(0.0, Float::max),
    }
}

// ---- training ----------------------------------------------------------------------------------

fn textbook_training(config: &Config, start: Float, x: &[Float], y: &[Float]) -> Vec<Step> {
    descend(start, config.learning_rate, config.epochs, |w| squared_error(x, y, w, Sees::Others))
}

/// The number of the textbook's steps, in a word where the page has one.
fn steps(config: &Config) -> String {
    if config.epochs == 5 { "five".to_owned() } else { config.epochs.to_string() }
}

fn arrived(path: &[Step]) -> Step {
    path[path.len() - 1]
}

/// Steps from the textbook's start until the loss is within a tenth of a per cent of its minimum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Descents {
    /// With the textbook's rate, going on after its last epoch.
    pub textbook_rate: Option<usize>,
    /// With the small rate.
    pub small_rate: Option<usize>,
    /// In ln w on ln L.
    pub logarithms: Option<usize>,
}

fn descents(config: &Config, start: Float, x: &[Float], y: &[Float]) -> (Descents, Float) {
    let loss = |w| squared_error(x, y, w, Sees::Others);
    let learnt = learn(start, loss);
    // A start on the plateau near 0 leads nowhere; then a start at 1 does.
    let (here, from_one) = (arrived(&learnt), arrived(&learn(1.0, loss)));
    let best = if from_one.loss < 0.999 * here.loss { from_one } else { here };
    let until = |path: &[Step]| path.iter().position(|step| step.loss < 1.001 * best.loss);
    let descents = Descents {
        textbook_rate: until(&descend(start, config.learning_rate, 5_000, loss)),
        small_rate: until(&descend(start, config.small_rate, 5_000, loss)),
        logarithms: until(&learnt),
    };
    (descents, best.w)
}

/// The learnt width beside the bandwidth that chapter 1 chose by trying.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Width {
    /// w
    pub learnt: Float,
    /// 1/w, in units of x
    pub one_over: Float,
    /// h by leave-one-out and golden section
    pub bandwidth: Float,
    /// |1/w − h|/h
    pub relative_difference: Float,
    /// Leave-one-out mean squared error at 1/w.
    pub error: f64,
    /// Leave-one-out mean squared error at h.
    pub bandwidth_error: f64,
}

fn width(learnt: Float, x: &[Float], y: &[Float]) -> Width {
    let candidates = bandwidth::candidates(x);
    let choice = bandwidth::choose(x, y, Kernel::Gaussian, &candidates, 1, || ());
    let h = choice.bandwidth;
    Width {
        learnt,
        one_over: 1.0 / learnt,
        bandwidth: h,
        relative_difference: (1.0 / learnt - h).abs() / h,
        error: bandwidth::leave_one_out_error(x, y, Kernel::Gaussian, 1.0 / learnt, 1),
        bandwidth_error: choice.error,
    }
}

/// Fits of the same points with different widths.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fits {
    /// w = 1: before any training, as the textbook's chapter on kernel regression has it.
    pub unit: Fit,
    /// After the textbook's training.
    pub textbook: Fit,
    /// Trained until nothing changes.
    pub learnt: Fit,
    /// Trained while each point saw itself.
    pub itself: Fit,
    /// How much the truth bends.
    pub truth_bending: f64,
}

/// One fit, and what can be said of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fit {
    /// The width.
    pub w: Float,
    /// Σ squared errors when each point is predicted from the others.
    pub loss: Float,
    /// Σ squared errors when each point sees itself.
    pub loss_with_itself: Float,
    /// Mean squared distance from the truth at 501 queries from 0 to 5.
    pub distance_from_truth: f64,
    /// How many keys share the attention, on average over the queries 0, 0.1 … 4.9.
    pub keys: Float,
    /// How much the fitted curve bends: all changes of its slope between 0 and 5, added up.
    pub bending: f64,
}

fn fit(w: Float, x: &[Float], y: &[Float]) -> Fit {
    let grid = even(0.0, 5.0, 501);
    let (curve, truths) = (predict(&grid, x, y, w), grid.iter().map(|x| truth(*x)));
    let queries = queries();
    let squares = |query: &Float| 1.0 / effective_keys(&weights(*query, x, w, None));
    Fit {
        w,
        loss: squared_error(x, y, w, Sees::Others).0,
        loss_with_itself: squared_error(x, y, w, Sees::Everyone).0,
        distance_from_truth: mean_squared_error(&curve, &truths.collect::<Vec<_>>()),
        keys: queries.len() as Float / queries.iter().map(squares).sum::<Float>(),
        bending: bending(&curve),
    }
}

/// The changes of slope of a curve given at 501 places from 0 to 5, added up.
fn bending(curve: &[Float]) -> f64 {
    let f = |i: usize| f64::from(curve[i]);
    (1..curve.len() - 1).map(|i| ((f(i + 1) - f(i)) - (f(i) - f(i - 1))).abs() / 0.01).sum()
}

/// The queries of the heatmaps, 0, 0.1 … 4.9, as in the textbook.
fn queries() -> Vec<Float> {
    (0..50).map(|i| i as Float / 10.0).collect()
}

/// The textbook's training, but every point sees itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Itself {
    /// After 5 epochs.
    pub epochs_5: Memory,
    /// After 500.
    pub epochs_500: Memory,
    /// After 50,000.
    pub epochs_50000: Memory,
    /// In ln w on ln L instead, until no step lowers the loss or it is zero.
    pub logarithms: Memory,
    /// The steps that took.
    pub logarithms_steps: usize,
}

/// How far it went.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// The width.
    pub w: Float,
    /// The loss it sees, in which every point knows its own value.
    pub loss: Float,
    /// The mean squared distance from the truth.
    pub distance_from_truth: f64,
}

fn itself(config: &Config, start: Float, x: &[Float], y: &[Float]) -> Itself {
    let loss = |w| squared_error(x, y, w, Sees::Everyone);
    let path = descend(start, config.learning_rate, 50_000, loss);
    let quick = learn(start, loss);
    let memory = |step: &Step| Memory {
        w: step.w,
        loss: step.loss,
        distance_from_truth: fit(step.w, x, y).distance_from_truth,
    };
    Itself {
        epochs_5: memory(&path[5]),
        epochs_500: memory(&path[500]),
        epochs_50000: memory(&path[50_000]),
        logarithms: memory(&arrived(&quick)),
        logarithms_steps: quick.len() - 1,
    }
}

/// Where the textbook's first step leads on data sets drawn like the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstStep {
    /// How many.
    pub data_sets: usize,
    /// On how many the loss fell from the first epoch to the last.
    pub loss_fell: usize,
    /// On how many `w` was more than twice its best value after the last epoch.
    pub beyond_twice: usize,
    /// The median of `w` after the last epoch over its best value.
    pub median_ratio: f64,
    /// The largest.
    pub largest_ratio: f64,
    /// On how many `w` was below a hundredth of its best value: the flat end of the landscape.
    pub stuck: usize,
}

fn first_steps(config: &Config) -> (FirstStep, Svg) {
    let mut ratios: Vec<(f64, f64)> = Vec::new(); // (w₀, w after the last epoch over the best w)
    let mut fell = 0;
    for i in 0..config.data_sets as u64 {
        let rng = &mut shared::rng(config.seed.wrapping_add(1 + i));
        let (x, y) = noisy_points(config.points, rng);
        let path = textbook_training(config, rng.random::<f64>() as Float, &x, &y);
        fell += usize::from(arrived(&path).loss < path[0].loss);
        let best = arrived(&learn(1.0, |w| squared_error(&x, &y, w, Sees::Others)));
        ratios.push((path[0].w.into(), (arrived(&path).w.abs() / best.w).into()));
    }
    let figure = Chart::new("", "start w₀", &format!("w after {} steps / best w", steps(config)))
        .points("a data set", &ratios)
        .dashed("the best w", &[(0.0, 1.0), (1.0, 1.0)])
        .log(false, true)
        .draw();
    ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
    let first_step = FirstStep {
        data_sets: config.data_sets,
        loss_fell: fell,
        beyond_twice: ratios.iter().filter(|(_, ratio)| *ratio > 2.0).count(),
        median_ratio: ratios[ratios.len() / 2].1,
        largest_ratio: ratios[ratios.len() - 1].1,
        stuck: ratios.iter().filter(|(_, ratio)| *ratio < 0.01).count(),
    };
    (first_step, figure)
}

/// The textbook's training with the loss ½ Σ (f(xⱼ) − yⱼ)²: half the slope, so half the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Halved {
    /// The rate that has the same effect on the loss without the half.
    pub learning_rate: Float,
    /// `w` after the first step.
    pub w_first: Float,
    /// `w` after the last.
    pub w: Float,
    /// The loss there, without the half.
    pub loss: Float,
    /// On the further data sets, what [`FirstStep::beyond_twice`] says.
    pub beyond_twice: usize,
    /// … and [`FirstStep::median_ratio`].
    pub median_ratio: f64,
}

fn halved(config: &Config, start: Float, x: &[Float], y: &[Float]) -> Halved {
    let config = Config { learning_rate: config.learning_rate / 2.0, ..config.clone() };
    let path = textbook_training(&config, start, x, y);
    let (further, _) = first_steps(&config);
    Halved {
        learning_rate: config.learning_rate,
        w_first: path[1].w,
        w: arrived(&path).w,
        loss: arrived(&path).loss,
        beyond_twice: further.beyond_twice,
        median_ratio: further.median_ratio,
    }
}

// ---- two inputs --------------------------------------------------------------------------------

/// Points in a plane whose value depends on the first input alone, or on one direction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plane {
    /// One width for both inputs: `W = w·1`, learnt.
    pub one_width: PlaneFit,
    /// A full matrix `W`, learnt.
    pub full: PlaneFit,
    /// The same with inputs turned by the angle.
    pub turned: PlaneFit,
    /// The direction in which the metric of `full` stretches most, in degrees from the first axis.
    pub full_angle: Float,
    /// The same of `turned`.
    pub turned_angle: Float,
}

/// What was learnt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaneFit {
    /// `WᵀW`, row by row.
    pub metric: [[Float; 2]; 2],
    /// The leave-one-out mean squared error.
    pub error: Float,
    /// The mean squared distance from the truth at 2000 fresh places.
    pub distance_from_truth: Float,
}

fn plane(config: &Config) -> (Plane, [Matrix; 2]) {
    let start = Matrix::identity(2, 2);
    let learnt = |angle: Float| {
        let rng = &mut shared::rng(config.seed);
        let (x, y) = plane_points(config.plane_points, 0.5, angle, rng);
        let model = train(Attention::new(start.clone()), &x, &y, config.plane_steps);
        (plane_fit(&model, &x, &y, angle), model.metric())
    };
    let (full, metric) = learnt(0.0);
    let (turned, turned_metric) = learnt(config.angle);

    let (x, y) = plane_points(config.plane_points, 0.5, 0.0, &mut shared::rng(config.seed));
    let scaled = |w: Float| Attention::new(&start * w);
    // Along W = w·1 the derivative in w is the trace of ∂L/∂W.
    let loss = |w: Float| {
        let (model, tape) = (scaled(w), Tape::new());
        let loss = leave_one_out_loss(&model, &tape, &x, &y);
        let gradients = loss.1.backward();
        (loss.0, gradients.of(&model.weight).map_or(0.0, |d| d.trace()))
    };
    let one_width = scaled(arrived(&learn(1.0, loss)).w);
    let plane = Plane {
        one_width: plane_fit(&one_width, &x, &y, 0.0),
        full,
        full_angle: longest_direction(&metric),
        turned_angle: longest_direction(&turned_metric),
        turned,
    };
    (plane, [metric, turned_metric])
}

fn leave_one_out_loss<'t>(
    model: &Attention,
    tape: &'t Tape,
    x: &Matrix,
    y: &Matrix,
) -> (Float, Var<'t>) {
    let f = model.leave_one_out(tape.constant(x.clone()), tape.constant(y.clone()));
    let loss = error_on_tape(f, y);
    (loss.scalar(), loss)
}

fn plane_fit(model: &Attention, x: &Matrix, y: &Matrix, angle: Float) -> PlaneFit {
    let tape = Tape::without_gradients();
    let (loss, _) = leave_one_out_loss(model, &tape, x, y);
    let (queries, truths) = plane_points(2000, 0.0, angle, &mut shared::rng(1_000_000));
    let [queries, keys, values] =
        [queries, x.clone(), y.clone()].map(|matrix| tape.constant(matrix));
    let f = model.forward(queries, keys, values).value();
    let m = model.metric();
    PlaneFit {
        metric: [[m[(0, 0)], m[(0, 1)]], [m[(1, 0)], m[(1, 1)]]],
        error: loss / x.ncols() as Float,
        distance_from_truth: (&*f - truths).norm_squared() / f.ncols() as Float,
    }
}

/// The direction in which a symmetric 2 × 2 matrix stretches most, in degrees from the first axis.
fn longest_direction(m: &Matrix) -> Float {
    (0.5 * (2.0 * m[(0, 1)]).atan2(m[(0, 0)] - m[(1, 1)])).to_degrees()
}

// ---- the appendix ------------------------------------------------------------------------------

/// Times the tape: a long chain of small operations, and six layers of 512 × 512 with 512 tokens.
pub fn time(where_and_when: &str) -> Measured {
    const CHAIN: usize = 100_000;
    let chain = best_of(20, || {
        let tape = Tape::new();
        let x = tape.leaf(Matrix::from_element(1, 1, 1.0));
        (0..CHAIN).fold(x, |y, _| y * 1.0).backward().wrt(x)
    });
    let rng = &mut shared::rng(0);
    let layers: Vec<Linear> = (0..6).map(|_| Linear::without_bias(512, 512, rng)).collect();
    let tokens = Matrix::from_fn(512, 512, |_, _| StandardNormal.sample(rng));
    fn network<'t>(tape: &'t Tape, layers: &[Linear], tokens: &Matrix) -> Var<'t> {
        let x = tape.constant(tokens.clone());
        layers.iter().fold(x, |x, layer| layer.forward(x).tanh()).square().sum()
    }
    let forward = best_of(20, || network(&Tape::without_gradients(), &layers, &tokens).scalar());
    let both = best_of(20, || network(&Tape::new(), &layers, &tokens).backward());
    Measured {
        where_and_when: where_and_when.to_owned(),
        operation_ns: chain * 1e9 / CHAIN as f64,
        forward_ms: forward * 1e3,
        both_ms: both * 1e3,
        ratio: both / forward,
    }
}

/// The shortest of several runs, in seconds.
fn best_of<T>(runs: usize, run: impl Fn() -> T) -> f64 {
    let seconds = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(seconds).fold(f64::INFINITY, f64::min)
}

/// The error of central differences, and the step that made it smallest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Differences {
    /// The smallest relative error in f32.
    pub error_f32: f64,
    /// Its step.
    pub step_f32: f64,
    /// The smallest relative error in f64.
    pub error_f64: f64,
    /// Its step.
    pub step_f64: f64,
}

fn differences() -> (Differences, Svg) {
    // The formula of the page, in double precision.
    let exact: f64 = {
        let odds = (1.5_f64).exp(); // α₁/α₂ = e^{(4 − 1)/2}
        let (near, far) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
        let f = 3.0 * near + far;
        let covariance = near * (3.0 - f) * 1.0 + far * (1.0 - f) * 4.0;
        2.0 * (f - 2.0) * -covariance
    };
    let relative = |slope: f64| ((slope - exact) / exact).abs().max(1e-13);
    let steps: Vec<f64> = (0..=60).map(|i| 10f64.powf(-f64::from(i) / 6.0)).collect();
    let single: Vec<(f64, f64)> = steps
        .iter()
        .filter(|h| **h > 1e-7)
        .map(|h| {
            let (up, down) = (1.0 + *h as f32, 1.0 - *h as f32);
            (*h, relative(f64::from((two_keys(up) - two_keys(down)) / (up - down))))
        })
        .collect();
    let double: Vec<(f64, f64)> = steps
        .iter()
        .map(|h| (*h, relative((two_keys(1.0 + h) - two_keys(1.0 - h)) / ((1.0 + h) - (1.0 - h)))))
        .collect();
    let best = |errors: &[(f64, f64)]| {
        errors.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are steps")
    };
    let figure = Chart::new("", "step h", "relative error")
        .line("f32", &single)
        .line("f64", &double)
        .log(true, true)
        .draw();
    let ((step_f32, error_f32), (step_f64, error_f64)) = (best(&single), best(&double));
    (Differences { error_f32, step_f32, error_f64, step_f64 }, figure)
}

// ---- figures -----------------------------------------------------------------------------------

/// Numbers from `low` to `high` at even distances.
pub fn even(low: Float, high: Float, count: usize) -> Vec<Float> {
    (0..count).map(|i| low + (high - low) * i as Float / (count - 1) as Float).collect()
}

/// Numbers from `low` to `high` at even ratios.
pub fn spaced(low: Float, high: Float, count: usize) -> Vec<Float> {
    even(low.ln(), high.ln(), count).into_iter().map(Float::exp).collect()
}

fn landscape(config: &Config, x: &[Float], y: &[Float], textbook: &[Step], learnt: Float) -> Svg {
    let w = spaced(0.1, 300.0, 160);
    let loss = |sees| -> Vec<Float> { w.iter().map(|w| squared_error(x, y, *w, sees).0).collect() };
    let visited = |path: &[Step]| -> Vec<(f64, f64)> {
        path.iter().map(|step| (f64::from(step.w), f64::from(step.loss))).collect()
    };
    let best = squared_error(x, y, learnt, Sees::Others).0;
    Chart::new("", "width w", "summed squared error")
        .line("seeing the others", &points(&w, &loss(Sees::Others)))
        .line("seeing itself, too", &points(&w, &loss(Sees::Everyone)))
        .points(&format!("the textbook's {} steps", steps(config)), &visited(textbook))
        .points("trained to the end", &points(&[learnt], &[best]))
        .log(true, false)
        .draw()
}

fn draw_fits(config: &Config, x: &[Float], y: &[Float], textbook: Float, learnt: Float) -> Svg {
    let grid = even(0.0, 5.0, 501);
    let curve = |w: Float| points(&grid, &predict(&grid, x, y, w));
    let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
    Chart::new("", "x", "y")
        .points("training points", &points(x, y))
        .line(&format!("{} steps, w = {textbook:.1}", steps(config)), &curve(textbook))
        .line(&format!("learnt, w = {learnt:.1}"), &curve(learnt))
        .line("w = 1", &curve(1.0))
        .dashed("truth", &points(&grid, &truths))
        .draw()
}

fn draw_memorised(x: &[Float], y: &[Float], itself: Float, learnt: Float) -> Svg {
    let grid = even(0.0, 5.0, 2001);
    let curve = |w: Float| points(&grid, &predict(&grid, x, y, w));
    Chart::new("", "x", "y")
        .points("training points", &points(x, y))
        .line(&format!("trained seeing itself, w = {itself:.0}"), &curve(itself))
        .line(&format!("seeing the others, w = {learnt:.1}"), &curve(learnt))
        .draw()
}

fn draw_weights(x: &[Float], learnt: Float) -> Svg {
    Svg::grid(&[heatmap(x, 1.0, "w = 1"), heatmap(x, learnt, &learnt_title(learnt))], 1)
}

/// The picture of the repository's first page.
fn draw_fit_and_weights(x: &[Float], y: &[Float], learnt: Float) -> Svg {
    let grid = even(0.0, 5.0, 501);
    let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
    let fit = |w: Float| {
        Chart::new("", "x", "y")
            .points("data", &points(x, y))
            .line("attention", &points(&grid, &predict(&grid, x, y, w)))
            .dashed("truth", &points(&grid, &truths))
            .draw()
    };
    let heatmaps = [heatmap(x, 1.0, "before: w = 1"), heatmap(x, learnt, &learnt_title(learnt))];
    let [before, after] = heatmaps;
    Svg::grid(&[before, after, fit(1.0), fit(learnt)], 2)
}

fn learnt_title(w: Float) -> String {
    format!("learnt: w = {w:.1}")
}

fn heatmap(x: &[Float], w: Float, title: &str) -> Svg {
    let weights = attention_weights(&queries(), x, Kernel::Gaussian, 1.0 / w);
    Heatmap::new(title, "queries, 0 to 4.9", "keys in order of x", &weights).draw()
}

/// The weight, before it is normalised, of a key at every place around a query in the middle.
fn draw_metrics(metrics: &[Matrix; 2], angle: Float) -> Svg {
    let names: Vec<String> = (0..41)
        .map(|i| if i % 10 == 0 { format!("{}", i / 10 - 2) } else { String::new() })
        .collect();
    let upwards: Vec<String> = names.iter().rev().cloned().collect();
    let titles = ["only x₁ matters", &format!("a direction turned by {angle}° matters")];
    let spot = |(title, metric): (&&str, &Matrix)| {
        let weight = Matrix::from_fn(41, 41, |i, j| {
            let u = Matrix::from_column_slice(
                2,
                1,
                &[j as Float / 10.0 - 2.0, 2.0 - i as Float / 10.0],
            );
            let mut square = Matrix::zeros(1, 1);
            gemm(0.0, &mut square, 1.0, &u.t(), &(metric * &u));
            (-0.5 * square[0]).exp()
        });
        Heatmap::new(title, "x₁ of the key − x₁ of the query", "x₂ likewise", &weight)
            .x_names(&names)
            .y_names(&upwards)
            .range(0.0..1.0)
            .draw()
    };
    Svg::grid(&titles.iter().zip(metrics).map(spot).collect::<Vec<_>>(), 1)
}
