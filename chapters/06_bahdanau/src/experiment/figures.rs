//! The page's figures, but for the alignments.

use super::results::{ModelScores, Results};
use seq2seq::translating::LengthSpread;
use workbench::figure::{Chart, Svg, colour};

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![("by_length", by_length(results)), ("learning", learning(results))]
}

fn by_length(results: &Results) -> Svg {
    let longest = corpora::parallel::LONGEST_TRAINED as f64 + 0.5;
    let chart = Chart::new("BLEU by length", "source words", "BLEU").y_range(0.0..100.0);
    let chart = both(chart, results, |model| {
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
    let chart = both(chart, results, |model| {
        let epochs = model.curve.bleu.iter().enumerate();
        epochs.map(|(e, (mean, low, high))| ((e + 1) as f64, *mean, *low, *high)).collect()
    });
    chart.draw()
}

/// A line and a band for each model: x, mean, lowest, highest.
fn both(
    chart: Chart,
    results: &Results,
    points: impl Fn(&ModelScores) -> Vec<(f64, f64, f64, f64)>,
) -> Chart {
    let models = [
        ("with", "with attention", colour::WITH_ATTENTION),
        ("without", "without", colour::WITHOUT_ATTENTION),
    ];
    models.into_iter().fold(chart, |chart, (key, name, colour)| {
        let points = points(&results.models[key]);
        let band: Vec<_> = points.iter().map(|(x, _, low, high)| (*x, *low, *high)).collect();
        let line: Vec<_> = points.iter().map(|(x, mean, ..)| (*x, *mean)).collect();
        chart.band(&band).line(name, &line).coloured(colour)
    })
}
