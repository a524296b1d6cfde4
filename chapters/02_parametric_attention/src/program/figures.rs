//! The pictures.

use super::config::Config;
use super::grid::{even, queries, spaced};
use crate::{Sees, Step, predict, squared_error};
use kernel_regression::data::truth;
use kernel_regression::{Kernel, attention_weights};
use shared::{Float, Matrix, Operand, gemm};
use workbench::figure::{Chart, Heatmap, Svg, colour, points};

pub(super) fn landscape(
    config: &Config,
    x: &[Float],
    y: &[Float],
    textbook: &[Step],
    learnt: Float,
) -> Svg {
    let w = spaced(0.1, 300.0, 160);
    let loss = |sees| -> Vec<Float> { w.iter().map(|w| squared_error(x, y, *w, sees).0).collect() };
    let visited = |path: &[Step]| -> Vec<(f64, f64)> {
        path.iter().map(|step| (f64::from(step.w), f64::from(step.loss))).collect()
    };
    let best = squared_error(x, y, learnt, Sees::Others).0;
    Chart::new("", "width w", "summed squared error")
        .line("seeing the others", &points(&w, &loss(Sees::Others)))
        .coloured(colour::LEARNT)
        .line("seeing itself, too", &points(&w, &loss(Sees::Everyone)))
        .coloured(colour::SEES_ITSELF)
        .points(&format!("the textbook's {} steps", config.epochs_in_words()), &visited(textbook))
        .coloured(colour::TEXTBOOK)
        .points("trained to the end", &points(&[learnt], &[best]))
        .coloured(colour::CHOSEN)
        .log(true, false)
        .draw()
}

pub(super) fn fits(
    config: &Config,
    x: &[Float],
    y: &[Float],
    textbook: Float,
    learnt: Float,
) -> Svg {
    let grid = even(0.0, 5.0, 501);
    let curve = |w: Float| points(&grid, &predict(&grid, x, y, w));
    let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
    Chart::new("", "x", "y")
        .points("training points", &points(x, y))
        .coloured(colour::GIVEN)
        .line(&format!("{} steps, w = {textbook:.1}", config.epochs_in_words()), &curve(textbook))
        .coloured(colour::TEXTBOOK)
        .line(&format!("learnt, w = {learnt:.1}"), &curve(learnt))
        .coloured(colour::LEARNT)
        .line("w = 1", &curve(1.0))
        .coloured(colour::WIDE)
        .dashed("truth", &points(&grid, &truths))
        .coloured(colour::GIVEN)
        .draw()
}

pub(super) fn memorised(x: &[Float], y: &[Float], itself: Float, learnt: Float) -> Svg {
    let grid = even(0.0, 5.0, 2001);
    let curve = |w: Float| points(&grid, &predict(&grid, x, y, w));
    Chart::new("", "x", "y")
        .points("training points", &points(x, y))
        .coloured(colour::GIVEN)
        .line(&format!("trained seeing itself, w = {itself:.0}"), &curve(itself))
        .coloured(colour::SEES_ITSELF)
        .line(&format!("seeing the others, w = {learnt:.1}"), &curve(learnt))
        .coloured(colour::LEARNT)
        .draw()
}

pub(super) fn weights(x: &[Float], learnt: Float) -> Svg {
    let of = |w: Float| attention_weights(&queries(), x, Kernel::Gaussian, 1.0 / w);
    let (unit, learnt_weights) = (of(1.0), of(learnt));
    let names = |values: &[Float]| -> Vec<String> {
        let name =
            |(i, v): (usize, &Float)| if i % 10 == 0 { format!("{v:.1}") } else { String::new() };
        values.iter().enumerate().map(name).collect()
    };
    let picture = |title: &str, weights: &Matrix| {
        Heatmap::new(title, "queries x", "keys in order, xᵢ", weights)
            .x_names(&names(&queries()))
            .y_names(&names(x))
            .range(0.0..learnt_weights.max())
    };
    let pictures =
        [picture("w = 1", &unit), picture(&format!("learnt: w = {learnt:.1}"), &learnt_weights)];
    Svg::grid(&pictures.each_ref().map(Heatmap::panel), 2).keyed(&pictures[0].key())
}
/// The weight, before it is normalised, of a key at every place around a query in the middle.
pub(super) fn metrics([straight, turned]: &[Matrix; 2], angle: Float) -> Svg {
    let names: Vec<String> = (0..41)
        .map(|i| if i % 10 == 0 { format!("{}", i / 10 - 2) } else { String::new() })
        .collect();
    let upwards: Vec<String> = names.iter().rev().cloned().collect();
    let spot = |title: &str, metric: &Matrix| {
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
        Heatmap::new(title, "x₁ of the key − x₁ of the query", "the same of x₂", &weight)
            .x_names(&names)
            .y_names(&upwards)
            .range(0.0..1.0)
    };
    let spots = [
        spot("before training", &Matrix::identity(2, 2)),
        spot("trained: only x₁ matters", straight),
        spot(&format!("trained: turned by {angle}°"), turned),
    ];
    Svg::grid(&spots.each_ref().map(Heatmap::panel), 3).keyed(&spots[0].key())
}
