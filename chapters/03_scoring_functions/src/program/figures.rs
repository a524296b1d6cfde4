//! The pictures.

use super::config::Config;
use super::recall::Learned;
use super::results::Results;
use super::scaling::{STRANGERS, Scaling};
use super::training::{learn, world};
use super::world::{Episode, Setting};
use crate::kinds::Kind;
use shared::{Float, Matrix, Tape, rng};
use std::collections::BTreeMap;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Heatmap, Svg};

pub fn charts(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![
        ("entropy", entropy_figure(&results.scaling)),
        ("jacobian", jacobian_figure(&results.scaling)),
        ("routes", routes_figure(&results.scaling)),
        ("recall", shares(&results.recall)),
        ("recall_rotated", learning(&results.recall[Setting::Rotated.name()])),
    ]
}

fn series(
    scaling: &BTreeMap<String, Scaling>,
    number: impl Fn(&Scaling) -> Float,
) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> =
        scaling.values().map(|at| (at.d as f64, f64::from(number(at)))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn entropy_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    let most = (STRANGERS as f64).ln();
    Chart::new("Entropy of the weights", "d", "nats")
        .line("q·k", &series(scaling, |at| at.unscaled.entropy))
        .coloured(colour::UNSCALED)
        .line("q·k/√d", &series(scaling, |at| at.scaled.entropy))
        .coloured(colour::SCALED)
        .dashed("uniform weights", &[(1.0, most), (4096.0, most)])
        .coloured(colour::GIVEN)
        .log(true, false)
        .y_range(0.0..4.4)
        .draw()
}

fn jacobian_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    Chart::new("Norm of diag(α) − ααᵀ", "d", "Frobenius norm")
        .line("q·k, median", &series(scaling, |at| at.unscaled.jacobian_median))
        .coloured(colour::UNSCALED)
        .line("q·k/√d, median", &series(scaling, |at| at.scaled.jacobian_median))
        .coloured(colour::SCALED)
        .dashed("q·k, mean", &series(scaling, |at| at.unscaled.jacobian_mean))
        .coloured(colour::UNSCALED)
        .log(true, true)
        .draw()
}

fn routes_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    Chart::new("Gradient that arrives without 1/√d", "d", "norm, for a unit-variance dO")
        .line("values", &series(scaling, |at| at.unscaled.values_mean))
        .coloured(colour::VALUES)
        .line("query, median", &series(scaling, |at| at.unscaled.query_median))
        .coloured(colour::UNSCALED)
        .dashed("query, mean", &series(scaling, |at| at.unscaled.query_mean))
        .coloured(colour::UNSCALED)
        .line("with 1/√d", &series(scaling, |at| at.scaled.query_median))
        .coloured(colour::SCALED)
        .log(true, true)
        .draw()
}

const SCORES: [(&str, &str, Colour); 6] = [
    ("dot", "dot, scaled dot", colour::DOT),
    ("cosine", "cosine", colour::COSINE),
    ("general", "general", colour::GENERAL),
    ("additive", "additive", colour::ADDITIVE),
    ("additive_without_bias", "additive, no bias", colour::ADDITIVE_WITHOUT_BIAS),
    ("location", "location", colour::LOCATION),
];

fn shares(recall: &BTreeMap<String, BTreeMap<String, Learned>>) -> Svg {
    let worlds = ["one space", "rotated", "wider", "position"];
    let share = |i: usize, j: usize| recall[Setting::ALL[j].name()].get(SCORES[i].0);
    let shares = Matrix::from_fn(SCORES.len(), worlds.len(), |i, j| {
        share(i, j).map_or(0.0, |learned| learned.accuracy)
    });
    Heatmap::new("Who answers right, by what the queries are", "", "", &shares)
        .x_names(&worlds)
        .y_names(&SCORES.map(|score| score.1))
        .range(0.0..1.0)
        .hatched("cannot be computed", |i, j| share(i, j).is_none())
        .draw()
}

fn learning(scores: &BTreeMap<String, Learned>) -> Svg {
    let title = "Queries in a rotated space";
    let mut chart = Chart::new(title, "training step", "share of right answers");
    for (score, name, colour) in SCORES {
        let curve = scores.get(score).map(|learned| learned.curve.as_slice()).unwrap_or_default();
        let place = |&(step, mean, low, high): &(usize, Float, Float, Float)| {
            (step as f64, mean.into(), low.into(), high.into())
        };
        let (name, colour) = match score {
            "general" | "additive" => (name, colour),
            "dot" => ("the four others", colour::ASIDE),
            _ => ("", colour::ASIDE),
        };
        chart = chart.spread(name, curve.iter().map(place)).coloured(colour);
    }
    chart.y_range(0.0..1.03).draw()
}

/// One episode in the rotated space, after training: the right key of query j is key j.
pub fn weights_figure(config: &Config) -> Svg {
    let picture = |kind: Kind, title: &str| {
        let (score, _) = learn(Setting::Rotated, kind, config, 0).expect("both fit the sizes");
        let world = world(Setting::Rotated, config, 0);
        let Episode { keys, queries, slots, .. } = world.episode(&mut rng(config.stream(5000)));
        let mut in_order = queries.clone();
        for (query, slot) in queries.column_iter().zip(slots) {
            in_order.set_column(slot, &query);
        }
        let tape = Tape::without_gradients();
        let alpha = score.forward(tape.constant(in_order), tape.constant(keys)).softmax();
        Heatmap::new(title, "query", "key", &alpha.value()).range(0.0..1.0)
    };
    let pictures =
        [picture(Kind::ScaledDot, "Scaled dot"), picture(Kind::General, "General, trained")];
    Svg::grid(&pictures.each_ref().map(Heatmap::panel), 2).keyed(&pictures[0].key())
}
