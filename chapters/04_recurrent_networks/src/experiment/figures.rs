//! The pictures.

use super::adding::ALWAYS_ONE;
use super::additions::Learned;
use super::apple::{self, Reading};
use super::cell::Cell;
use super::flow::{LAGS, RADII};
use super::results::Results;
use shared::Float;
use std::collections::BTreeMap;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};

/// All figures, by file name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    let flow = &results.flow;
    let mut figures = vec![
        ("fresh", norms("Gradients before training", &flow.fresh)),
        ("trained", norms("Gradients after training", &flow.trained)),
        ("radius", radius(&flow.radius)),
        ("clipping", clipping(results)),
        ("apple", apple(results)),
    ];
    for (length, file) in [(100, "adding_100"), (200, "adding_200")] {
        figures.push((file, adding(length, &results.adding[&format!("t{length}")])));
    }
    figures
}

/// Powers of ten: these norms go far below what labels of an axis can show otherwise.
fn against_lag(norms: &[Float]) -> Vec<(f64, f64)> {
    LAGS.iter().zip(norms).map(|(lag, norm)| (*lag as f64, f64::from(*norm).log10())).collect()
}

const NORM: &str = "log₁₀ of the norm of ∂h_T/∂h_t";

fn norms(title: &str, by_cell: &BTreeMap<String, Vec<Float>>) -> Svg {
    let mut chart = Chart::new(title, "T − t", NORM);
    for cell in Cell::ALL {
        chart = chart.line(label(cell), &against_lag(&by_cell[cell.name()])).coloured(own(cell));
    }
    chart.y_range(-25.0..2.0).draw()
}

fn label(cell: Cell) -> &'static str {
    ["plain", "GRU", "LSTM"][cell as usize]
}

fn own(cell: Cell) -> Colour {
    [colour::PLAIN, colour::GRU, colour::LSTM][cell as usize]
}

fn radius(by_radius: &BTreeMap<String, Vec<Float>>) -> Svg {
    let mut chart = Chart::new("Plain network, by spectral radius", "T − t", NORM);
    for (name, radius) in RADII {
        chart = chart.line(&format!("radius {radius}"), &against_lag(&by_radius[name]));
    }
    chart.draw()
}

fn clipping(results: &Results) -> Svg {
    let points = |norms: &[Float]| -> Vec<(f64, f64)> {
        norms.iter().enumerate().map(|(i, norm)| (3.0 * i as f64, f64::from(*norm))).collect()
    };
    Chart::new("The gradient's norm while training", "step", "norm before clipping")
        .line("as it comes", &points(&results.clipping.without.norms))
        .line("clipped at 1", &points(&results.clipping.with.norms))
        .log(false, true)
        .draw()
}

fn adding(length: usize, by_cell: &BTreeMap<String, Learned>) -> Svg {
    let title = format!("The adding problem, length {length}");
    let mut chart = Chart::new(&title, "training step", "mean squared error");
    let mut end = 0.0;
    for cell in Cell::ALL {
        let curve = &by_cell[cell.name()].curve;
        let line: Vec<(f64, f64)> = curve.iter().map(|p| (p.0 as f64, f64::from(p.1))).collect();
        let spread: Vec<(f64, f64, f64)> =
            curve.iter().map(|p| (p.0 as f64, f64::from(p.2), f64::from(p.3))).collect();
        end = line.last().map_or(end, |last| last.0);
        chart = chart.band(&spread).line(label(cell), &line).coloured(own(cell));
    }
    let floor = f64::from(ALWAYS_ONE);
    chart
        .dashed("always 1", &[(0.0, floor), (end, floor)])
        .coloured(colour::GIVEN)
        .log(false, true)
        .y_range(3e-5..0.4)
        .draw()
}

/// A word of the two sentences in English.
fn english(word: &str) -> &'static str {
    match word {
        "我" => "I",
        "喜欢" => "like",
        "苹果" => "apple",
        "因为" => "because",
        "它" => "it",
        "很" => "very",
        "好吃" => "tasty",
        "比" => "than",
        "安卓" => "Android",
        "稳定" => "stable",
        _ => "", // the comma
    }
}

/// The probability of "fruit" at every word: a line a reading, a picture a sentence.
fn apple(results: &Results) -> Svg {
    let picture = |(k, sentence): (usize, &str)| {
        let words: Vec<String> =
            sentence.split_whitespace().map(|word| format!("{word}\n{}", english(word))).collect();
        let title = ["好吃 (tasty): a fruit", "安卓 (Android): a company"][k];
        let names = ["forward", "backward", "both"];
        let chart = Chart::new(title, "", "probability of fruit");
        let lines = Reading::ALL.into_iter().zip(names);
        let chart = lines.fold(chart, |chart, (reading, name)| {
            let p = &results.apple.examples[reading.name()][k];
            let line: Vec<_> = (0..).zip(p).map(|(j, p)| (f64::from(j), f64::from(*p))).collect();
            chart.line(name, &line)
        });
        chart
            .x_names(&words)
            .x_range(-0.4..words.len() as f64 - 0.6)
            .y_range(-0.03..1.03)
            .height(300)
            .draw()
    };
    let pictures: Vec<Svg> = apple::EXAMPLES.into_iter().enumerate().map(picture).collect();
    Svg::grid(&pictures, 1)
}
