//! The exercises of chapter 10. Replace a `todo!()`, then run
//! `cargo test -p transformer --test exercises`.
//!
//! A column is a token: `x` (d, n) are n tokens of d entries. `product(&a.t(), &b)` is aᵀb.
#![allow(unused_variables, unused_imports, unreachable_code, clippy::ptr_arg)] // until all are solved

use shared::{Matrix, Operand, Vector, elementwise, product};

/// **10.1 spot the bug: a normalisation that was copied often – difficulty ●○○, about 10 minutes**
///
/// Should normalise every token of `x` (d, n) as `g ⊙ (x − μ)/√(σ² + ε) + b` with ε = 10⁻⁵, where μ and
/// σ² are the mean and the variance of the token's own entries (Ba et al. 2016). The lines below do
/// what a well-known tutorial does, and models train with them. Two things differ.
///
/// Hint: by what is a sum of squares divided, and where does ε stand? Take a token of two entries.
pub fn layer_norm(x: &Matrix, gain: &Vector, bias: &Vector) -> Matrix {
    todo!("find the bug, then remove this line");
    let mut y = x.clone();
    for mut token in y.column_iter_mut() {
        let mean = token.mean();
        let deviation = token.map(|x| x - mean);
        let std = (deviation.norm_squared() / (x.nrows() - 1) as f32).sqrt();
        token.copy_from(&(gain.component_mul(&(deviation / (std + 1e-5))) + bias));
    }
    y
}

/// **10.2 the gradient of a layer normalisation – difficulty ●●●, about 30 minutes**
///
/// From `dy` (d, n), the gradient with respect to the output of exercise 10.1 done right, the gradients
/// (dx, dgain, dbias), each of its argument's shape.
///
/// Hint: write y = g ⊙ z + b with z = s·(x − μ) and s = 1/√(σ² + ε), and begin with dz = g ⊙ dy. Three small
/// questions for one token: what is dx if s is a constant? By how much does s move with `x_i`, `ds/dx_i`? And
/// what is the gradient with respect to s?
pub fn layer_norm_backward(x: &Matrix, gain: &Vector, dy: &Matrix) -> (Matrix, Vector, Vector) {
    todo!()
}

/// **10.3 spot the bug: a stream that is normalised – difficulty ●○○, about 5 minutes**
///
/// Should be a residual block that normalises *before* its part (pre-LN). It passes every test in which
/// `x` is normalised already.
///
/// Hint: let the part answer 0. What should leave the block?
pub fn pre_norm_block(
    x: &Matrix,
    norm: fn(&Matrix) -> Matrix,
    part: fn(&Matrix) -> Matrix,
) -> Matrix {
    todo!("find the bug, then remove this line");
    let x = norm(x);
    &x + part(&x)
}

/// **10.4 who hears of the last word? – difficulty ●●○, about 10 minutes**
///
/// Predict: five tokens enter. Then the last one is replaced by another, and they enter again. Does what leaves at
/// the position of the *first* token change? Commit yourself: `true` for yes, in this order. Then let the
/// check compute it.
///
/// 0. the feed-forward network
/// 1. self-attention without a mask
/// 2. self-attention with the causal mask, scores of later tokens set to −∞ before the softmax
/// 3. self-attention with weights of later tokens set to 0 after the softmax, the others left as they are
/// 4. cross-attention of these tokens to the tokens of a source
/// 5. layer normalisation, token by token
/// 6. a normalisation with mean and variance over all entries of the sentence
/// 7. batch normalisation *in training*: every row by its mean and variance over the tokens
pub fn who_hears() -> [bool; 8] {
    todo!()
}

/// **10.5 a block that copies – difficulty ●●○, about 25 minutes**
///
/// Construct: nothing is trained here. Choose the weights of a cross-attention with one head by hand, such that a
/// decoder's token is overwritten with the source word at its own position. A token has six entries: rows
/// 0 to 3 are the word, 1 in the row of its number and 0 elsewhere; rows 4 and 5 are its position i,
/// `cos(2πi/8)` and `sin(2πi/8)`, counted from 0. The source `h` and the decoder's tokens `x` are (6, n) each,
/// with up to eight words. Return `W_q`, `W_k`, `W_v`, `W_o`, each (6, 6), for `x + W_o V softmax(KᵀQ/√6)`
/// with `Q = W_q x`, `K = W_k h`, `V = W_v h`. In the result
/// - the entry of the source word at the same position must exceed the other three words' by 1 at least:
///   x itself brings another word along;
/// - rows 4 and 5 must be x's, to within 0.05: the next block wants to know the position too.
///
/// Hint: the dot product of two positions is cos(2π(i − j)/8), largest for i = j, but not by much.
pub fn copying_block() -> [Matrix; 4] {
    todo!()
}

