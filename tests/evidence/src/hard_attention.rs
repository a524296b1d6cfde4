//! Chapter 8: the REINFORCE estimate against the gradient itself; soft, enumerated and sampled attention on the same
//! lookup.

use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Numbers, Row, short};
use hard_attention::estimator::{self, exact, optimal_baseline, second_moment};
use hard_attention::program::statistics::sign_test;
use hard_attention::program::training::{
    Change, Config, Kind, batch_loss, draw, learning_curve, stream, train, world,
};
use hard_attention::retrieval::{Episode, Method, Model, QUERIES};
use hard_attention::{Baseline, marginal_loss};
use rand::RngExt;
use serde_json::{Value, json};
use shared::{Float, Matrix, Tape, elementwise, product, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Chart, Svg, colour};
use workbench::statistics::{Bootstrap, Spread};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "learning",
    about: "The estimate of one gradient; then all ways to train, and what sharpens alignments",
    record: "08_hard_attention/figures/results.json",
    claims: CLAIMS,
    figures: &[("running_mean", running_mean), ("variance", variances), ("learning", learning)],
    run: |this, arguments| {
        this.compare_and(arguments, "a lookup among 64 places", rows(), judge, || Ok(found_once()))
    },
}];

/// Method, what is changed, and the rest.
type Training = (Kind, Change, Config);

/// The rows: all methods, other weights of the bonus, one thing changed.
fn rows() -> Vec<Row<Training>> {
    use {Change::*, Kind::*};
    let row = |name, kind, change| Row::new(name, (kind, change, Config::default()));
    let bonus = |name, lambda| {
        Row::new(name, (BaselineEntropy, Change::None, Config { lambda, ..Config::default() }))
    };
    vec![
        row("soft", Soft, Change::None),
        row("enumerated", Enumerated, Change::None),
        row("marginal", Marginal, Change::None),
        row("no_baseline", NoBaseline, Change::None),
        row("baseline", Baseline, Change::None),
        row("baseline_entropy", BaselineEntropy, Change::None),
        row("straight_through", StraightThrough, Change::None),
        bonus("bonus_0_01", 0.01),
        bonus("bonus_0_05", 0.05),
        bonus("bonus_0_2", 0.2),
        row("soft_random_answers", Soft, RandomAnswers),
        row("enumerated_random_answers", Enumerated, RandomAnswers),
        row("baseline_random_answers", Baseline, RandomAnswers),
        row("soft_slow_scores", Soft, SlowScores),
        row("enumerated_slow_scores", Enumerated, SlowScores),
        row("baseline_slow_scores", Baseline, SlowScores),
        row("baseline_sharp_start", Baseline, SharpStart),
    ]
}

/// The learning curve of the seven methods is kept as `above_80_…`.
const CURVES: [(&str, &str, colour::Colour); 5] = [
    ("soft", "soft", colour::SOFT),
    ("enumerated", "enumerated", colour::ENUMERATED),
    ("no_baseline", "no baseline", colour::NO_BASELINE),
    ("baseline", "baseline", colour::MEAN_BASELINE),
    ("baseline_entropy", "with entropy bonus", colour::ENTROPY_BONUS),
];

fn solved(accuracy: f64) -> f64 {
    f64::from(u8::from(accuracy > 0.9))
}

fn judge((kind, change, config): &Training, seed: u64) -> Result<Vec<(String, f64)>> {
    let curve = learning_curve(*kind, *change, config, seed);
    let (steps, last) = curve[curve.len() - 1];
    let to_80 = curve.iter().find(|point| point.1.argmax > 0.8).map_or(steps, |point| point.0);
    let mut numbers = vec![
        ("accuracy".to_owned(), last.argmax),
        ("solved".to_owned(), solved(last.argmax)),
        ("entropy".to_owned(), last.entropy),
        ("entropy_75".to_owned(), curve[1].1.entropy),
        ("steps_to_80".to_owned(), to_80 as f64),
    ];
    if *change == Change::None && config.lambda == Config::default().lambda {
        for (step, tested) in &curve {
            numbers.push((format!("above_80_{step:04}"), at_80(tested)));
        }
    }
    Ok(numbers)
}

