//! Chapter 1's fifty points under all eight, and the edges that a local line repairs.

use crate::comparison::{Comparison, Expected, Numbers};
use crate::kernel_regression::every_tenth;
use full_circle::Kind;
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::mean_squared_error;
use kernel_regression::program::{Points, even, fifty, whole};
use serde_json::{Value, json};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg, colour, points};
use workbench::statistics::{Bootstrap, significant};

pub const POINTS: Comparison = Comparison {
    name: "points",
    about: "Eight estimators on chapter 1's points, and the local line against the local constant on 100 draws",
    record: "17_full_circle/figures/results.json",
    claims: CLAIMS,
    figures: &[("fits", fits), ("weights", weights), ("estimators", edges)],
    run: |this, arguments| this.record_once(arguments, "fifty points", found),
};

const CLAIMS: &[Expected] = &[
    (
        "a_line",
        "at its best bandwidth the local line's mean error is a third below the local constant's",
        |found| below(found, "whole", 2.0 / 3.0),
    ),
    ("b_edges", "on the outermost twentieths it is half of it", |found| below(found, "edges", 0.5)),
];

/// Whether the line's error is below `share` of the constant's: of the whole interval, or open.
fn below(found: &Numbers, place: &str, share: f64) -> Option<Option<bool>> {
    let at = |end: &str| found.once.get("draws")?[place]["ratio"][end].as_f64();
    let (low, high) = (at("low")?, at("high")?);
    Some(if high <= share {
        Some(true)
    } else if low > share {
        Some(false)
    } else {
        None
    })
}

fn found() -> BTreeMap<String, Value> {
    let (x, y) = fifty();
    let (queries, truths) = whole();
    let fits = Kind::ALL.map(|kind| {
        let (parameter, left_out) = kind.leave_one_out(&x, &y);
        let weights = kind.weights(parameter, &queries, &x);
        let curve = kind.curve(parameter, &queries, &x, &y);
        let fit = json!({
            "parameter": significant(f64::from(parameter)),
            "leave_one_out": significant(left_out),
            "error": significant(mean_squared_error(&curve, &truths)),
            "smallest": significant(f64::from(weights.min())),
            "largest": significant(f64::from(weights.max())),
        });
        (kind.name(), fit)
    });
    BTreeMap::from([
        ("draws".to_owned(), draws()),
        ("fits".to_owned(), json!(BTreeMap::from(fits))),
        ("order".to_owned(), order()),
    ])
}

/// The delta rule reads the points in an order: as they lie, and in a hundred shuffled ones.
fn order() -> Value {
    use rand::seq::SliceRandom;
    let (x, y) = fifty();
    let (queries, truths) = whole();
    let error = |(x, y): &Points, kind: Kind, parameter| {
        mean_squared_error(&kind.curve(parameter, &queries, x, y), &truths)
    };
    let rng = &mut rng(1);
    let shuffled: Vec<Points> = (0..100)
        .map(|_| {
            let mut pairs: Vec<_> = x.iter().copied().zip(y.iter().copied()).collect();
            pairs.shuffle(rng);
            pairs.into_iter().unzip()
        })
        .collect();
    let of = |kind: Kind| {
        let (parameter, _) = kind.leave_one_out(&x, &y);
        let errors: Vec<f64> =
            shuffled.iter().map(|points| error(points, kind, parameter)).collect();
        json!({
            "as_they_lie": significant(error(&(x.clone(), y.clone()), kind, parameter)),
            "shuffled_mean": significant(errors.iter().sum::<f64>() / 100.0),
            "shuffled_lowest": significant(errors.iter().copied().fold(f64::INFINITY, f64::min)),
            "shuffled_highest": significant(errors.iter().copied().fold(0.0, f64::max)),
        })
    };
    json!({"delta rule": of(Kind::DeltaRule), "least squares": of(Kind::LeastSquares)})
}

const DRAWS: usize = 100;

/// The outermost twentieth at either end.
fn is_edge(x: Float) -> bool {
    !(0.25..=4.75).contains(&x)
}