/// **10.6 smoothed labels – difficulty ●●○, about 20 minutes**
///
/// The cross-entropy of one word with smoothed labels, and its gradient with respect to the `logits` (K, 1):
/// the `target` has probability `1 − ε + ε/K`, every other word `ε/K`. Logits may be as large as ±1000.
///
/// Hint: −Σ q_k ln p_k with ln p_k = x_k − ln Σ e^x. The q_k sum to 1.
pub fn smoothed_loss(logits: &Vector, target: usize, epsilon: f32) -> (f32, Vector) {
    todo!()
}

/// **10.7 up and down again – difficulty ●●○, about 15 minutes**
///
/// The paper's learning rate at step `s`, counted from 1, with `w` steps of warm-up:
/// `d^−½ · min(s^−½, s·w^−³ᐟ²)`. Return it, and the step (not always a whole number) on the other side of
/// the peak at which the rate is the same; `s` is not `w`.
///
/// Hint: before the peak one of the two decides, after it the other. Set them equal for two steps s < w < t.
pub fn rate_and_its_twin(d_model: f64, w: f64, s: f64) -> (f64, f64) {
    todo!()
}

/// **10.8 one word further – difficulty ●●○, about 20 minutes**
///
/// Causal self-attention with one head, a token at a time. `cache` holds a key and a value, (d, 1) each,
/// for every token before, in the order of the tokens; `x` (d_model, 1) is the next one, and `w_q`, `w_k`, `w_v` are (d, d_model).
/// Return the token's context (d, 1), as attention with the scores `kᵀq/√d` over the whole sequence would have
/// it, and leave in the cache what the next step needs, in that order. Scores may be as large as ±2000.
///
/// Hint: does a token see itself?
pub fn next_token(
    cache: &mut Vec<(Vector, Vector)>,
    x: &Vector,
    w_q: &Matrix,
    w_k: &Matrix,
    w_v: &Matrix,
) -> Vector {
    todo!()
}

/// **10.9 spot the bug: always at the beginning – difficulty ●○○, about 10 minutes**
///
/// Should make a decoder's tokens: the words' vectors (columns of `table`) times √d, plus the vectors of
/// their positions. `before` words of the sentence went in earlier, and only `words` are new. It passes every
/// test that puts a whole sentence in at once, as training does; what it writes word by word is poor.
///
/// Hint: at which position does the third word stand, when it comes alone?
pub fn decoder_tokens(
    words: &[usize],
    before: usize,
    table: &Matrix,
    place: fn(usize) -> Vector,
) -> Matrix {
    todo!("find the bug, then remove this line");
    let scale = (table.nrows() as f32).sqrt();
    let tokens = words.iter().enumerate().map(|(i, word)| table.column(*word) * scale + place(i));
    Matrix::from_columns(&tokens.collect::<Vec<_>>())
}

/// **10.10 count them – difficulty ●●○, about 20 minutes**
///
/// How many numbers a Transformer of this chapter trains. `blocks` are the encoder's and the decoder's (there
/// may be none), `words` the source's and the target's. Positions are sinusoids. All linear maps have a bias but the keys' and
/// the output's; with `pre` the blocks normalise before their parts; with `tied` the output is the table of
/// the target's words.
///
/// Hint: an encoder's block has one attention, a decoder's two. What do the heads change?
pub fn parameters(
    d_model: usize,
    d_ff: usize,
    heads: usize,
    blocks: [usize; 2],
    words: [usize; 2],
    pre: bool,
    tied: bool,
) -> usize {
    todo!()
}

/// **10.11 what does the table show? – difficulty ●●○, about 10 minutes**
///
/// Judge: five models, five seeds each (the numbers are made up for this exercise): BLEU, then perplexity.
///
/// | | BLEU | perplexity |
/// |---|---|---|
/// | post-LN, warm-up, sharp labels | 58.9 59.6 60.4 61.0 61.2 | 2.29 2.30 2.31 2.33 2.35 |
/// | post-LN, warm-up, smoothed labels | 61.9 62.2 62.8 63.1 63.3 | 2.49 2.50 2.52 2.54 2.55 |
/// | pre-LN, warm-up, smoothed labels | 61.5 62.0 62.9 63.4 63.6 | 2.48 2.50 2.51 2.55 2.57 |
/// | post-LN, no warm-up, smoothed labels | 2.7 2.9 3.1 3.3 62.5 | 2.52 41.0 42.5 43.9 44.2 |
/// | GRU with attention, sharp labels | 54.1 54.8 55.0 55.9 56.2 | 2.60 2.62 2.63 2.66 2.70 |
///
/// Of two rows one is higher when all its seeds lie above all of the other's (of ten equal runs, five lie so
/// by chance once in 126 times, one way or the other); where they overlap, the table does not decide. Return
/// for each claim `Some(true)`: the table shows it, `Some(false)`: the table shows that it is wrong, `None`:
/// this table does not decide it.
///
/// 0. With post-LN and warm-up, smoothed labels raise BLEU.
/// 1. With post-LN and warm-up, smoothed labels lower the perplexity.
/// 2. With smoothed labels and warm-up, pre-LN and post-LN differ in BLEU.
/// 3. Without warm-up, post-LN never learns.
/// 4. The third row lies above the last because attention has taken the place of recurrence.
pub fn verdicts() -> [Option<bool>; 5] {
    todo!()
}