fn at_80(tested: &hard_attention::program::training::Tested) -> f64 {
    f64::from(u8::from(tested.argmax > 0.8))
}

fn learning(numbers: &Numbers) -> Svg {
    let title = "Trainings that answer more than 80 % right";
    let mut chart = Chart::new(title, "training step", "share of the seeds");
    for (row, name, colour) in CURVES {
        let numbers = numbers.rows.get(row).into_iter().flatten();
        let curve = numbers.filter_map(|(name, share)| {
            Some((name.strip_prefix("above_80_")?.parse::<usize>().ok()?, share.mean))
        });
        chart = chart.curve(name, curve).coloured(colour);
    }
    chart.y_range(0.0..1.03).draw()
}

/// By how much these exceed those on average, seed by seed: the signs of a 95 % interval (paired bootstrap) and,
/// of solved trainings, of the sign test.
fn more(these: &Spread, those: impl Fn(usize) -> f64) -> Option<bool> {
    let differences: Vec<f64> =
        these.of_seeds.iter().enumerate().map(|(i, x)| x - those(i)).collect();
    let interval = Bootstrap::default().of(differences.len(), &mut rng(0), |drawn| {
        drawn.iter().map(|i| differences[*i]).sum::<f64>() / drawn.len() as f64
    });
    interval.is_positive()
}

/// Whether a number of these is larger than that of those, seed by seed.
fn larger(found: &Numbers, number: &str, these: &str, those: &str) -> Verdict {
    let (these, those) = (found.of(these, number)?, found.of(those, number)?);
    Some(more(these, |i| those.of_seeds[i]))
}

/// Whether these solve more trainings: decided when the sign test decides it, too.
fn solves_more(found: &Numbers, these: &str, those: &str) -> Verdict {
    let pairs = || {
        let of = |row| Some(&found.of(row, "solved")?.of_seeds);
        Some(of(these)?.iter().zip(of(those)?))
    };
    let (more, fewer) =
        (pairs()?.filter(|(a, b)| a > b).count(), pairs()?.filter(|(a, b)| a < b).count());
    let decided = sign_test(more, fewer) < 0.05;
    Some(larger(found, "solved", these, those)?.filter(|_| decided))
}

