//! Typical mistakes.

use shared::{Float, Matrix};
use std::ops::Range;

pub fn short_window(center: Float, width: usize, words: usize) -> Range<usize> {
    let width = width as Float;
    let last = (center + width).floor().min(words as Float - 1.0) as usize;
    (center - width).ceil().max(0.0) as usize..last
}

pub fn open_window(center: Float, width: usize, _: usize) -> Range<usize> {
    let width = width as Float;
    (center - width).ceil().max(0.0) as usize..(center + width).floor() as usize + 1
}

pub fn wrapping_window(center: Float, width: usize, words: usize) -> Range<usize> {
    let width = width as Float;
    let first = (center - width).ceil() as isize as usize;
    first..(center + width).floor().min(words as Float - 1.0) as usize + 1
}

pub fn rounded_window(center: Float, width: usize, words: usize) -> Range<usize> {
    let center = center.round() as usize;
    center.saturating_sub(width)..(center + width + 1).min(words)
}

pub fn nearly_up(center: Float, width: usize, words: usize) -> Range<usize> {
    let width = width as Float;
    (center - width + 0.99).max(0.0) as usize..((center + width) as usize + 1).min(words)
}

pub fn scaled_scores(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    (w * keys).transpose() * queries / (queries.nrows() as Float).sqrt()
}

pub fn softmaxed_scores(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    let mut scores = (w * keys).transpose() * queries;
    shared::elementwise::softmax_columns(&mut scores);
    scores
}

pub fn position_gradient(
    alpha: &[Float],
    p: Float,
    sigma: Float,
    dy: &[Float],
    power: i32,
) -> Float {
    let gaussian = |r: Float| (-r * r / (2.0 * sigma * sigma)).exp();
    let r = |s: usize| s as Float - p;
    (0..dy.len()).map(|s| dy[s] * alpha[s] * gaussian(r(s)) * r(s) / sigma.powi(power)).sum()
}

pub fn without_gaussian(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    (0..dy.len()).map(|s| dy[s] * alpha[s] * (s as Float - p) / (sigma * sigma)).sum()
}

fn layer(inputs: usize, hidden: usize, biases: usize) -> usize {
    3 * (hidden * inputs + hidden * hidden + biases * hidden)
}

pub fn all_layers_fed(e: usize, h: usize, layers: usize, feeding: bool) -> usize {
    let more = if feeding { h } else { 0 };
    layer(e + more, h, 2) + (layers - 1) * layer(h + more, h, 2)
}

pub fn two_states_fed(e: usize, h: usize, layers: usize, feeding: bool) -> usize {
    layer(e + if feeding { 2 * h } else { 0 }, h, 2) + (layers - 1) * layer(h, h, 2)
}

pub fn one_bias(e: usize, h: usize, layers: usize, feeding: bool) -> usize {
    layer(e + if feeding { h } else { 0 }, h, 1) + (layers - 1) * layer(h, h, 1)
}

fn near(s: usize, p: Float, width: usize) -> Float {
    let sigma = width as Float / 2.0;
    (-(s as Float - p).powi(2) / (2.0 * sigma * sigma)).exp()
}

fn softmax(scores: &[Float]) -> Vec<Float> {
    let largest = scores.iter().copied().fold(Float::MIN, Float::max);
    let sum: Float = scores.iter().map(|score| (score - largest).exp()).sum();
    scores.iter().map(|score| (score - largest).exp() / sum).collect()
}

/// The function as the exercise gives it.
pub fn renormalised(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    let weight = |s: usize| scores[s].exp() * near(s, p, width);
    let sum: Float = window.clone().map(weight).sum();
    window.map(|s| weight(s) / sum).collect()
}

/// Right, but for what is subtracted from the scores: the largest in the window.
pub fn shifted(
    scores: &[Float],
    p: Float,
    width: usize,
    window: Range<usize>,
    shift: Float,
) -> Vec<Float> {
    let exponential = |s: usize| (scores[s] - shift).exp();
    let sum: Float = window.clone().map(exponential).sum();
    window.map(|s| exponential(s) / sum * near(s, p, width)).collect()
}

pub fn over_the_sentence(
    scores: &[Float],
    p: Float,
    width: usize,
    window: Range<usize>,
) -> Vec<Float> {
    let alpha = softmax(scores);
    window.map(|s| alpha[s] * near(s, p, width)).collect()
}

pub fn without_factor(scores: &[Float], _: Float, _: usize, window: Range<usize>) -> Vec<Float> {
    softmax(&scores[window])
}

/// The function as the exercise gives it.
pub fn all_positions(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    let weights = softmax((w * query).as_slice());
    (0..words).map(|s| weights.get(s).copied().unwrap_or(0.0)).collect()
}

pub fn known_only(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    softmax((w.rows(0, words.min(w.nrows())) * query).as_slice())
}

pub fn unstable_location(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    let known = words.min(w.nrows());
    let exponentials = (w.rows(0, known) * query).map(Float::exp);
    let weight = |s: usize| exponentials.get(s).map_or(0.0, |e| e / exponentials.sum());
    (0..words).map(weight).collect()
}

pub fn zero_scores(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    let scores = w * query;
    let scores: Vec<Float> = (0..words).map(|s| scores.get(s).copied().unwrap_or(0.0)).collect();
    softmax(&scores)
}
