//! The page's figures, but for the alignments.

use super::results::Results;
use seq2seq::translating::compared;
use workbench::figure::{Svg, colour};

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    let [with, without] = ["with", "without"].map(|name| &results.models[name]);
    let by_length = [
        ("with attention", &with.by_length[..], colour::WITH_ATTENTION),
        ("without", &without.by_length[..], colour::WITHOUT_ATTENTION),
    ];
    let learning = [
        ("with attention", &with.curve.bleu[..], colour::WITH_ATTENTION),
        ("without", &without.curve.bleu[..], colour::WITHOUT_ATTENTION),
    ];
    vec![
        ("by_length", compared::by_length("BLEU by length", &by_length)),
        ("learning", compared::learning(&learning)),
    ]
}
