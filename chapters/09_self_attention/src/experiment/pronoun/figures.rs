//! The picture: where *it* looks, for both endings.

use super::measure::{Example, Pronoun};
use shared::Matrix;
use workbench::figure::{Heatmap, Svg};

/// All figures, by file name.
pub fn figures(found: &Pronoun) -> Vec<(&'static str, Svg)> {
    let pictures: Vec<Heatmap> = found.examples.iter().map(picture).collect();
    let panels: Vec<Svg> = pictures.iter().map(Heatmap::panel).collect();
    vec![("pronoun", Svg::grid(&panels, 2).keyed(&pictures[0].key()))]
}

/// Two sentences that differ in their last word: a row an ending, a column a word.
fn picture([one, other]: &[Example; 2]) -> Heatmap {
    let last = |example: &Example| example.words[example.words.len() - 1].clone();
    let mut words = one.words.clone();
    let count = words.len();
    words[count - 1] = "…".to_owned();
    let weights = Matrix::from_fn(2, count, |i, j| [one, other][i].weights[j]);
    Heatmap::new("What “it” looks at", "word", "ending", &weights)
        .x_names(&words)
        .y_names(&[last(one), last(other)])
        .range(0.0..1.0)
}
