//! The page's figures.

use super::results::Results;
use crate::translating::compared;
use workbench::figure::{Svg, colour};

/// All figures by name.
pub fn figures(results: &Results) -> Vec<(&'static str, Svg)> {
    vec![("by_length", by_length(results)), ("context", context(results))]
}

fn by_length(results: &Results) -> Svg {
    let of = |name: &str| results.models[name].by_length.as_slice();
    let models = [
        ("read forwards", of("default"), colour::WITHOUT_ATTENTION),
        ("read backwards", of("reversed"), colour::BACKWARDS),
    ];
    compared::by_length("BLEU by length", &models)
}

fn context(results: &Results) -> Svg {
    let sizes = ["hidden_256", "default", "hidden_64", "hidden_32"];
    let models = sizes.map(|size| &results.models[size]);
    let names = models.map(|model| format!("{} numbers", model.hidden));
    let lines: Vec<_> = (names.iter().zip(models))
        .map(|(name, model)| (name.as_str(), model.by_length.as_slice(), colour::WITHOUT_ATTENTION))
        .collect();
    compared::by_length_in_depths("The larger the context, the better, at any length", &lines)
}
