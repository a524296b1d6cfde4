//! Chapter 2: a width that is learnt, what happens when points see themselves, and a matrix of widths.

use crate::comparison::{Comparison, Numbers};
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::{Kernel, bandwidth, mean_squared_error};
use parametric_attention::graph::{graph, two_keys};
use parametric_attention::program::{Fifty, even, plane_points, spaced};
use parametric_attention::training::{on_tape, train};
use parametric_attention::{
    Attention, Sees, Step, descend, effective_keys, learn, predict, predict_with_slope,
    squared_error, weights,
};
use rand::RngExt;
use serde_json::{Value, json};
use shared::{Float, Matrix, Tape, Var, finite_differences, rng, squared_error as error_on_tape};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg, colour};
use workbench::stream;

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "width",
    about: "A width that is learnt, with each point seeing itself and without; a matrix of widths",
    record: "02_parametric_attention/figures/results.json",
    claims: &[],
    figures: &[
        ("landscape", |_| Fifty::new(0).landscape()),
        ("fits", |_| Fifty::new(0).fits()),
        ("memorised", memorised),
        ("first_step", first_step),
        ("metric", metric),
        ("differences", |_| differences().1),
    ],
    run: |this, arguments| this.record_once(arguments, "fifty points", found),
}];

pub fn found() -> BTreeMap<String, Value> {
    let fifty = Fifty::new(0);
    let (textbook, learnt) = (fifty.textbook(0.5, 5), fifty.learnt().w);
    let itself = descend(fifty.start, 0.5, 50_000, |w| fifty.loss(w, Sees::Everyone));
    let grid: Vec<Float> = even(0.0, 5.0, 501).into_iter().map(truth).collect();
    let fits = json!({
        "unit": fit(&fifty, 1.0),
        "textbook": fit(&fifty, textbook[5].w),
        "learnt": fit(&fifty, learnt),
        "itself": fit(&fifty, itself[50_000].w),
        "truth_bending": bending(&grid),
    });
    [
        ("example", json!({"wide": answer(0.25), "middling": answer(1.0), "narrow": answer(4.0)})),
        ("gradient", gradient(&fifty)),
        ("textbook", json!(textbook)),
        ("descents", descents(&fifty)),
        ("width", width(&fifty, learnt)),
        ("fits", fits),
        ("itself", memories(&fifty, &itself)),
        ("first_step", first_steps()),
        ("plane", plane()),
        ("graph", json!(graph())),
        ("differences", differences().0),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// Chapter 1's readings, asked about half past ten; `shares` is what each contributes to the slope.
fn answer(w: Float) -> Value {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let (prediction, slope) = predict_with_slope(10.5, &hours, &degrees, w, None);
    let alpha = weights(10.5, &hours, w, None);
    let shares = [0, 1, 2]
        .map(|i| -w * alpha[i] * (degrees[i] - prediction) * (10.5 - hours[i]) * (10.5 - hours[i]));
    json!({"w": w, "weights": alpha, "prediction": prediction, "slope": slope, "shares": shares})
}

/// ∂L/∂w where training begins: by hand, by the tape, by differences; and how far hand and tape are apart
/// over widths from 0.1 to 30.
fn gradient(Fifty { x, y, start }: &Fifty) -> Value {
    let by_hand = |w: Float| squared_error(x, y, w, Sees::Others).1;
    let widths = spaced(0.1, 30.0, 40).into_iter();
    let apart = widths.map(|w| (on_tape(w, x, y).1 - by_hand(w)).abs() / by_hand(w).abs());
    let at = Matrix::from_element(1, 1, *start);
    let differences = finite_differences(|w| squared_error(x, y, w[0], Sees::Others).0, &at)[0];
    json!({
        "w": start, "by_hand": by_hand(*start), "tape": on_tape(*start, x, y).1,
        "differences": differences,
        "worst": apart.fold(0.0, Float::max),
    })
}

/// Steps until the loss is within a tenth of a per cent of its minimum.
fn descents(fifty: &Fifty) -> Value {
    let loss = |w| fifty.loss(w, Sees::Others);
    let best = fifty.learnt().loss;
    let until = |path: Vec<Step>| path.iter().position(|step| step.loss < 1.001 * best);
    json!({
        "textbook_rate": until(descend(fifty.start, 0.5, 5_000, loss)),
        "small_rate": until(descend(fifty.start, 0.01, 5_000, loss)),
        "logarithms": until(learn(fifty.start, loss)),
    })
}

/// The learnt width beside the bandwidth that chapter 1 chose by trying.
fn width(Fifty { x, y, .. }: &Fifty, learnt: Float) -> Value {
    let choice = bandwidth::choose(x, y, Kernel::Gaussian, &bandwidth::candidates(x), 1, || ());
    let error = bandwidth::leave_one_out_error(x, y, Kernel::Gaussian, 1.0 / learnt, 1);
    json!({
        "learnt": learnt, "one_over": 1.0 / learnt, "bandwidth": choice.bandwidth, "error": error,
    })
}

/// The mean squared distance from the truth at 501 queries, and how much the curve bends: all changes of its
/// slope between 0 and 5, added up.
fn of_curve(Fifty { x, y, .. }: &Fifty, w: Float) -> (f64, f64) {
    let grid = even(0.0, 5.0, 501);
    let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
    let curve = predict(&grid, x, y, w);
    (mean_squared_error(&curve, &truths), bending(&curve))
}

fn bending(curve: &[Float]) -> f64 {
    let f = |i: usize| f64::from(curve[i]);
    (1..curve.len() - 1).map(|i| ((f(i + 1) - f(i)) - (f(i) - f(i - 1))).abs() / 0.01).sum()
}

fn fit(fifty: &Fifty, w: Float) -> Value {
    let (distance, bending) = of_curve(fifty, w);
    let queries: Vec<Float> = (0..50).map(|i| i as Float / 10.0).collect();
    let squares = queries.iter().map(|x| 1.0 / effective_keys(&weights(*x, &fifty.x, w, None)));
    json!({
        "w": w, "loss": fifty.loss(w, Sees::Others).0, "distance_from_truth": distance,
        "keys": queries.len() as Float / squares.sum::<Float>(),
        "bending": bending,
    })
}

/// Training in which a point may attend to itself.
fn memories(fifty: &Fifty, path: &[Step]) -> Value {
    let quick = learn(fifty.start, |w| fifty.loss(w, Sees::Everyone));
    let memory = |step: &Step| {
        let (distance, _) = of_curve(fifty, step.w);
        json!({"w": step.w, "loss": step.loss, "distance_from_truth": distance})
    };
    json!({
        "epochs_5": memory(&path[5]), "epochs_500": memory(&path[500]),
        "epochs_50000": memory(&path[50_000]),
        "logarithms": memory(&quick[quick.len() - 1]), "logarithms_steps": quick.len() - 1,
    })
}

/// Where the textbook's training leads on data sets drawn like the first; `points` holds w₀ and w after the
/// last epoch over the best w.
fn first_steps() -> Value {
    let (mut points, mut fell, mut minimum_at_zero) = (Vec::new(), 0, 0);
    for i in 0..200 {
        let rng = &mut rng(stream(0, 1 + i));
        let (x, y) = noisy_points(50, rng);
        let fifty = Fifty { x, y, start: rng.random::<f64>() as Float };
        let path = fifty.textbook(0.5, 5);
        fell += usize::from(path[5].loss < path[0].loss);
        let best = learn(1.0, |w| fifty.loss(w, Sees::Others));
        // The slope is 0 at w = 0; beside it, its sign says on which side the loss is lower.
        minimum_at_zero += usize::from(fifty.loss(1e-2, Sees::Others).1 > 0.0);
        points.push((path[0].w, f64::from(path[5].w.abs() / best[best.len() - 1].w)));
    }
    let mut ratios: Vec<f64> = points.iter().map(|point| point.1).collect();
    ratios.sort_by(f64::total_cmp);
    json!({
        "data_sets": points.len(), "loss_fell": fell, "minimum_at_zero": minimum_at_zero,
        "beyond_twice": ratios.iter().filter(|ratio| **ratio > 2.0).count(),
        "median_ratio": ratios[100], "largest_ratio": ratios[199],
        "stuck": ratios.iter().filter(|ratio| **ratio < 0.01).count(), // at the flat end
        "points": points,
    })
}

/// Two inputs, one of them irrelevant: one width, a matrix, and a matrix for turned inputs.
fn plane() -> Value {
    let draw = |angle| plane_points(200, 0.5, angle, &mut rng(stream(0, 0)));
    let matrix = |angle: Float| {
        let (x, y) = draw(angle);
        let model = train(Attention::new(Matrix::identity(2, 2)), &x, &y, 1500);
        (of_model(&model, &x, &y, angle), model.metric())
    };
    let ((full, _), (turned, metric)) = (matrix(0.0), matrix(30.0));
    let longest =
        (0.5 * (2.0 * metric[(0, 1)]).atan2(metric[(0, 0)] - metric[(1, 1)])).to_degrees();
    let (x, y) = draw(0.0);
    let scaled = |w: Float| Attention::new(Matrix::identity(2, 2) * w);
    // Along W = w·1 the derivative in w is the trace of ∂L/∂W.
    let path = learn(1.0, |w| {
        let (model, tape) = (scaled(w), Tape::new());
        let loss = left_out(&model, &tape, &x, &y);
        let (value, gradients) = (loss.scalar(), loss.backward());
        (value, gradients.of(&model.weight).map_or(0.0, |d| d.trace()))
    });
    let one_width = of_model(&scaled(path[path.len() - 1].w), &x, &y, 0.0);
    json!({"one_width": one_width, "full": full, "turned": turned, "turned_angle": longest})
}

fn left_out<'t>(model: &Attention, tape: &'t Tape, x: &Matrix, y: &Matrix) -> Var<'t> {
    error_on_tape(model.leave_one_out(tape.constant(x.clone()), tape.constant(y.clone())), y)
}

