//! The pictures.

use super::adding::ALWAYS_ONE;
use super::additions::Learned;
use super::apple::{EXAMPLES, Reading};
use super::cell::Cell;
use super::flow::{LAGS, RADII};
use super::gates::Gates;
use super::results::Results;
use shared::Float;
use std::collections::BTreeMap;
use workbench::figure::colour::{self, Colour, PALETTE};
use workbench::figure::{Chart, Svg};

pub type Shown<'a> = (&'a str, Colour);

pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    let flow = &results.flow;
    let norms = |title, norms: &BTreeMap<String, Vec<Float>>| {
        let lines = Cell::ALL.into_iter().map(|cell| (cell.shown(), &norms[cell.name()]));
        by_distance(title, lines).y_range(1e-25..1e2).draw()
    };
    let adding = |length: usize| {
        let learned = &results.adding[&format!("t{length}")];
        let curves = Cell::ALL.into_iter().map(|cell| (cell.shown(), &learned[cell.name()]));
        let title = format!("The adding problem, length {length}");
        learning(&title, curves).y_range(3e-5..0.4).draw()
    };
    let names = RADII.map(|(_, radius)| format!("radius {radius}"));
    let radii = (0..RADII.len()).map(|i| ((&names[i][..], PALETTE[i]), &flow.radius[RADII[i].0]));
    vec![
        ("fresh", norms("Gradients before training", &flow.fresh)),
        ("trained", norms("Gradients after training", &flow.trained)),
        ("radius", by_distance("Plain network, by spectral radius", radii).draw()),
        ("gates", gates(results)),
        ("clipping", clipping(results)),
        ("apple", apple(results)),
        ("adding_100", adding(100)),
        ("adding_200", adding(200)),
    ]
}

/// Norms at [`LAGS`].
pub fn by_distance<'a, N: Copy + Into<f64> + 'a>(
    title: &str,
    lines: impl IntoIterator<Item = (Shown<'a>, &'a Vec<N>)>,
) -> Chart {
    let line = |chart: Chart, ((name, colour), norms): (Shown, &'a Vec<N>)| {
        chart.curve(name, LAGS.into_iter().zip(norms.iter().copied())).coloured(colour)
    };
    let chart = Chart::new(title, "steps back", "norm of the gradient").log(false, true);
    lines.into_iter().fold(chart, line)
}

/// The test's error on the adding problem, with the range over the seeds.
pub fn learning<'a>(
    title: &str,
    curves: impl IntoIterator<Item = (Shown<'a>, &'a Learned)>,
) -> Chart {
    let mut chart = Chart::new(title, "training step", "mean squared error");
    let mut end = 0.0;
    for ((name, colour), Learned { curve, .. }) in curves {
        let place = |&(step, mean, low, high): &(usize, Float, Float, Float)| {
            (step as f64, mean.into(), low.into(), high.into())
        };
        end = curve.last().map_or(end, |last| last.0 as f64);
        chart = chart.spread(name, curve.iter().map(place)).coloured(colour);
    }
    let floor = f64::from(ALWAYS_ONE);
    let always = chart.dashed("always 1", &[(0.0, floor), (end, floor)]);
    always.coloured(colour::GIVEN).log(false, true)
}

fn clipping(results: &Results) -> Svg {
    let every_third = |norms: &[Float]| (0..).step_by(3).zip(norms.to_vec());
    Chart::new("The gradient's norm while training", "step", "norm before clipping")
        .curve("as it comes", every_third(&results.clipping.without.norms))
        .curve("clipped at 1", every_third(&results.clipping.with.norms))
        .log(false, true)
        .draw()
}

fn gates(results: &Results) -> Svg {
    let Gates { kept, marks } = &results.gates;
    let chart = Chart::new("What is kept at every token", "token", "gate z, mean of eight units")
        .curve("GRU: z", (1..).zip(kept.iter().copied()))
        .coloured(colour::GRU);
    let mark = |chart: Chart, (mark, name): (&usize, &str)| {
        let x = *mark as f64 + 1.0;
        chart.dashed(name, &[(x, 0.0), (x, 1.0)]).coloured(colour::GIVEN)
    };
    marks.iter().zip(["marked", ""]).fold(chart, mark).y_range(0.0..1.05).draw()
}

/// The words of the two sentences in English; the comma has no name.
const ENGLISH: [(&str, &str); 10] = [
    ("我", "I"),
    ("喜欢", "like"),
    ("苹果", "apple"),
    ("因为", "because"),
    ("它", "it"),
    ("很", "very"),
    ("好吃", "tasty"),
    ("比", "than"),
    ("安卓", "Android"),
    ("稳定", "stable"),
];

fn apple(results: &Results) -> Svg {
    let named = |word: &str| {
        let english = ENGLISH.iter().find(|pair| pair.0 == word).map_or("", |pair| pair.1);
        format!("{word}\n{english}")
    };
    let titles = ["好吃 (tasty): a fruit", "安卓 (Android): a company"];
    let pictures = [0, 1].map(|k| {
        let words: Vec<String> = EXAMPLES[k].split_whitespace().map(named).collect();
        let lines = Reading::ALL.into_iter().zip(["forward", "backward", "both"]);
        lines
            .fold(Chart::new(titles[k], "", "probability of fruit"), |chart, (reading, name)| {
                let fruit = &results.apple.examples[reading.name()][k];
                chart.curve(name, fruit.iter().copied().enumerate())
            })
            .x_names(&words)
            .x_range(-0.4..words.len() as f64 - 0.6)
            .y_range(-0.03..1.03)
            .height(300)
            .named_above()
            .draw()
    });
    Svg::grid(&pictures, 1)
}