/// A number of what was found once.
fn once(found: &Numbers, path: &str) -> f64 {
    let mut steps = path.split('.');
    let first = steps.next().and_then(|step| found.once.get(step));
    let value = first.and_then(|value| steps.try_fold(value, |value, step| value.get(step)));
    value.and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// Whether a number holds of all rows, with every seed.
fn every(found: &Numbers, rows: &[&str], number: &str, holds: fn(f64) -> bool) -> Verdict {
    let of_seeds = rows.iter().map(|row| Some(&found.of(row, number)?.of_seeds));
    let of_seeds = of_seeds.collect::<Option<Vec<_>>>()?;
    Some(Some(of_seeds.into_iter().flatten().all(|x| holds(*x))))
}

const TIMES: [&str; 2] = ["early", "late"];

const CLAIMS: &[Expected] = &[
    (
        "a_unbiased",
        "the mean of the estimates lies within 4 standard errors of the enumerated gradient in each of its 256 entries, whatever the baseline",
        |found| {
            let mut names = TIMES.into_iter().flat_map(|time| {
                ["none", "moving", "optimal"].map(|of| format!("{time}.{of}.largest_z"))
            });
            Some(Some(names.all(|name| once(found, &name) <= 4.0)))
        },
    ),
    (
        "b_variance",
        "the moving average at least halves the variance, and the optimal constant does no worse",
        |found| {
            let gain = |time, of| once(found, &format!("{time}.{of}_factor"));
            Some(Some(TIMES.iter().all(|time| {
                gain(time, "moving") >= 2.0 && gain(time, "optimal") >= gain(time, "moving")
            })))
        },
    ),
    (
        "c_straight_through",
        "the mean of the straight-through estimate is further away than 4 standard errors in some entry",
        |found| {
            let z = TIMES.map(|time| once(found, &format!("{time}.straight_through.largest_z")));
            Some(Some(z.into_iter().all(|z| z > 4.0)))
        },
    ),
    (
        "d_hard_learns",
        "hard attention with baseline and entropy bonus answers more than 0.9 right by argmax, with every seed",
        |found| found.at_least("baseline_entropy", "solved", 1.0),
    ),
    ("e_slower", "it needs at least twice as many steps to 0.8 as soft attention", |found| {
        let [hard, soft] = ["baseline_entropy", "soft"].map(|row| found.of(row, "steps_to_80"));
        let soft = soft?;
        Some(more(hard?, |i| 2.0 * soft.of_seeds[i]))
    }),
    (
        "f_enumerated",
        "the enumerated gradient needs fewer steps to 0.8 than any sampled one",
        |found| {
            let sampled = ["no_baseline", "baseline", "baseline_entropy", "straight_through"];
            let slower = sampled.map(|row| larger(found, "steps_to_80", row, "enumerated"));
            Some(all_hold(slower.into_iter().collect::<Option<Vec<_>>>()?))
        },
    ),
    (
        "g_baseline",
        "without a baseline fewer answers are right at the end than with one",
        |found| larger(found, "accuracy", "baseline", "no_baseline"),
    ),
    (
        "h_collapse",
        "without the entropy bonus alignments are sharper at the end and fewer answers are right",
        |found| {
            let more = |number| larger(found, number, "baseline_entropy", "baseline");
            Some(all_hold([more("entropy")?, more("accuracy")?]))
        },
    ),
    (
        "i_random",
        "with random answers, from which nothing can be learnt, the entropy after 75 steps is below 2 nats with every seed and method, too",
        |found| {
            let rows =
                ["soft", "enumerated", "baseline"].map(|kind| format!("{kind}_random_answers"));
            every(found, &rows.each_ref().map(|row| &row[..]), "entropy_75", |nats| nats < 2.0)
        },
    ),
    (
        "j_slow_scores",
        "with a tenth of the learning rate for the scores alone it is above 3 nats with every seed and method",
        |found| {
            let rows = ["soft", "enumerated", "baseline"].map(|kind| format!("{kind}_slow_scores"));
            every(found, &rows.each_ref().map(|row| &row[..]), "entropy_75", |nats| nats > 3.0)
        },
    ),
    ("k_slow_solves", "one look, moving average: slower scores solve more trainings", |found| {
        solves_more(found, "baseline_slow_scores", "baseline")
    }),
    (
        "l_sharp_start",
        "slower scores that begin sharp solve fewer than slower scores that begin flat",
        |found| solves_more(found, "baseline_slow_scores", "baseline_sharp_start"),
    ),
    (
        "m_marginal",
        "trained on the marginal likelihood, more trainings are solved than on the bound",
        |found| solves_more(found, "marginal", "enumerated"),
    ),
];

/// The page's example by hand, and the estimates early and late in a training.
fn found_once() -> BTreeMap<String, Value> {
    let found = [("example", example()), ("early", estimates(300)), ("late", estimates(600))];
    found.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Chapter 3's stall, where only one price label may be turned over and what was wished for costs 4; and the pull of
/// a place that is right, has the weight 0.01 and the loss 0.1, where all others cost 5.
fn example() -> Value {
    let alpha = scoring_functions::program::example().weights.to_vec();
    let losses: Vec<Float> = [4.0, 1.0, 3.0].map(|price: Float| (price - 4.0).powi(2)).to_vec();
    let expected = elementwise::dot(&alpha, &losses);
    let shorts = |x: &[Float]| -> Vec<f64> { x.iter().map(|x| short(*x)).collect() };
    let draws = |baseline: Float| -> [Vec<f64>; 3] {
        [0, 1, 2].map(|z| shorts(estimator::estimate(&alpha, z, losses[z], baseline).as_slice()))
    };
    let variance = |baseline| short(estimator::variance(&alpha, &losses, baseline));
    let optimal = optimal_baseline(&alpha, &losses, &estimator::lengths(&alpha));
    let tape = Tape::new();
    let all = Matrix::from_fn(1, 100, |_, i| if i == 0 { 0.1 } else { 5.0 });
    let scores = tape.leaf(Matrix::zeros(100, 1));
    let marginal = marginal_loss(scores, tape.constant(all.clone())).backward().wrt(scores)[0];
    json!({
        "alpha": shorts(&alpha), "expected": short(expected), "optimal": short(optimal),
        "exact": shorts(exact(&alpha, &losses).as_slice()),
        "bare": draws(0.0), "with_baseline": draws(expected),
        "bare_variance": variance(0.0), "baseline_variance": variance(expected),
        "optimal_variance": variance(optimal), "marginal": short(marginal),
        "posterior": short(0.01 - marginal), "bound": short(exact(&[0.01; 100], all.as_slice())[0]),
    })
}

/// Estimates of the gradient with respect to W that are averaged.
const DRAWS: usize = 20_000;

/// The estimates of one gradient after so many steps of a training, against the one that visits all places.
fn estimates(steps: usize) -> Value {
    let config = Config { steps, ..Config::default() };
    let model = train(Kind::BaselineEntropy, Change::None, &config, 0, |_, _| {});
    let episode = world(0).episode(&mut rng(stream(4000)));
    let goal = gradient(&model, &episode, Method::Enumerated, &[]);
    let (optimal, variance) = by_enumeration(&model, &episode);
    let moving = moving_average(&model);
    let of = |method| {
        let rng = &mut rng(stream(5000));
        against(&goal, || {
            let uniforms: Vec<Float> = (0..QUERIES).map(|_| rng.random()).collect();
            gradient(&model, &episode, method, &uniforms)
        })
    };
    let sampled = |baseline| of(Method::Sampled { baseline, entropy: 0.0 });
    let factor = |b| short(variance(0.0) / variance(b));
    let parabola = (0..=20).map(|i| optimal * i as Float / 10.0);
    let parabola: Vec<[f64; 2]> = parabola.map(|b| [short(b), short(variance(b))]).collect();
    json!({
        "none": sampled(0.0), "moving": sampled(moving), "optimal": sampled(optimal),
        "straight_through": of(Method::StraightThrough), "entry": short(goal[largest(&goal)]),
        "moving_baseline": short(moving), "optimal_baseline": short(optimal), "parabola": parabola,
        "moving_factor": factor(moving), "optimal_factor": factor(optimal),
    })
}

/// The gradient of the mean over the queries of one episode.
fn gradient(model: &Model, episode: &Episode, method: Method, uniforms: &[Float]) -> Matrix {
    let tape = Tape::new();
    let loss = model.loss(&tape, episode, method, uniforms).objective * (1.0 / QUERIES as Float);
    loss.backward().of(&model.content.w.weight).expect("the loss depends on W").clone()
}

fn largest(x: &Matrix) -> usize {
    let entries = x.iter().enumerate();
    entries.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).expect("entries").0
}

/// Draws estimates of a gradient: variance, summed over the entries; standard errors between mean and goal, in the
/// entry that is furthest off; the cosine between both; running means of the largest entry and its deviation.
fn against(goal: &Matrix, mut estimate: impl FnMut() -> Matrix) -> Value {
    let (mut sum, mut squares) = (goal.map(|_| 0.0_f64), goal.map(|_| 0.0_f64));
    let entry = largest(goal);
    let mut running = Vec::new();
    let mut next = 10;
    for draw in 1..=DRAWS {
        let one = estimate().map(f64::from);
        squares += one.component_mul(&one);
        sum += one;
        if draw == next {
            running.push((draw, short((sum[entry] / draw as f64) as Float)));
            next = (draw as f64 * 1.26).ceil() as usize;
        }
    }
    let (n, goal) = (DRAWS as f64, goal.map(f64::from));
    let mean = sum / n;
    let variance = (squares / n - mean.component_mul(&mean)) * (n / (n - 1.0));
    let z = (0..goal.len()).map(|i| ((mean[i] - goal[i]) / (variance[i] / n).sqrt()).abs());
    json!({
        "variance": short(variance.sum() as Float),
        "largest_z": short(z.fold(0.0, f64::max) as Float),
        "cosine": short((mean.dot(&goal) / (mean.norm() * goal.norm())) as Float),
        "deviation": short(variance[entry].sqrt() as Float), "running": running,
    })
}

/// The best constant baseline, and the variance with any: finite sums over queries and places, without a draw. A
/// query's `∂ln α_z/∂W` is `q(k_z − k̄)ᵀ` with `k̄ = Kα`.
fn by_enumeration(model: &Model, episode: &Episode) -> (Float, impl Fn(Float) -> Float) {
    let Episode { keys, queries, values, answers, .. } = episode;
    let tape = Tape::no_grad();
    let alpha = Matrix::clone(&model.scores(&tape, episode).softmax().value()); // (m, n)
    let losses = model.losses(tape.constant(values.clone()), answers).value(); // (1, m·n)
    let (m, n) = alpha.shape();
    let (centres, mut means) = (product(keys, &alpha), 0.0);
    let lengths = Matrix::from_fn(m, n, |i, j| {
        (keys.column(i) - centres.column(j)).norm_squared() * queries.column(j).norm_squared()
    });
    for (j, losses) in losses.as_slice().chunks(m).enumerate() {
        let ds = exact(alpha.column(j).as_slice(), losses);
        means += product(keys, &ds).norm_squared() * queries.column(j).norm_squared();
    }
    let losses = losses.as_slice().to_vec();
    let optimal = optimal_baseline(alpha.as_slice(), &losses, lengths.as_slice());
    (optimal, move |b| {
        let moment = second_moment(alpha.as_slice(), &losses, lengths.as_slice(), b);
        (moment - means) / (n * n) as Float
    })
}

/// The moving average of a hundred batches' losses.
fn moving_average(model: &Model) -> Float {
    let world = world(0);
    let rng = &mut rng(stream(6000));
    let mut baseline = Baseline::default();
    for _ in 0..100 {
        let (batch, uniforms) = draw(&world, rng);
        let method = Method::Sampled { baseline: 0.0, entropy: 0.0 };
        let tape = Tape::no_grad();
        baseline.update(batch_loss(model, &tape, &batch, method, &uniforms).0.scalar());
    }
    baseline.value()
}

fn points(value: &Value) -> Vec<(f64, f64)> {
    let pairs = value.as_array().into_iter().flatten();
    pairs.filter_map(|pair| Some((pair[0].as_f64()?, pair[1].as_f64()?))).collect()
}

/// One entry of the gradient: running means, inside two standard errors of the enumerated value.
fn running_mean(numbers: &Numbers) -> Svg {
    let (early, goal) = (&numbers.once["early"], once(numbers, "early.entry"));
    let running = |name: &str| points(&early[name]["running"]);
    let through = running("straight_through").into_iter().map(|(n, mean)| (n as usize, mean));
    let within = |name: &str| {
        let deviation = once(numbers, &format!("early.{name}.deviation"));
        let error = move |n: f64| 2.0 * deviation / n.sqrt();
        let means = running(name).into_iter();
        means.map(move |(n, mean)| (n, mean, goal - error(n), goal + error(n)))
    };
    Chart::new("One entry of the gradient", "estimates averaged", "running mean")
        .spread("no baseline", within("none"))
        .coloured(colour::NO_BASELINE)
        .spread("optimal baseline", within("optimal"))
        .coloured(colour::OPTIMAL_BASELINE)
        .curve("straight-through", through)
        .coloured(colour::STRAIGHT_THROUGH)
        .dashed("enumerated", &[(10.0, goal), (DRAWS as f64, goal)])
        .coloured(colour::ENUMERATED)
        .log(true, false)
        .named_above()
        .draw()
}

fn variances(numbers: &Numbers) -> Svg {
    let panel = |title: &str, time: &str| {
        let at = |what: &str| once(numbers, &format!("{time}.{what}"));
        let none = at("none.variance");
        Chart::new(title, "baseline b (nats)", "variance, all entries of W")
            .line("by enumeration", &points(&numbers.once[time]["parabola"]))
            .coloured(colour::ENUMERATED)
            .points("measured: none", &[(0.0, none)])
            .coloured(colour::NO_BASELINE)
            .points("moving average", &[(at("moving_baseline"), at("moving.variance"))])
            .coloured(colour::MEAN_BASELINE)
            .points("optimal", &[(at("optimal_baseline"), at("optimal.variance"))])
            .coloured(colour::OPTIMAL_BASELINE)
            .y_range(0.0..none * 1.1)
            .draw()
    };
    Svg::grid(&[panel("Early: step 300", "early"), panel("Late: step 600", "late")], 1)
}
