//! Alignments as pictures, and scores by length.

use crate::translating::judge::LengthScore;
use corpora::Pair;
use shared::Matrix;
use workbench::figure::{Chart, Heatmap, Svg};
use workbench::program::{columns, padded};

/// A heatmap of weights (source words, target words).
pub fn heatmap(title: &str, weights: &Matrix, source: &[String], target: &[String]) -> Svg {
    Heatmap::new(title, "translation", "source", weights)
        .x_names(target)
        .y_names(source)
        .range(0.0..1.0)
        .draw()
}

/// What a model looks at (source words, target words), with rings around the links that are known.
pub fn alignment(title: &str, weights: &Matrix, pair: &Pair) -> Heatmap {
    Heatmap::new(title, "translation", "source", weights)
        .x_names(&pair.target)
        .y_names(&pair.source)
        .range(0.0..1.0)
        .rings("known link", &links(pair))
}

/// The known links of a pair, sure and possible ones.
pub fn links(pair: &Pair) -> Vec<(usize, usize)> {
    let known = pair.alignment.as_ref();
    known.map(|known| [&known.sure[..], &known.possible[..]].concat()).unwrap_or_default()
}

/// Weights for the terminal, as in the figures: a column a target word, a row a source word, darker
/// is more. Long sentences get a list of each word's strongest links instead.
///
/// ```
/// use shared::Matrix;
/// let words = |s: &str| s.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let weights = Matrix::from_row_slice(2, 2, &[0.1, 0.9, 0.9, 0.1]);
/// let picture = seq2seq::translating::draw::in_text(&weights, &words("black cat"), &words("chat noir"));
/// assert_eq!(picture.lines().collect::<Vec<_>>(), [
///     "      chat noir",
///     "black ░░░░ ████",
///     "cat   ████ ░░░░",
/// ]);
/// let picture = seq2seq::translating::draw::in_text(&weights, &words("黑 cat"), &words("chat noir"));
/// assert_eq!(picture.lines().nth(1), Some("黑  ░░░░ ████"));
/// ```
pub fn in_text(weights: &Matrix, source: &[String], target: &[String]) -> String {
    let wide = |word: &String| columns(word);
    let label = source.iter().map(wide).max().unwrap_or(0);
    let width = label + target.iter().map(|word| wide(word) + 1).sum::<usize>();
    if width > 100 {
        return strongest(weights, source, target);
    }
    let mut text = format!("{:label$} {}\n", "", target.join(" "));
    for (i, word) in source.iter().enumerate() {
        let cells: Vec<String> =
            (0..target.len()).map(|j| shade(weights[(i, j)]).repeat(wide(&target[j]))).collect();
        text += format!("{} {}", padded(word, label), cells.join(" ")).trim_end();
        text.push('\n');
    }
    text
}

fn shade(weight: shared::Float) -> &'static str {
    match weight {
        w if w > 0.75 => "█",
        w if w > 0.5 => "▓",
        w if w > 0.25 => "▒",
        w if w > 0.05 => "░",
        _ => " ",
    }
}

fn strongest(weights: &Matrix, source: &[String], target: &[String]) -> String {
    let lines = target.iter().enumerate().map(|(j, word)| {
        let mut links: Vec<usize> = (0..source.len()).filter(|i| weights[(*i, j)] > 0.25).collect();
        links.sort_by(|a, b| weights[(*b, j)].total_cmp(&weights[(*a, j)]));
        let links: Vec<String> =
            links.iter().map(|&i| format!("{} {:.2}", source[i], weights[(i, j)])).collect();
        format!("{word} ← {}\n", links.join(", "))
    });
    lines.collect()
}

/// BLEU of a model against the number of source words.
pub fn by_length(name: &str, scores: &[LengthScore]) -> Svg {
    let points = scores.iter().map(|score| ((score.from + score.to) as f64 / 2.0, score.bleu));
    let points: Vec<_> = points.collect();
    let chart = Chart::new("BLEU by length", "source words", "BLEU").y_range(0.0..100.0);
    chart.line(name, &points).draw()
}
