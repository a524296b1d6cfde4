//! The page's figures.

use super::results::Results;
use crate::translating::compared;
use workbench::figure::{Svg, colour};

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![("by_length", by_length(results)), ("context", context(results))]
}

fn by_length(results: &Results) -> Svg {
    let models = [
        ("read forwards", "default", colour::WITHOUT_ATTENTION),
        ("read backwards", "reversed", colour::BACKWARDS),
    ];
    let lengths = |name: &str| Some(&results.models.get(name)?.by_length[..]);
    let models =
        models.into_iter().filter_map(|(label, name, of)| Some((label, lengths(name)?, of)));
    compared::by_length("BLEU by length", &models.collect::<Vec<_>>())
}

fn context(results: &Results) -> Svg {
    let sizes = ["hidden_256", "default", "hidden_64", "hidden_32"];
    let models: Vec<_> = sizes.iter().filter_map(|size| results.models.get(*size)).collect();
    let names: Vec<_> = models.iter().map(|model| format!("{} numbers", model.hidden)).collect();
    let lines: Vec<_> = (names.iter().zip(models))
        .map(|(name, model)| (name.as_str(), model.by_length.as_slice(), colour::WITHOUT_ATTENTION))
        .collect();
    compared::by_length_in_depths("The larger the context, the better, at any length", &lines)
}
