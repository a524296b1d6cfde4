//! The exercises of chapter 16. Replace a `todo!()`, then run
//! `cargo test -p language_model --test exercises`.
//!
//! A column is a token.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::Matrix;
use std::ops::Range;

/// **16.1 root mean square – difficulty ●○○, about 10 minutes**
///
/// RMSNorm of every column of `x` (d, n): the column divided by `√(mean(x²) + epsilon)`, then each entry multiplied by
/// that of the gain `g` (d, 1).
///
/// Hint: no mean is subtracted.
pub fn rms_norm(x: &Matrix, g: &Matrix, epsilon: f32) -> Matrix {
    todo!()
}

/// **16.2 a gate – difficulty ●○○, about 10 minutes**
///
/// The feed-forward network with a gate, `W₂(silu(W_g x) ⊙ W₁ x)` with `silu(z) = z·σ(z)`, of every column of `x` (d, n):
/// `w_g` and `w_1` are (d_ff, d), `w_2` is (d, d_ff).
///
/// Hint: one of the two products passes through silu, the other does not.
pub fn gated(x: &Matrix, w_g: &Matrix, w_1: &Matrix, w_2: &Matrix) -> Matrix {
    todo!()
}

/// **16.3 the nucleus – difficulty ●●○, about 20 minutes**
///
/// Top-p: of the probabilities `p`, which sum to 1, keep the largest, as few as have at least `top_p` together. The
/// others become 0, and what is kept is divided by its sum. Of equal ones the first counts as larger.
///
/// Hint: sort the numbers of the words, not the probabilities; `sort_by` keeps the order of equals.
pub fn nucleus(p: &[f32], top_p: f32) -> Vec<f32> {
    todo!()
}

/// **16.4 spot the bug: a head and its group – difficulty ●●○, about 10 minutes**
///
/// Of `heads` heads, neighbours share keys: the first `heads / groups` heads read the first block of `d` rows of a
/// column of the cache, the next ones the second, and so on. Which rows does a head read? The training has the heads
/// in this order, and a text written with the cache makes no sense.
///
/// Hint: four heads in two groups: which rows do heads 0, 1, 2 and 3 read here?
pub fn rows_of_group(head: usize, heads: usize, groups: usize, d: usize) -> Range<usize> {
    todo!("find the bug, then remove this line");
    let group = head % groups;
    group * d..(group + 1) * d
}

/// **16.5 derive: the floor of a small grammar – difficulty ●●○, about 20 minutes**
///
/// A text is sentences like *anna went to the hall .* and *anna slept .* Of `names` names each is as probable as the
/// others; the verb is *went* with probability `went`; of `places` places each is as probable. Everything else is
/// certain. Which loss, in nats a word (the full stop is one), does the best model have on a very long text?
///
/// Hint: how many nats has a sentence on average, and how many words? The two verbs make sentences of 6 and 3 words.
pub fn floor(names: usize, places: usize, went: f64) -> f64 {
    todo!()
}

/// **16.6 construct: an induction head in one block – difficulty ●●●, about 25 minutes**
///
/// Tokens are one-hot columns of `v` entries. A query is `W_q x_i`, and a key holds two tokens, `W_k [x_j; x_{j−1}]`, so
/// `W_k` has 2v columns; the scores are not divided by anything. Choose `[W_q, W_k]` so that every token looks at the
/// token *after* the last time that it occurred: at least 0.9 of the weight, in texts of up to 20 tokens in which it
/// occurred once before.
///
/// Hint: what does the right key know about the query's token? And the softmax needs large differences.
pub fn induction_head(v: usize) -> [Matrix; 2] {
    todo!()
}

/// **16.7 predict: what a cache keeps – difficulty ●○○, about 5 minutes**
///
/// How many numbers does a cache keep of `tokens` tokens? The model has `blocks` blocks of width `width` with `heads`
/// heads, of which each of `groups` groups shares its keys and values.
///
/// Hint: keys and values; a head has width/heads rows.
pub fn kept(tokens: usize, blocks: usize, width: usize, heads: usize, groups: usize) -> usize {
    todo!()
}

// **16.8 capstone: a language model on your functions – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 16.1, 16.2 and 16.3 are solved, the check lets them work: a small model is
// trained, your `rms_norm` and `gated` stand in its blocks while it reads texts that it has not seen, and your `nucleus`
// chooses the words that it writes. Its loss has to be below that of trigrams.
//
// `cargo test -p language_model --test exercises 16` prints what came out beside ours.
