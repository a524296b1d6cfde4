//! The page's figures.

use super::jobs::{Done, Job, feeding};
use super::reordering::DISTANCES;
use corpora::{END, Pair};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::draw;
use seq2seq::translating::judge::forced_alignment;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Heatmap, Svg};
use workbench::program::Output;

/// What is drawn, and under which name.
const DRAWN: [(&str, &str, Colour); 5] = [
    ("global_general", "global, general", colour::GENERAL),
    ("global_dot", "global, dot", colour::DOT),
    ("global_location", "global, location", colour::LOCATION),
    ("local_m_general", "local-m, general, D = 1", colour::WINDOW),
    ("local_p_general", "local-p, general, D = 3", colour::PREDICTED_WINDOW),
];

pub(super) fn draw_alignments(
    output: &Output,
    corpus: &Corpus,
    jobs: &[Job],
    done: &[Done],
) -> Result<()> {
    let pair = &corpora::parallel::examples()[0];
    match alignments(corpus, pair, jobs, done) {
        Some(figure) => output.figure("alignments_1", &figure),
        None => Ok(()), // others were compared
    }
}

/// What the models with input feeding of the first seed look at.
fn alignments(corpus: &Corpus, pair: &Pair, jobs: &[Job], done: &[Done]) -> Option<Svg> {
    let closed = |mut words: Vec<usize>| {
        words.push(END);
        words
    };
    let source = closed(corpus.source.encode(&pair.source));
    let target = closed(corpus.target.encode(&pair.target));
    let picture = |(name, title, _)| {
        let fed = |job: &Job| job.name == name && feeding(job) == "fed";
        let model = jobs.iter().zip(done).find(|(job, done)| fed(job) && done.model.is_some());
        let weights = forced_alignment(model?.1.model.as_ref()?, &source, &target)?;
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
