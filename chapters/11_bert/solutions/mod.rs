//! Solutions to the exercises of chapter 11.

use bert::{MaskedToken, Special};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::elementwise::normal_distribution;
use shared::{Matrix, Rng};
use std::collections::HashMap;

/// 11.1: a letter is one byte or several, and a `&str` is cut between letters alone.
pub fn cut(word: &str, known: &HashMap<&str, usize>) -> Result<Vec<usize>, usize> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    while begin < word.len() {
        let mark = if begin == 0 { "" } else { "##" };
        let ends = (begin + 1..=word.len()).rev().filter(|end| word.is_char_boundary(*end));
        let piece = |end: usize| known.get(&*format!("{mark}{}", &word[begin..end]));
        let found = ends.filter_map(|end| Some((*piece(end)?, end))).next();
        let (piece, end) = found.ok_or_else(|| word[..begin].chars().count())?;
        pieces.push(piece);
        begin = end;
    }
    Ok(pieces)
}

/// 11.2: the three marks count, too.
pub fn pair(
    first: &[usize],
    second: &[usize],
    longest: usize,
    special: &Special,
) -> (Vec<usize>, Vec<usize>) {
    let (mut a, mut b) = (first.len(), second.len());
    while a + b + 3 > longest {
        if a > b { a -= 1 } else { b -= 1 }
    }
    let pieces = [&[special.cls], &first[..a], &[special.sep], &second[..b], &[special.sep]];
    let segments = [vec![0; a + 2], vec![1; b + 1]];
    (pieces.concat(), segments.concat())
}

/// 11.3
pub fn mask(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<MaskedToken> {
    let mut positions: Vec<usize> =
        (0..pieces.len()).filter(|position| !special.contains(pieces[*position])).collect();
    let words: Vec<usize> = (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
    let n = pieces.iter().filter(|piece| ![special.cls, special.sep].contains(piece)).count();
    let count = ((0.15 * n as f64).round() as usize).max(1);
    let chosen = positions.partial_shuffle(rng, count).0;
    chosen.sort_unstable();
    let mut masked = Vec::new();
    for &position in &*chosen {
        masked.push(MaskedToken { position, original: pieces[position] });
        match rng.random::<f64>() {
            u if u < 0.8 => pieces[position] = special.mask,
            u if u < 0.9 => pieces[position] = words[rng.random_range(0..words.len())],
            _ => {}
        }
    }
    masked
}

/// 11.4: `dx = (Φ(x) + x·φ(x))·dy` with `φ(x) = e^(−x²/2)/√2π`.
pub fn gelu_backward(x: &Matrix, dy: &Matrix) -> Matrix {
    let density = |x: f32| (-0.5 * x * x).exp() / (2.0 * std::f32::consts::PI).sqrt();
    x.zip_map(dy, |x, dy| (normal_distribution(x) + x * density(x)) * dy)
}

/// 11.5: the mean was taken too early; a number is the same at all positions, and the mask, summed and
/// divided by its sum, is 1. First the mask, then the mean.
pub fn masked_loss(logits: &Matrix, targets: &[usize], masked: &[bool]) -> f32 {
    let losses = logits.column_iter().zip(targets).map(|(o, target)| {
        let largest = o.max();
        largest + o.map(|o| (o - largest).exp()).sum().ln() - o[*target]
    });
    let sum: f32 = losses.zip(masked).filter(|(_, masked)| **masked).map(|(loss, _)| loss).sum();
    let count = masked.iter().filter(|masked| **masked).count();
    if count == 0 { 0.0 } else { sum / count as f32 }
}

/// 11.6: as many on both machines, and their means agree with the mean; so two and one. The broadcast sum is
/// the sum of all losses, times the number of masked ones: the mask has no influence there either.
pub fn distinguishing_positions() -> [(u8, bool); 6] {
    [(1, true), (7, true), (2, false), (9, true), (0, false), (3, false)]
}

/// 11.7: a machine with twice as many pieces counts twice; and the library divides by the machines.
pub fn factors(masked: &[usize]) -> Vec<f32> {
    let all: usize = masked.iter().sum();
    masked.iter().map(|own| (own * masked.len()) as f32 / all as f32).collect()
}

/// 11.8: heads divide the rows of the matrices, and change no number.
pub fn parameters(
    vocabulary: usize,
    longest: usize,
    width: usize,
    feed_forward: usize,
    _heads: usize,
    blocks: usize,
) -> [usize; 5] {
    let d = width;
    [
        (vocabulary + longest + 2) * d,
        blocks * 4 * (d * d + d),
        blocks * (2 * d * feed_forward + feed_forward + d),
        (1 + 2 * blocks) * 2 * d, // one over the sum of the embeddings
        d * d + d,
    ]
}

/// 11.9
pub fn losses() -> [f64; 7] {
    let ln = |x: f64| x.ln();
    [
        ln(15.0),
        ln(10.0),
        // “the” and “.” are 1/5 of all words each, four words are 1/10, and four 1/20.
        (2.0 * ln(5.0)) / 5.0 + (4.0 * ln(10.0)) / 10.0 + (4.0 * ln(20.0)) / 20.0,
        3.0 / 5.0 * ln(2.0), // “the” and “.” are certain
        2.0 / 5.0 * ln(2.0), // the verb, too: “cats … fish”
        0.0,
        ln(2.0), // only the verb is left
    ]
}

/// 11.10: `[MASK]` asks for the piece before it, and *not* for `[MASK]`, which has it, too; all other tokens ask
/// for `[CLS]`, three times as loud, which has no value. Scores differ by 400 or more.
pub fn lookup() -> [Matrix; 4] {
    let mut w_q = rows(8..16, 40.0);
    w_q[(1, 1)] = 40.0;
    for own in [0, 2, 3, 4, 5, 6, 7] {
        w_q[(0, own)] = 120.0;
    }
    let mut w_k = rows(8..16, 40.0);
    w_k[(0, 0)] = 40.0;
    w_k[(1, 1)] = -40.0;
    [w_q, w_k, rows(5..8, 3.0), rows(0..16, 1.0)]
}

/// A diagonal matrix, `size` in these rows.
pub fn rows(range: std::ops::Range<usize>, size: f32) -> Matrix {
    Matrix::from_fn(16, 16, |i, j| if i == j && range.contains(&i) { size } else { 0.0 })
}