/// **10.12 three models and long sentences – difficulty ●●○, about 10 minutes**
///
/// Predict: three models have learnt from the same 20,000 pairs, with three seeds each. They have nearly the
/// same number of parameters, and no source sentence had more than 16 words. Now they translate 500
/// sentences of 17 to 30 words, punctuation counted.
/// - `"transformer"`: this chapter's, with sinusoids; every sentence begins at position 0
/// - `"random_start"`: the same, but every pair, while it is learnt from, begins at a position drawn from 0 to
///   16; what is translated begins at position 0
/// - `"bahdanau"`: chapter 6's, two recurrent networks that read and one that writes; no positions are added
///
/// Return the three names by their mean BLEU on the long sentences, the highest first. Then, for the first
/// and the second name and for the second and the third: do the seeds decide it? `true` when all seeds of
/// the one lie above all of the other's, `false` when they overlap; two names whose seeds overlap may stand
/// in either order. The check reads what was measured, `figures/results.json`: commit yourself before you
/// look.
///
/// Hint: at word 25 of a sentence, what is new to each of them? And chapter 6's page says how a smaller
/// model of its kind did on the same sentences.
pub fn order_on_long_sentences() -> ([&'static str; 3], [bool; 2]) {
    todo!()
}

/// **10.13 who may look at whom – difficulty ●●○, about 15 minutes**
///
/// Sentences lie side by side in one matrix: sentence b has the columns `queries[b]..queries[b + 1]` of
/// those who ask, and `keys[b]..keys[b + 1]` of those who are asked. Return the mask (m, n) that is added
/// to the scores, a column a query: 0 where the query may look, −∞ where it may not. It may look at the
/// words of its own sentence; with `causal`, where `queries` and `keys` are the same, only at those up to
/// itself. A sentence may be empty, and there may be none at all.
///
/// Hint: which b does column i belong to? Fill all with −∞, then go sentence by sentence.
pub fn sight(queries: &[usize], keys: &[usize], causal: bool) -> Matrix {
    todo!()
}

/// What can be chosen in a training (for 10.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Training {
    /// A recurrent translator; otherwise a Transformer.
    pub recurrent: bool,
    /// Smoothed labels; otherwise sharp ones.
    pub smoothed: bool,
    /// A learning rate with warm-up; otherwise without.
    pub warm_up: bool,
}

/// **10.14 which trainings decide it? – difficulty ●●○, about 15 minutes**
///
/// Design: two trainings have been made, each with enough seeds that a difference to any other would be
/// decided: A, a Transformer with smoothed labels and warm-up, and B, a recurrent model with sharp labels
/// and no warm-up. A's BLEU is higher. Three claims are made:
///
/// 1. With warm-up, smoothed labels raise the Transformer's BLEU.
/// 2. With sharp labels and no warm-up, the Transformer's BLEU is higher than the recurrent model's.
/// 3. Without warm-up, smoothed labels raise the Transformer's BLEU by more than the recurrent model's.
///
/// Return the fewest further trainings (not A, not B) with which all three are decided.
///
/// Hint: for each claim, which trainings stand on the two sides of the inequality?
pub fn trainings() -> Vec<Training> {
    todo!()
}

/// **10.15 what no mean can do – difficulty ●○○, about 10 minutes**
///
/// Construct: choose the weights of a feed-forward network with two hidden units such that in
/// `y = x + W₂ relu(W₁ x + b₁) + b₂`, for tokens x with three entries, the last entry has grown by the
/// distance `|x₀ − x₁|` of the first two, and these are as they were. Return (W₁, b₁, W₂, b₂), (2, 3),
/// (2, 1), (3, 2) and (3, 1).
///
/// Hint: which of x₀ − x₁ and x₁ − x₀ is positive?
pub fn difference() -> (Matrix, Vector, Matrix, Vector) {
    todo!()
}

// **10.16 capstone: your Transformer – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 10.1, 10.2, 10.6, 10.7, 10.8, 10.9 and 10.13 together are a Transformer that learns to
// translate, on chapter 3's attention. It opens when they are solved:
// `cargo test -p transformer --test exercises 10.16`.
