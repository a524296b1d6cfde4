//! The page's figures.

use super::results::{ModelScores, Results};
use crate::translating::LengthSpread;
use workbench::figure::{Chart, PALETTE, Svg, colour};

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![("by_length", by_length(results)), ("context", context(results))]
}

fn middle(range: &LengthSpread) -> f64 {
    (range.from + range.to) as f64 / 2.0
}

fn means(model: &ModelScores) -> Vec<(f64, f64)> {
    model.by_length.iter().map(|range| (middle(range), range.bleu.mean)).collect()
}

fn band(model: &ModelScores) -> Vec<(f64, f64, f64)> {
    let spread = |range: &LengthSpread| (middle(range), range.bleu.lowest, range.bleu.highest);
    model.by_length.iter().map(spread).collect()
}

fn chart(title: &str) -> Chart {
    Chart::new(title, "source words", "BLEU").y_range(0.0..100.0)
}

/// The end of what was trained on, as a vertical line.
fn border(chart: Chart) -> Chart {
    let longest = corpora::parallel::LONGEST_TRAINED as f64 + 0.5;
    chart.dashed("longest trained", &[(longest, 0.0), (longest, 100.0)]).coloured(colour::GIVEN)
}

fn by_length(results: &Results) -> Svg {
    let (default, reversed) = (&results.models["default"], &results.models["reversed"]);
    let chart = chart("BLEU by length")
        .band(&band(default))
        .line("read forwards", &means(default))
        .coloured(colour::WITHOUT_ATTENTION)
        .band(&band(reversed))
        .line("read backwards", &means(reversed))
        .coloured(colour::BACKWARDS);
    border(chart).draw()
}

fn context(results: &Results) -> Svg {
    let colours = [PALETTE[3], colour::WITHOUT_ATTENTION, PALETTE[4], PALETTE[5]];
    let names = ["hidden_256", "default", "hidden_64", "hidden_32"];
    let chart = names.iter().map(|name| &results.models[*name]).zip(colours).fold(
        chart("BLEU by length and size of the context"),
        |chart, (model, colour)| {
            let name = format!("{} numbers", model.hidden);
            chart.band(&band(model)).line(&name, &means(model)).coloured(colour)
        },
    );
    border(chart).draw()
}
