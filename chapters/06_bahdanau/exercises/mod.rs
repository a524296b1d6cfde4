//! The exercises of chapter 6. Replace a `todo!()`, then run
//! `cargo test -p bahdanau --test exercises`.
//!
//! A column is a word. Sentences of a batch stand side by side without padding: the first one has the
//! columns (or entries) `offsets[0]..offsets[1]`, the next one `offsets[1]..offsets[2]`, and so on, so
//! there is one offset more than there are sentences.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::{Matrix, Vector};

/// A link (source word, target word), counted from 0.
pub type Link = (usize, usize);

/// **6.1 one column of an alignment – difficulty ●○○, about 10 minutes**
///
/// The weights of one decoder state on the words of one sentence: `softmax` of
/// `e_j = vᵀ tanh(W s + U h_j)`. `s` (d, 1), `annotations` (c, m), `w` (h, d), `u` (h, c), `v` (h, 1)
/// → (m, 1). Scores may be large.
///
/// Hint: `u * annotations` projects all words at once; `W s` is computed once and added to each column,
/// inside the tanh.
pub fn align(s: &Vector, annotations: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    todo!()
}

/// **6.2 contexts of a batch – difficulty ●○○, about 10 minutes**
///
/// Each column of the result is the mean of one sentence's values under its weights. `values`
/// (c, at least n), `weights` n numbers, `offsets` b + 1 numbers that end in n → (c, b). Values after
/// the last offset belong to sentences that are finished.
///
/// Hint: `offsets.windows(2)`.
pub fn contexts(values: &Matrix, weights: &[f32], offsets: &[usize]) -> Matrix {
    todo!()
}

/// **6.3 the gradient of many softmaxes – difficulty ●●○, about 15 minutes**
///
/// Each sentence's scores went through a softmax of their own and became `weights`. From the gradient
/// with respect to the weights, the gradient with respect to the scores.
///
/// Hint: chapter 3 has it for one softmax: `α ⊙ (dα − αᵀdα)`.
pub fn softmax_backward(weights: &[f32], dweights: &[f32], offsets: &[usize]) -> Vec<f32> {
    todo!()
}

/// **6.4 the gradient of additive scores – difficulty ●●●, about 25 minutes**
///
/// One query `q` (h, 1), already projected, the projected keys of its sentence (h, m), `v` (h, 1), and
/// `de` (m, 1), the gradient with respect to the scores `e_j = vᵀ tanh(q + k_j)`. Returns the gradients
/// (dq, dk, dv), each of its argument's shape.
///
/// Hint: with t_j = tanh(q + k_j), which of the three depends on one word only, and which are sums?
pub fn additive_backward(
    q: &Vector,
    keys: &Matrix,
    v: &Vector,
    de: &Vector,
) -> (Vector, Matrix, Vector) {
    todo!()
}

/// **6.5 alignment error rate – difficulty ●●○, about 15 minutes**
///
/// `weights` (source words, target words): every target word is linked to the source word with the
/// largest weight; no two of a column are equal. Compare these links A with the sure links S and the links P that are at least
/// possible, `1 − (|A∩S| + |A∩P|)/(|A| + |S|)`. Every sure link is possible too; `possible` lists only
/// the others.
///
/// Hint: every sure link is in P as well, whatever the argument `possible` lists.
pub fn alignment_error_rate(weights: &Matrix, sure: &[Link], possible: &[Link]) -> f64 {
    todo!()
}

/// **6.6 a look that moves along – difficulty ●●○, about 20 minutes**
///
/// Nothing is trained here: choose the weights by hand. The state before word i (counted from 0) is
/// `s = (i)`, (1, 1); the annotation of word j is `h_j = (j, 1)`, (2, 1), whose second entry helps where a
/// bias is missing. Return `W` (h, 1), `U` (h, 2) and `v` (h, 1), with as many hidden units h as you need,
/// such that the weights `softmax(vᵀ tanh(W s + U h_j))` put more than 0.9 on word j = i, for every i, in
/// sentences of up to ten words.
///
/// Hint: one tanh only rises, or only falls. Draw the difference of two whose steps stand a little apart.
pub fn moving_look() -> (Matrix, Matrix, Vector) {
    todo!()
}

/// **6.7 spot the bug: a batch that shares its attention – difficulty ●○○, about 10 minutes**
///
/// Should turn each sentence's scores into weights that sum to 1. It passes every test that has one
/// sentence.
///
/// Hint: what does the sum run over?
pub fn softmax_in_segments(scores: &[f32], offsets: &[usize]) -> Vec<f32> {
    todo!("find the bug, then remove this line");
    let mut weights = scores.to_vec();
    for words in offsets.windows(2) {
        let largest = scores[words[0]..words[1]].iter().fold(f32::MIN, |a, b| a.max(*b));
        for weight in &mut weights[words[0]..words[1]] {
            *weight = (*weight - largest).exp();
        }
    }
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// **6.8 model 1 with pencil and paper – difficulty ●●○, about 20 minutes**
///
/// Work it out before any program does. Two pairs and nothing else: *the cat → le chat* and
/// *the dog → le chien*; there is no empty word. Every `t(y | x)` begins the same. Return three weights α:
/// of *le* on *the* after one step of expectation–maximisation, of *chat* on *cat* after one step, and of
/// *le* on *the* after endlessly many. (After a step means: weights computed with the table that the step
/// left.)
///
/// Hint: the first weights are all ½. Count with them; then each source word's counts are divided by their
/// own sum.
pub fn by_hand() -> [f64; 3] {
    todo!()
}

// **6.9 capstone: your attention learns to translate – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 6.1 to 6.5 are solved, the check builds a translator of your
// functions: `align` looks, `contexts` reads, `softmax_backward` and `additive_backward` train it,
// `alignment_error_rate` judges it. It learns a language of twelve words, in which adjectives stand
// after their nouns, and has to translate sentences that it has not seen.
//
// `cargo test -p bahdanau --test exercises 6.9` prints how it does beside ours.
