//! Layers that are trained on random regressions, and asked which estimator they have become.

use crate::comparison::{Comparison, Expected, Row};
use full_circle::estimators::KernelRidge;
use full_circle::tasks::{Batch, LinearLayer, SoftmaxLayer, best_error, curves, linear_tasks};
use full_circle::{Estimator, Float, LinearAttention, LocalLine, Matrix, NadarayaWatson};
use serde::Serialize;
use shared::{Adam, Module, Optimizer, Rng, Tape, Var, rng, squared_error};
use std::ops::Range;
use workbench::error::Result;
use workbench::stream;

pub const LAYERS: Comparison = Comparison {
    name: "layers",
    about: "Trained layers of linear and of softmax attention: which estimator has each become?",
    record: "17_full_circle/figures/layers.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "random tasks", rows(), judge),
};

#[derive(Clone, Debug, Serialize)]
enum Plan {
    /// A linear layer, and points of a task.
    Linear(usize),
    /// A softmax layer with so many heads.
    Softmax(usize),
}

fn rows() -> Vec<Row<Plan>> {
    let rows = [
        ("linear_10", Plan::Linear(10)),
        ("linear_20", Plan::Linear(20)),
        ("linear_40", Plan::Linear(40)),
        ("softmax_1", Plan::Softmax(1)),
        ("softmax_4", Plan::Softmax(4)),
    ];
    rows.map(|(name, plan)| Row::new(name, plan)).into()
}

const CLAIMS: &[Expected] = &[
    (
        "a_linear",
        "a layer of linear attention comes within 3 % of the best error, at 10, 20 and 40 points",
        |found| {
            let within = |row| Some(found.of(row, "error_over_best")?.highest <= 1.03);
            Some(Some(within("linear_10")? && within("linear_20")? && within("linear_40")?))
        },
    ),
    ("b_rate", "and its rate within 3 % of m/(m + d + 1)", |found| {
        let within = |row| {
            let rate = found.of(row, "rate_over_best")?;
            Some(rate.lowest >= 0.97 && rate.highest <= 1.03)
        };
        Some(Some(within("linear_10")? && within("linear_20")? && within("linear_40")?))
    }),
    ("c_nw", "inside, one softmax head is nearest to the local constant", |found| {
        nearest(found, "softmax_1", "inside", "constant")
    }),
    ("d_four", "inside, four heads are nearer to kernel ridge than one", |found| {
        found.less(("softmax_4", "inside_ridge"), ("softmax_1", "inside_ridge"))
    }),
    (
        "e_outside",
        "outside its training range one head is nearer to no estimator than half of the values' deviation",
        |found| {
            let of = |name| Some(found.of("softmax_1", name)?.lowest);
            let deviation = of("outside_deviation")?;
            let far = |name| Some(of(name)? > 0.5 * deviation);
            Some(Some(far("outside_constant")? && far("outside_line")? && far("outside_ridge")?))
        },
    ),
    (
        "f_bandwidth",
        "one head's bandwidth in the middle is within a third of the one that is best for the local constant",
        |found| {
            let ratio = found.of("softmax_1", "bandwidth_over_best")?;
            let runs = found.of("softmax_1", "inside_error")?.of_seeds.len();
            let all = ratio.of_seeds.len() == runs; // one without a highest point has no bandwidth
            Some(Some(all && ratio.lowest >= 2.0 / 3.0 && ratio.highest <= 4.0 / 3.0))
        },
    ),
];

/// Whether it is nearer to this estimator than to the others, with every seed.
fn nearest(
    found: &crate::Numbers,
    row: &str,
    place: &str,
    estimator: &str,
) -> Option<Option<bool>> {
    let others = ["constant", "line", "ridge"].into_iter().filter(|name| *name != estimator);
    let mut all = true;
    for other in others {
        let names = [estimator, other].map(|name| format!("{place}_{name}"));
        all &= found.every((row, &names[0]), (row, &names[1]), |a, b| a < b)? == Some(true);
    }
    Some(Some(all))
}

fn judge(plan: &Plan, seed: u64) -> Result<Vec<(String, f64)>> {
    let rng = &mut rng(stream(seed, 0));
    Ok(match *plan {
        Plan::Linear(m) => linear(m, rng),
        Plan::Softmax(heads) => softmax(heads, rng),
    })
}

/// Trains on tasks that are drawn for every step; the rate falls to 0 in a line.
fn train<M: Module>(
    model: &mut M,
    steps: u64,
    rate: Float,
    mut draw: impl FnMut() -> Batch,
    answer: impl for<'t> Fn(&M, &'t Tape, &Batch) -> Var<'t>,
) {
    let mut adam = Adam::new(rate);
    for step in 0..steps {
        let batch = draw();
        let tape = Tape::new();
        let tasks = batch.truths.len() as Float;
        let loss = squared_error(answer(model, &tape, &batch), &batch.truths) * tasks.recip();
        let gradients = loss.backward().into();
        adam.set_learning_rate(rate * (1.0 - step as Float / steps as Float));
        adam.step(model, &gradients);
    }
}

fn mean_square(x: &Matrix) -> f64 {
    x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / x.len() as f64
}

// ---- linear ----------------------------------------------------------------------------------------

const D: usize = 10;