/// The metric, row by row, the error, and the mean squared distance from the truth at 2000 fresh places.
fn of_model(model: &Attention, x: &Matrix, y: &Matrix, angle: Float) -> Value {
    let tape = Tape::no_grad();
    let loss = left_out(model, &tape, x, y).scalar();
    let (queries, truths) = plane_points(2000, 0.0, angle, &mut rng(1_000_000));
    let [queries, keys, values] = [&queries, x, y].map(|matrix| tape.constant(matrix.clone()));
    let f = model.forward(queries, keys, values).value();
    let m = model.metric();
    json!({
        "metric": [[m[(0, 0)], m[(0, 1)]], [m[(1, 0)], m[(1, 1)]]],
        "error": loss / x.ncols() as Float,
        "distance_from_truth": (&*f - truths).norm_squared() / f.ncols() as Float,
    })
}

/// How exact finite differences of the little loss are, in single and in double precision.
fn differences() -> (Value, Svg) {
    // The formula of the page, in double precision.
    let odds = (1.5_f64).exp(); // α₁/α₂ = e^{(4 − 1)/2}
    let (near, far) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
    let f = 3.0 * near + far;
    let exact = -2.0 * (f - 2.0) * (near * (3.0 - f) + far * (1.0 - f) * 4.0);
    let relative = |slope: f64| ((slope - exact) / exact).abs().max(1e-13);
    let single = |h: f64| {
        let (up, down) = (1.0 + h as f32, 1.0 - h as f32);
        (h, relative(f64::from((two_keys(up) - two_keys(down)) / (up - down))))
    };
    let double = |h: f64| {
        let (up, down) = (1.0 + h, 1.0 - h);
        (h, relative((two_keys(up) - two_keys(down)) / (up - down)))
    };
    let steps: Vec<f64> = (0..=60).map(|i| 10f64.powf(-f64::from(i) / 6.0)).collect();
    let single: Vec<_> = steps.iter().filter(|h| **h > 1e-7).map(|h| single(*h)).collect();
    let double: Vec<_> = steps.iter().map(|h| double(*h)).collect();
    let best = |errors: &[(f64, f64)]| errors.iter().map(|e| e.1).fold(f64::INFINITY, f64::min);
    let numbers = json!({"error_f32": best(&single), "error_f64": best(&double)});
    let chart = Chart::new("", "step h", "relative error").line("f32", &single);
    (numbers, chart.line("f64", &double).log(true, true).draw())
}