/// Squared errors of both, of every draw, on the whole line and at its edges; each at the bandwidth that is best for the
/// draw on the whole line.
fn draws() -> Value {
    let rng = &mut rng(0);
    let draws: Vec<Points> = (0..DRAWS).map(|_| noisy_points(50, rng)).collect();
    let queries = even(0.0, 5.0, 201);
    let at_best = |kind: Kind| -> Vec<(Float, [f64; 2])> {
        let best = |draw: &Points| {
            let tried = kind.candidates().into_iter().map(|h| (h, errors(kind, h, &queries, draw)));
            tried.min_by(|a, b| a.1[0].total_cmp(&b.1[0])).expect("a bandwidth")
        };
        draws.iter().map(best).collect()
    };
    let [constant, line] = [Kind::NadarayaWatson, Kind::LocalLine].map(at_best);
    let bandwidth = |best: &[(Float, [f64; 2])]| {
        significant(best.iter().map(|(h, _)| f64::from(*h)).sum::<f64>() / DRAWS as f64)
    };
    let bootstrap = Bootstrap::default();
    let place = |k: usize| {
        let mean = |best: &[(Float, [f64; 2])], of: &[usize]| {
            of.iter().map(|i| best[*i].1[k]).sum::<f64>() / of.len() as f64
        };
        let rng = &mut shared::rng(2);
        let interval = |of: &dyn Fn(&[usize]) -> f64, rng: &mut _| {
            bootstrap.of(DRAWS, rng, of).map(significant)
        };
        json!({
            "constant": interval(&|of| mean(&constant, of), rng),
            "line": interval(&|of| mean(&line, of), rng),
            "ratio": interval(&|of| mean(&line, of) / mean(&constant, of), rng),
        })
    };
    json!({
        "bandwidth": bandwidth(&constant), "bandwidth_line": bandwidth(&line),
        "whole": place(0), "edges": place(1),
    })
}

/// The mean squared error on the whole line, and at its edges.
fn errors(kind: Kind, h: Float, queries: &[Float], (x, y): &Points) -> [f64; 2] {
    let curve = kind.curve(h, queries, x, y);
    let of = |counts: &dyn Fn(Float) -> bool| {
        let (found, truths): (Vec<Float>, Vec<Float>) = queries
            .iter()
            .zip(&curve)
            .filter(|(x, _)| counts(**x))
            .map(|(x, y)| (*y, truth(*x)))
            .unzip();
        mean_squared_error(&found, &truths)
    };
    [of(&|_| true), of(&is_edge)]
}

// ---- pictures ------------------------------------------------------------------------------------

fn over_points() -> (Points, Chart) {
    let fifty = fifty();
    let chart = Chart::new("", "x", "y").points("data", &points(&fifty.0, &fifty.1));
    (fifty, chart.coloured(colour::GIVEN))
}

/// Four that see places above four that see bumps, each with the parameter that leave-one-out chooses.
fn fits(_: &Numbers) -> Svg {
    let (queries, truths) = whole();
    let panels = [&Kind::ALL[..4], &Kind::ALL[4..]].map(|kinds| {
        let ((x, y), chart) = over_points();
        let chart = chart.dashed("truth", &points(&queries, &truths)).coloured(colour::GIVEN);
        let lines = kinds.iter().fold(chart, |chart, kind| {
            let (parameter, _) = kind.leave_one_out(&x, &y);
            let curve = kind.curve(parameter, &queries, &x, &y);
            chart.line(kind.name(), &points(&queries, &curve))
        });
        lines.y_range(-0.5..5.0).named_above().draw()
    });
    Svg::grid(&panels, 1)
}

/// A panel each: what each value counts for each query.
fn weights(_: &Numbers) -> Svg {
    let (x, y) = fifty();
    let queries = even(0.0, 5.0, 51);
    let kinds = [Kind::NadarayaWatson, Kind::LocalLine, Kind::DeltaRule, Kind::LeastSquares];
    let heatmaps = kinds.map(|kind| {
        let (parameter, _) = kind.leave_one_out(&x, &y);
        Heatmap::new(
            kind.name(),
            "queries x",
            "keys in order",
            &kind.weights(parameter, &queries, &x),
        )
        .x_names(&every_tenth(&queries))
        .y_names(&every_tenth(&x))
        .range(-0.3..0.3)
    });
    let panels = heatmaps.each_ref().map(Heatmap::panel);
    Svg::grid(&panels, 2).keyed(&heatmaps[0].key())
}

/// What two of them make of the ends of the line.
fn edges(_: &Numbers) -> Svg {
    let ((x, y), chart) = over_points();
    let (queries, truths) = whole();
    let curve = |kind: Kind| {
        let (parameter, _) = kind.leave_one_out(&x, &y);
        points(&queries, &kind.curve(parameter, &queries, &x, &y))
    };
    chart
        .dashed("truth", &points(&queries, &truths))
        .coloured(colour::GIVEN)
        .line("local constant", &curve(Kind::NadarayaWatson))
        .coloured(colour::AVERAGE)
        .line("local line", &curve(Kind::LocalLine))
        .coloured(colour::LEARNT)
        .named_above()
        .draw()
}
