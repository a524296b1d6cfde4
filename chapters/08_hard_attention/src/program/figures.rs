//! The pictures.

use super::config::Config;
use super::learning::Learned;
use super::results::Results;
use super::study::{Estimates, Stage, Study};
use super::training::{Change, Kind, train};
use crate::retrieval::{Episode, Model};
use shared::{Float, Matrix, Tape, rng};
use std::collections::BTreeMap;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Heatmap, Svg};

pub fn charts(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![
        ("running_mean", running_mean(&results.study["early"])),
        (
            "variance",
            Svg::grid(
                &[
                    variance("Early: step 300", &results.study["early"]),
                    variance("Late: step 600", &results.study["late"]),
                ],
                1,
            ),
        ),
        ("stages", stages(&results.stages)),
        ("learning", learning(&results.trained)),
        ("entropy", entropy(&results.trained)),
    ]
}

/// One entry of the gradient: running means, inside two standard errors of the enumerated value.
fn running_mean(study: &Study) -> Svg {
    let goal = f64::from(study.entry);
    let draws = study.baselines["none"].running.last().map_or(1, |point| point.0) as f64;
    let within = |estimates: &Estimates| {
        let at = |&(n, mean): &(usize, Float)| {
            let error = 2.0 * f64::from(estimates.deviation) / (n as f64).sqrt();
            (n as f64, mean.into(), goal - error, goal + error)
        };
        estimates.running.iter().map(at).collect::<Vec<_>>()
    };
    let [none, optimal] = ["none", "optimal"].map(|name| &study.baselines[name]);
    Chart::new("One entry of the gradient", "estimates averaged", "running mean")
        .spread("no baseline", within(none))
        .coloured(colour::NO_BASELINE)
        .spread("optimal baseline", within(optimal))
        .coloured(colour::OPTIMAL_BASELINE)
        .curve("straight-through", study.straight_through.running.clone())
        .coloured(colour::STRAIGHT_THROUGH)
        .dashed("enumerated", &[(10.0, goal), (draws, goal)])
        .coloured(colour::ENUMERATED)
        .log(true, false)
        .named_above()
        .draw()
}

fn variance(title: &str, study: &Study) -> Svg {
    let curve: Vec<(f64, f64)> =
        study.parabola.iter().map(|(b, v)| (f64::from(*b), f64::from(*v))).collect();
    let point = |name: &str| {
        let at = &study.baselines[name];
        [(f64::from(at.baseline), f64::from(at.measured))]
    };
    let (from, to) = (curve[0].0, curve[curve.len() - 1].0);
    let floor = f64::from(study.best_per_query);
    Chart::new(title, "baseline b (nats)", "variance, all entries of W")
        .line("by enumeration", &curve)
        .coloured(colour::ENUMERATED)
        .points("measured: none", &point("none"))
        .coloured(colour::NO_BASELINE)
        .points("moving average", &point("moving"))
        .coloured(colour::MEAN_BASELINE)
        .points("optimal", &point("optimal"))
        .coloured(colour::OPTIMAL_BASELINE)
        .dashed("best for each query", &[(from, floor), (to, floor)])
        .coloured(colour::BASELINE_PER_QUERY)
        .y_range(0.0..f64::from(study.baselines["none"].measured) * 1.1)
        .draw()
}

fn stages(stages: &[Stage]) -> Svg {
    // Each point is the geometric mean of five stages in a row.
    let series = |of: fn(&Stage) -> Float| {
        let logarithm = move |at: &Stage| f64::from(of(at)).max(1e-4).ln();
        let mean = move |five: &[Stage]| five.iter().map(logarithm).sum::<f64>() / 5.0;
        stages.windows(5).map(move |five| (five[2].step, mean(five).exp()))
    };
    let title = "The mean loss helps early, and hardly later";
    Chart::new(title, "training step", "variance, all entries of W")
        .curve("no baseline", series(|at| at.none))
        .coloured(colour::NO_BASELINE)
        .curve("mean loss", series(|at| at.mean))
        .coloured(colour::MEAN_BASELINE)
        .curve("optimal", series(|at| at.optimal))
        .coloured(colour::ASIDE)
        .curve("one a query", series(|at| at.per_query))
        .coloured(colour::ASIDE)
        .log(false, true)
        .draw()
}

const SHOWN: [(Kind, &str, Colour); 5] = [
    (Kind::Soft, "soft", colour::SOFT),
    (Kind::Enumerated, "enumerated", colour::ENUMERATED),
    (Kind::NoBaseline, "no baseline", colour::NO_BASELINE),
    (Kind::Baseline, "baseline", colour::MEAN_BASELINE),
    (Kind::BaselineEntropy, "with entropy bonus", colour::ENTROPY_BONUS),
];

fn learning(trained: &BTreeMap<String, Learned>) -> Svg {
    let title = "Trainings that answer more than 80 % right";
    let line = |chart: Chart, (kind, name, colour): (Kind, &str, Colour)| {
        let curve = trained[kind.name()].curve.iter();
        chart.curve(name, curve.map(|point| (point.0, point.2))).coloured(colour)
    };
    let chart = Chart::new(title, "training step", "share of the seeds");
    SHOWN.into_iter().fold(chart, line).y_range(0.0..1.03).draw()
}

/// The first third of the training, where it is decided.
fn entropy(trained: &BTreeMap<String, Learned>) -> Svg {
    let title = "The bonus keeps alignments open at first";
    let line = |chart: Chart, (kind, name, colour): (Kind, &str, Colour)| {
        let (name, colour) = match kind {
            Kind::BaselineEntropy => (name, colour),
            Kind::Soft => ("the four others", colour::ASIDE),
            _ => ("", colour::ASIDE),
        };
        let curve = &trained[kind.name()].curve;
        let steps = curve.last().map_or(0, |last| last.0);
        let early = curve.iter().filter(|point| 3 * point.0 <= steps);
        chart.curve(name, early.map(|point| (point.0, point.3))).coloured(colour)
    };
    let chart = Chart::new(title, "training step", "entropy of the alignments, nats");
    SHOWN.into_iter().fold(chart, line).y_range(0.0..4.4).draw()
}

pub fn alignments(config: &Config) -> Svg {
    let mut episode = config.world(0).episode(&mut rng(config.stream(8000)));
    episode.queries = config.world(0).ask(&episode.keys, &mut rng(config.stream(8001)));
    let shown: Vec<usize> = [10, 15, 40].map(|part| part * config.steps / 40).to_vec();
    let mut pictures = Vec::new();
    train(Kind::BaselineEntropy, Change::None, config, 0, |step, model| {
        if shown.contains(&step) {
            pictures.push(picture(model, &episode, step));
        }
    });
    let panels: Vec<Svg> = pictures.iter().map(Heatmap::panel).collect();
    Svg::grid(&panels, 3).keyed(&pictures[0].key())
}

/// The right place of a query is its own.
fn picture(model: &Model, episode: &Episode, step: usize) -> Heatmap {
    let tape = Tape::without_gradients();
    let alpha = Matrix::clone(&model.scores(&tape, episode).softmax().value());
    let looks = alpha.column_iter().map(|weights| weights.imax()).enumerate();
    let missed: Vec<_> = looks.filter(|(j, i)| i != j).map(|(j, i)| (i, j)).collect();
    Heatmap::new(&format!("Step {step}"), "query", "place", &alpha)
        .range(0.0..1.0)
        .rings("looks elsewhere", &missed)
}
