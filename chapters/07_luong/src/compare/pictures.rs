//! The page's figures.

use super::mechanisms::Row;
use super::reordering::DISTANCES;
use super::trained::Trained;
use seq2seq::translating::draw;
use shared::Matrix;
use std::collections::BTreeMap;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Heatmap, Svg};
use workbench::study::BySeeds;

const DRAWN: [(&str, &str, Colour); 5] = [
    ("global_general", "global, general", colour::GENERAL),
    ("global_dot", "global, dot", colour::DOT),
    ("global_location", "global, location", colour::LOCATION),
    ("local_m_general", "local-m, general, D = 1", colour::WINDOW),
    ("local_p_general", "local-p, general, D = 3", colour::PREDICTED_WINDOW),
];

/// What the models with input feeding of the first seed look at.
pub(super) fn alignments(rows: &[Row], found: &BySeeds<Trained>) -> Option<Svg> {
    let pair = &parallel::examples()[0];
    let picture = |(name, title, _)| {
        let setup = |row: &&Row| row.config.mechanism == name && row.config.feeding() == "fed";
        let weights = &found[&rows.iter().find(setup)?.name][0].weights;
        let weights = Matrix::from_column_slice(pair.source.len(), pair.target.len(), weights);
        Some(draw::alignment(title, &weights, pair))
    };
    panels(&DRAWN.into_iter().filter_map(picture).collect::<Vec<_>>())
}

fn panels(pictures: &[Heatmap]) -> Option<Svg> {
    let key = pictures.first()?.key();
    Some(Svg::grid(&pictures.iter().map(Heatmap::panel).collect::<Vec<_>>(), 3).keyed(&key))
}

/// The share of words that each mechanism finds, of the recorded ones.
pub fn words_found(shares: &BTreeMap<String, Vec<f64>>) -> Svg {
    let chart = Chart::new("Words found", "distance from the same position", "share found")
        .y_range(0.0..1.0)
        .x_range(0.0..(DISTANCES - 1) as f64);
    let drawn =
        DRAWN.iter().filter_map(|(name, title, colour)| Some((title, shares.get(*name)?, *colour)));
    drawn
        .fold(chart, |chart, (title, shares, colour)| {
            let points: Vec<_> = shares.iter().enumerate().map(|(d, s)| (d as f64, *s)).collect();
            chart.line(title, &points).coloured(colour)
        })
        .draw()
}
