//! The page's figures that are drawn from the results.

use super::results::{OfTask, Results, Row};
use super::rows::Way;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};

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
    let y = if task == "tags" { "accuracy, ambiguous words, %" } else { "accuracy, %" };
    let percent = |x: f64| 100.0 * x;
    let chart = Chart::new(task, "examples to learn from", y).log(true, false);
    let scores = |way: Way| {
        let at = |row: &Row| row.ways[way.name()].accuracy.at(row.examples as f64);
        let percents = |(x, mean, low, high)| (x, percent(mean), percent(low), percent(high));
        Vec::from_iter(rows.iter().map(|row| percents(at(row))))
    };
    let chart = LINES
        .into_iter()
        .fold(chart, |chart, (way, name, colour)| chart.spread(name, scores(way)).coloured(colour));
    let level = |of: &dyn Fn(&Row) -> Option<f64>| -> Vec<(f64, f64)> {
        let place = |row: &&Row| Some((row.examples as f64, percent(of(row)?)));
        rows.iter().filter_map(place).collect()
    };
    let in_common = level(&|row| Some(row.words_in_common.as_ref()?.mean));
    let chart = match &in_common[..] {
        [] => chart,
        in_common => chart.dashed("words in common", in_common).coloured(colour::IN_COMMON),
    };
    let chart = chart
        .dashed("counting words", &level(&|row| Some(row.bag_of_words.mean)))
        .coloured(colour::COUNTED)
        .dashed("the most frequent label", &level(&|_| Some(found.majority)))
        .coloured(colour::GIVEN);
    // The first way's dots come last: they show where another line covers its own.
    let chart = LINES.into_iter().rev().fold(chart, |chart, (way, _, colour)| {
        let means = scores(way).iter().map(|at| (at.0, at.1)).collect::<Vec<_>>();
        chart.points("", &means).coloured(colour)
    });
    chart.y_range(0.0..100.0).draw()
}
