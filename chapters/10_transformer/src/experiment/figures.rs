//! The page's figures that are drawn from the results.

use super::results::{ModelScores, Results};
use seq2seq::translating::LengthSpread;
use workbench::figure::colour::{self, Colour, PALETTE};
use workbench::figure::{Chart, Svg};
use workbench::training::{Schedule, Shape};

/// The models of the course, and the Transformer whose pairs begin anywhere.
const LINES: [(&str, &str, Colour); 5] = [
    ("transformer", "Transformer", PALETTE[2]),
    ("random_start", "random starts", PALETTE[4]),
    ("bahdanau", "chapter 6", colour::WITH_ATTENTION),
    ("luong", "chapter 7", PALETTE[3]),
    ("seq2seq", "chapter 5", colour::WITHOUT_ATTENTION),
];

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![("by_length", by_length(results)), ("learning", learning(results)), ("rate", rate())]
}

fn by_length(results: &Results) -> Svg {
    let longest = corpora::parallel::LONGEST_TRAINED as f64 + 0.5;
    let chart = Chart::new("BLEU by length", "source words", "BLEU").y_range(0.0..100.0);
    let chart = lines(chart, results, |model| {
        let point = |range: &LengthSpread| {
            let middle = (range.from + range.to) as f64 / 2.0;
            (middle, range.bleu.mean, range.bleu.lowest, range.bleu.highest)
        };
        model.by_length.iter().map(point).collect()
    });
    chart
        .dashed("longest trained", &[(longest, 0.0), (longest, 100.0)])
        .coloured(colour::GIVEN)
        .draw()
}

fn learning(results: &Results) -> Svg {
    let chart = Chart::new("Learning", "epoch", "BLEU on validation").y_range(0.0..100.0);
    let chart = lines(chart, results, |model| {
        let epochs = model.curve.iter().enumerate();
        epochs.map(|(e, (mean, low, high))| ((e + 1) as f64, *mean, *low, *high)).collect()
    });
    chart.draw()
}

/// A line and a band for each model that is there: x, mean, lowest, highest.
fn lines(
    chart: Chart,
    results: &Results,
    points: impl Fn(&ModelScores) -> Vec<(f64, f64, f64, f64)>,
) -> Chart {
    let there = LINES
        .into_iter()
        .filter_map(|(key, name, colour)| Some((points(results.models.get(key)?), name, colour)));
    there.fold(chart, |chart, (points, name, colour)| {
        let band: Vec<_> = points.iter().map(|(x, _, low, high)| (*x, *low, *high)).collect();
        let line: Vec<_> = points.iter().map(|(x, mean, ..)| (*x, *mean)).collect();
        chart.band(&band).line(name, &line).coloured(colour)
    })
}

/// The learning rate at the width of the paper's base model, with its warm-up and with twice as much.
fn rate() -> Svg {
    let curve = |warmup: u64| -> Vec<(f64, f64)> {
        let rate = (512.0 * warmup as f32).powf(-0.5);
        let schedule = Schedule { rate, warmup, shape: Shape::InverseSquareRoot };
        (0..=200)
            .map(|i| 100 * i.max(1))
            .map(|s| (s as f64, 1e4 * f64::from(schedule.at(s))))
            .collect()
    };
    Chart::new("Warm-up and inverse square root, width 512", "step", "learning rate, 10⁻⁴")
        .line("4,000 steps of warm-up", &curve(4000))
        .coloured(colour::LEARNT)
        .line("8,000", &curve(8000))
        .coloured(colour::WIDE)
        .draw()
}
