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
    Svg::grid(&[heatmap(x, 1.0, "w = 1"), heatmap(x, learnt, &learnt_title(learnt))], 1)
}

/// The picture of the repository's first page.
pub(super) fn fit_and_weights(x: &[Float], y: &[Float], learnt: Float) -> Svg {
    let grid = even(0.0, 5.0, 501);
    let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
    let fit = |w: Float| {
        Chart::new("", "x", "y")
            .points("data", &points(x, y))
            .coloured(colour::GIVEN)
            .line("attention", &points(&grid, &predict(&grid, x, y, w)))
            .coloured(colour::LEARNT)
            .dashed("truth", &points(&grid, &truths))
            .coloured(colour::GIVEN)
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
pub(super) fn metrics(metrics: &[Matrix; 2], angle: Float) -> Svg {
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
