//! The page's figures that are drawn from the results.

use super::results::{OfTask, Results, Row};
use super::rows::Way;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::study::Spread;

const LINES: [(Way, &str, Colour); 3] = [
    (Way::PreTrained, "pre-trained", colour::PRE_TRAINED),
    (Way::FromScratch, "from scratch", colour::FROM_SCRATCH),
    (Way::Frozen, "pre-trained, frozen", colour::FROZEN),
];

/// A figure for each task, where there are at least two numbers of examples: one makes no line.
pub fn figures(results: &Results) -> Vec<(String, Svg)> {
    let complete = |row: &Row| row.ways.len() == Way::ALL.len();
    let drawn = results.tasks.iter().filter(|(_, found)| {
        found.by_examples.len() > 1 && found.by_examples.values().all(complete)
    });
    drawn.map(|(task, found)| (task.clone(), figure(task, found))).collect()
}

fn figure(task: &str, found: &OfTask) -> Svg {
    let rows: Vec<&Row> = found.by_examples.values().collect();
    let told = if task == "tags" { "ambiguous words told, %" } else { "told, %" };
    let percent = |x: f64| 100.0 * x;
    let chart = Chart::new(task, "examples to learn from", told).log(true, false);
    let places = |way: Way| -> Vec<(f64, Spread)> {
        let score = |row: &&Row| (row.examples as f64, row.ways[way.name()].accuracy.clone());
        rows.iter().map(score).collect()
    };
    let chart = LINES.into_iter().fold(chart, |chart, (way, name, colour)| {
        let places = places(way);
        let band = places.iter().map(|(x, s)| (*x, percent(s.lowest), percent(s.highest)));
        let mean = places.iter().map(|(x, s)| (*x, percent(s.mean)));
        let (band, mean): (Vec<_>, Vec<_>) = (band.collect(), mean.collect());
        chart.band(&band).line(name, &mean).coloured(colour)
    });
    let counted: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.examples as f64, percent(row.bag_of_words.mean))).collect();
    let in_common = |row: &&Row| {
        let spread = row.words_in_common.as_ref()?;
        Some((row.examples as f64, percent(spread.mean)))
    };
    let in_common: Vec<(f64, f64)> = rows.iter().filter_map(in_common).collect();
    let level = |y: f64| rows.iter().map(|row| (row.examples as f64, y)).collect::<Vec<_>>();
    let chart = match &in_common[..] {
        [] => chart,
        in_common => chart.dashed("words in common", in_common).coloured(colour::IN_COMMON),
    };
    let chart = chart
        .dashed("counting words", &counted)
        .coloured(colour::COUNTED)
        .dashed("the most frequent label", &level(percent(found.majority)))
        .coloured(colour::GIVEN);
    // The first way's dots come last: they show where another line covers its own.
    let chart = LINES.into_iter().rev().fold(chart, |chart, (way, _, colour)| {
        let dots: Vec<(f64, f64)> =
            places(way).iter().map(|(x, s)| (*x, percent(s.mean))).collect();
        chart.points("", &dots).coloured(colour)
    });
    chart.named_at_ends().y_range(0.0..100.0).draw()
}