// ---- pictures ------------------------------------------------------------------------------------

fn memorised(found: &Numbers) -> Svg {
    let itself = found.once["itself"]["epochs_50000"]["w"].as_f64().unwrap_or_default();
    let fifty = Fifty::new(0);
    let learnt = fifty.learnt().w;
    let itself_name = format!("trained seeing itself, w = {itself:.0}");
    let learnt_name = format!("seeing the others, w = {learnt:.1}");
    let curves = [
        (&itself_name[..], itself as Float, colour::SEES_ITSELF),
        (&learnt_name, learnt, colour::LEARNT),
    ];
    fifty.curves(2001, &curves).draw()
}

fn first_step(found: &Numbers) -> Svg {
    let points = found.once["first_step"]["points"].as_array().into_iter().flatten();
    let points: Vec<(f64, f64)> =
        points.filter_map(|point| Some((point[0].as_f64()?, point[1].as_f64()?))).collect();
    Chart::new("", "start w₀", "w after five steps / best w")
        .points("a data set", &points)
        .coloured(colour::TEXTBOOK)
        .dashed("the best w", &[(0.0, 1.0), (1.0, 1.0)])
        .coloured(colour::GIVEN)
        .log(false, true)
        .draw()
}

/// The weight, before it is normalised, of a key at every place around a query in the middle.
fn metric(found: &Numbers) -> Svg {
    let learnt = |model: &str| {
        let metric = &found.once["plane"][model]["metric"];
        Matrix::from_fn(2, 2, |i, j| metric[i][j].as_f64().unwrap_or_default() as Float)
    };
    let names =
        (0..41).map(|i| if i % 10 == 0 { format!("{}", i / 10 - 2) } else { String::new() });
    let names: Vec<String> = names.collect();
    let upwards: Vec<String> = names.iter().rev().cloned().collect();
    let spot = |title: &str, metric: &Matrix| {
        let weight = Matrix::from_fn(41, 41, |i, j| {
            let place = [j as Float / 10.0 - 2.0, 2.0 - i as Float / 10.0];
            let u = Matrix::from_column_slice(2, 1, &place);
            (-0.5 * u.dot(&(metric * &u))).exp()
        });
        Heatmap::new(title, "x₁ of the key − x₁ of the query", "the same of x₂", &weight)
            .x_names(&names)
            .y_names(&upwards)
            .range(0.0..1.0)
    };
    let spots = [
        spot("before training", &Matrix::identity(2, 2)),
        spot("trained: only x₁ matters", &learnt("full")),
        spot("trained: turned by 30°", &learnt("turned")),
    ];
    Svg::grid(&spots.each_ref().map(Heatmap::panel), 3).keyed(&spots[0].key())
}
