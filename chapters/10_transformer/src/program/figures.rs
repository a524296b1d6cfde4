//! The page's figures that are drawn from the results.

use super::depth::{Around, Depth};
use super::results::{OfPositions, OfPrecisions, Results};
use seq2seq::translating::compared;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::training::{Schedule, Shape};

const LINES: [(&str, &str, Colour); 5] = [
    ("transformer", "Transformer", colour::TRANSFORMER),
    ("random_start", "random starts", colour::RANDOM_STARTS),
    ("bahdanau", "chapter 6", colour::WITH_ATTENTION),
    ("luong", "chapter 7", colour::LUONG),
    ("seq2seq", "chapter 5", colour::WITHOUT_ATTENTION),
];

pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    let (mut lengths, mut curves) = (Vec::new(), Vec::new());
    for (key, name, colour) in LINES {
        if let Some(model) = results.models.get(key) {
            lengths.push((name, &model.by_length[..], colour));
            curves.push((name, &model.curve[..], colour));
        }
    }
    let mut drawn = vec![("rate", rate()), ("depth", depth(&results.depth))];
    if !curves.is_empty() {
        drawn.push(("by_length", compared::by_length("BLEU by length", &lengths)));
        drawn.push(("learning", compared::late_learning(&curves)));
    }
    drawn
}

/// BLEU by length of rows of `--what positions`.
pub fn by_positions(results: &OfPositions) -> Svg {
    let lines = [
        ("sinusoids", "sinusoids", colour::TRANSFORMER),
        ("shaw_self", "Shaw, self", colour::RANDOM_STARTS),
        ("shaw_both", "Shaw, both", colour::WITH_ATTENTION),
        ("rope_both", "RoPE, both", colour::LUONG),
        ("alibi_both", "ALiBi, both", colour::WITHOUT_ATTENTION),
    ];
    let there = lines.iter().filter_map(|(key, name, colour)| {
        Some((*name, &results.models.get(*key)?.by_length[..], *colour))
    });
    compared::by_length("BLEU by length", &there.collect::<Vec<_>>())
}

fn depth(ways: &[Depth]) -> Svg {
    let chart = Chart::new("Twelve fresh blocks", "blocks above", "gradient, 1 at the top");
    let line = |chart: Chart, way: &Depth| {
        let (name, colour) = match way.around {
            Around::Nothing => ("f(x)", colour::PART_ALONE),
            Around::Sum => ("x\u{a0}+\u{a0}f(x)", colour::SUM_ALONE),
            Around::Post => ("norm(x\u{a0}+\u{a0}f(x))", colour::NORM_BEHIND),
            Around::Pre => ("x\u{a0}+\u{a0}f(norm(x))", colour::NORM_BEFORE),
        };
        let places = way.gradients.iter().enumerate().map(|(blocks, s)| s.at(blocks as f64));
        chart.spread(name, places).coloured(colour)
    };
    ways.iter().fold(chart.log(false, true), line).draw()
}

/// The losses of `--what precision`.
pub fn by_precision(results: &OfPrecisions) -> Option<Svg> {
    let lines = [
        ("f32", "f32", colour::GIVEN),
        ("bf16", "bf16", colour::LEARNT),
        ("bf16x3", "three products", colour::THREE_PRODUCTS),
    ];
    let lines: Option<Vec<_>> = lines
        .iter()
        .map(|(key, name, colour)| Some((*name, &results.models.get(*key)?.losses[..], *colour)))
        .collect();
    Some(compared::losses("Products in 32 bits and in 16", &lines?))
}

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
        .named_above()
        .draw()
}