fn linear(m: usize, rng: &mut Rng) -> Vec<(String, f64)> {
    let mut model = LinearLayer::new(D, rng);
    let mut of_steps = shared::rng(rand::Rng::next_u64(rng));
    train(&mut model, 4_000, 1e-2, || linear_tasks(128, m, D, &mut of_steps), LinearLayer::answer);
    let best = f64::from(best_error(m, D));
    let best_rate = m as f64 / (m + D + 1) as f64;
    let (mut error, mut exact, mut rate) = (0.0, 0.0, [0.0; 2]);
    for _ in 0..400 {
        let test = linear_tasks(256, m, D, rng);
        let answers = model.answer(&Tape::no_grad(), &test).value();
        error += mean_square(&(&*answers - &test.truths)) / 400.0;
        let step = each(&test, &LinearAttention { rate: (best_rate / m as f64) as Float });
        exact += mean_square(&(&step - &test.truths)) / 400.0;
        rate[0] += f64::from(answers.dot(&step));
        rate[1] += f64::from(step.dot(&step));
    }
    let numbers = [
        ("error", error),
        ("error_over_best", error / best),
        ("error_of_one_step", exact),
        ("best", best),
        ("rate_over_best", rate[0] / rate[1]), // the projection on the best step
    ];
    numbers.map(|(name, number)| (name.to_owned(), number)).into()
}

/// The answers (1, tasks) of an estimator to every task of a batch.
fn each(batch: &Batch, estimator: &impl Estimator) -> Matrix {
    let tasks = batch.queries.ncols();
    let m = batch.keys.ncols() / tasks;
    Matrix::from_fn(1, tasks, |_, task| {
        let [keys, values] =
            [&batch.keys, &batch.values].map(|x| x.columns(task * m, m).into_owned());
        estimator.answer(&batch.queries.columns(task, 1).into_owned(), &keys, &values)[0]
    })
}

// ---- softmax ---------------------------------------------------------------------------------------

const POINTS: usize = 50;
/// Where keys and queries are while it trains.
const INSIDE: Range<Float> = 0.0..5.0;
/// As many keys on as long a line, half of which was never seen; and queries there.
const OUTSIDE: [Range<Float>; 2] = [2.5..7.5, 5.0..7.5];

fn softmax(heads: usize, rng: &mut Rng) -> Vec<(String, f64)> {
    let mut model = SoftmaxLayer::new(heads, rng);
    let mut of_steps = shared::rng(rand::Rng::next_u64(rng));
    train(
        &mut model,
        8_000,
        1e-2,
        || curves(64, POINTS, [INSIDE, INSIDE], &mut of_steps),
        SoftmaxLayer::answer,
    );
    let mut numbers = Vec::new();
    // The estimators at their best for such curves, chosen inside on curves that nothing else sees.
    let chosen = curves(500, POINTS, [INSIDE, INSIDE], rng);
    let error = |answers: &Matrix, batch: &Batch| mean_square(&(answers - &batch.truths));
    let bandwidths: Vec<Float> = (0..16).map(|i| 0.1 * (1.2 as Float).powi(i)).collect();
    let best = |of: &dyn Fn(Float) -> Matrix| {
        let tried = bandwidths.iter().map(|h| (*h, error(&of(*h), &chosen)));
        tried.min_by(|a, b| a.1.total_cmp(&b.1)).expect("a bandwidth")
    };
    let (h, _) = best(&|bandwidth| each(&chosen, &NadarayaWatson { bandwidth }));
    let (h_line, _) = best(&|bandwidth| each(&chosen, &LocalLine { bandwidth }));
    let ridges = [0.03, 0.1, 0.3, 1.0]
        .map(|ridge| (ridge, best(&|bandwidth| each(&chosen, &KernelRidge { bandwidth, ridge }))));
    let (ridge, (h_ridge, _)) =
        ridges.into_iter().min_by(|a, b| a.1.1.total_cmp(&b.1.1)).expect("a ridge");
    for (place, ranges) in [("inside", [INSIDE, INSIDE]), ("outside", OUTSIDE)] {
        let test = curves(2_000, POINTS, ranges, rng);
        let answers = model.answer(&Tape::no_grad(), &test).value();
        let estimators = [
            each(&test, &NadarayaWatson { bandwidth: h }),
            each(&test, &LocalLine { bandwidth: h_line }),
            each(&test, &KernelRidge { bandwidth: h_ridge, ridge }),
        ];
        for (name, of) in ["constant", "line", "ridge"].into_iter().zip(&estimators) {
            let distance = mean_square(&(&*answers - of)).sqrt();
            numbers.push((format!("{place}_{name}"), distance));
            numbers.push((format!("{place}_error_{name}"), error(of, &test)));
        }
        numbers.push((format!("{place}_deviation"), mean_square(&test.truths).sqrt()));
        numbers.push((format!("{place}_error"), error(&answers, &test)));
    }
    if heads == 1 {
        for (place, x) in [("left", 0.0), ("middle", 2.5), ("right", 5.0), ("beyond", 7.5)] {
            if let Some((centre, width)) = model.centre_and_bandwidth(0, x) {
                numbers.push((format!("centre_{place}"), f64::from(centre)));
                numbers.push((format!("bandwidth_{place}"), f64::from(width)));
                if place == "middle" {
                    numbers.push(("bandwidth_over_best".to_owned(), f64::from(width / h)));
                }
            }
        }
    }
    let best = [("best_constant", h), ("best_line", h_line), ("best_ridge", h_ridge)];
    numbers.extend(best.map(|(name, h)| (name.to_owned(), f64::from(h))));
    numbers
}
