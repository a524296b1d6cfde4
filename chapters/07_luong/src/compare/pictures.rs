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
use workbench::figure::{Chart, Svg};
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
    let pairs = corpora::parallel::examples();
    for (number, pair) in pairs.iter().enumerate() {
        output
            .figure(&format!("alignments_{}", number + 1), &alignments(corpus, pair, jobs, done))?;
    }
    Ok(())
}

/// The known alignment, and what the models with input feeding of the first seed look at.
fn alignments(corpus: &Corpus, pair: &Pair, jobs: &[Job], done: &[Done]) -> Svg {
    let closed = |mut words: Vec<usize>| {
        words.push(END);
        words
    };
    let source = closed(corpus.source.encode(&pair.source));
    let target = closed(corpus.target.encode(&pair.target));
    let mut pictures = Vec::new();
    if let Some(alignment) = &pair.alignment {
        let gold = draw::gold(pair, alignment);
        pictures.push(draw::heatmap("known", &gold, &pair.source, &pair.target));
    }
    for (name, title, _) in DRAWN {
        let fed = |job: &Job| job.name == name && feeding(job) == "fed";
        let model = jobs.iter().zip(done).find(|(job, done)| fed(job) && done.model.is_some());
        let weights =
            model.and_then(|(_, done)| forced_alignment(done.model.as_ref()?, &source, &target));
        if let Some(weights) = weights {
            pictures.push(draw::heatmap(title, &weights, &pair.source, &pair.target));
        }
    }
    Svg::grid(&pictures, 2)
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
