//! The exercises of chapter 9. Replace a `todo!()`, then run
//! `cargo test -p self_attention --test exercises`.
//!
//! A column is a token: queries (d, n), keys (d, m), values (d_v, m). `weights(&q, &k)` is
//! softmax↓(KᵀQ/√d), (m, n), with d the rows of q; `product(&a.t(), &b)` is aᵀb. Tokens are
//! (d_model, n); where only d is named, a token has as many rows as a query.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use scoring_functions::weights;
use self_attention::positions::{frequency, shift, sinusoids};
use shared::{Matrix, Operand, Vector, elementwise, product};

/// **9.1 a rival – difficulty ●●○, about 15 minutes**
///
/// Plain self-attention, without matrices, of two tokens: `x` (d, 1), which is not 0, and the one that
/// you return, (d, 1). Choose it so that x gets a quarter of its *own* weights and yours the other
/// three quarters.
///
/// Hint: which difference of two scores does a softmax turn into one quarter? Look along x.
pub fn rival(x: &Vector) -> Vector {
    todo!()
}

/// The matrices of a layer without biases (for 9.2 and 9.3).
#[derive(Clone, Debug)]
pub struct Layer {
    /// `W_q`, in several heads `[W_q¹; …; W_qᴴ]`, one above another.
    pub w_q: Matrix,
    /// `W_k`, likewise.
    pub w_k: Matrix,
    /// `W_v`, likewise.
    pub w_v: Matrix,
    /// `W_o`, which mixes `[h₁; …; h_H]`.
    pub w_o: Matrix,
}

/// **9.2 what one head does – difficulty ●●○, about 20 minutes**
///
/// Multi-head attention is a sum over its heads, and two matrices say all about head i (counted from
/// 0): with tokens X that ask tokens Y, its scores are `YᵀM X`, the division by √d included, and it adds
/// `N Y softmax↓(YᵀM X)` to the layer's output. Return (M, N), both (d_model, d_model). The four
/// matrices of the layer are (d_model, d_model), and d = d_model / heads.
///
/// Hint: `w.rows(first, count).into_owned()`, and `columns` likewise. What does W_o do with h_i alone?
pub fn one_head(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    todo!()
}

/// **9.3 what all tokens share – difficulty ●○○, about 10 minutes**
///
/// Choose the matrices, each (d, d), of a layer with one head so that
/// `x + W_o·attention(W_q x, W_k x, W_v x)` subtracts from every token the mean of all tokens – for any
/// number of tokens `x` (d, n), however large they are.
///
/// Hint: for which scores is a softmax a plain mean?
pub fn take_the_mean_away(d: usize) -> Layer {
    todo!()
}

/// **9.4 as if it ended here – difficulty ●●○, about 15 minutes**
///
/// Causal attention: `q` (d, n), `k` (d, n), `v` (d_v, n) → (d_v, n), where token i sees the tokens
/// 0..=i, as if the sequence ended there. Scores may be as large as ±1000.
///
/// Hint: what must a hidden score be, so that its exponential is 0 and nothing else changes?
pub fn causal(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    todo!()
}

/// **9.5 three roles, one gradient – difficulty ●●●, about 30 minutes**
///
/// The gradient with respect to the tokens `x` (d, n) of plain self-attention `Y = X·softmax↓(XᵀX/√d)`,
/// given `dy` (d, n), the gradient of a loss with respect to Y.
///
/// Hint: call X by three names, Q, K and V. For three matrices 3.5 has the gradients; what is left to do
/// when all three are X? Try one token first: its weight is 1, whatever x is.
pub fn plain_gradient(x: &Matrix, dy: &Matrix) -> Matrix {
    todo!()
}

/// **9.6 the token before – difficulty ●●●, about 30 minutes**
///
/// A token is its content over its position: `d_content` rows of any numbers up to ±2, below them
/// `d_position` rows, column i of a table of sinusoids – `sinusoids(d_position, first, n)`, whatever
/// `first` is. Choose (W_q, W_k) so that in `weights(W_q X, W_k X)` every token but the first gives at
/// least 0.99 to the one before it, whatever the contents, in sequences of up to 60 tokens. Both have
/// d_content + d_position columns and equally many rows; d_position is 8 or more.
///
/// Hint: pᵢ·pⱼ is largest for i = j. Which matrix makes of a position the one before?
pub fn look_one_back(d_content: usize, d_position: usize) -> (Matrix, Matrix) {
    todo!()
}

/// **9.7 which position was it? – difficulty ●●○, about 15 minutes**
///
/// `p` (d, 1) is the sinusoidal encoding of one of the positions `0..n`, n up to 2000; but every entry was
/// disturbed by up to ±0.1. Return the position; d is 16 or more.
///
/// Hint: no pair of rows can say it alone. Ask all positions.
pub fn position_of(p: &Vector, n: usize) -> usize {
    todo!()
}

/// **9.8 where the costs cross – difficulty ●●○, about 15 minutes**
///
/// Work it out before you run it. Count multiplications alone, for n tokens of d entries: a
/// self-attention layer projects every token three times with (d, d) matrices, scores every token
/// against every token and mixes n values for every token; a convolution multiplies for every token k
/// neighbours (absent ones too, as zeros) with a (d, d) matrix each. Return the smallest n ≥ 1 at which
/// self-attention needs *more* multiplications than the convolution.
///
/// Hint: write both counts, divide by what they share.
pub fn crossing(d: usize, k: usize) -> usize {
    todo!()
}

/// **9.9 how many layers – difficulty ●○○, about 10 minutes**
///
/// Work it out before you run it. In each layer a token sees itself and the `behind` ≥ 1 tokens before
/// it. How many such layers does it take until the last of n ≥ 2 tokens can depend on the first?
///
/// Hint: how far back does one layer reach, and how far is the first token from the last?
pub fn layers(n: usize, behind: usize) -> usize {
    todo!()
}

/// **9.10 a test that finds every leak – difficulty ●●●, about 25 minutes**
///
/// `layer` makes n ≥ 3 outputs of n tokens, both (d, n) with d ≥ 2, and does not remember anything from
/// call to call. Return whether some output depends on a token that comes after it. You may call the
/// layer as often as you like. The leak may be in one position or one row alone, or small (a millionth), or
/// see one entry of a token, whether it is negative, the difference of two, which of them is larger, the
/// token's direction, its length, or the largest entry of all tokens; a layer that does not leak as long as
/// all numbers are finite must not be accused. The check's leaks show for most inputs, not for all: try several.
///
/// Hint: keep the first tokens, change all others – for every number of first tokens.
pub fn leaks(layer: &dyn Fn(&Matrix) -> Matrix, d: usize, n: usize) -> bool {
    todo!()
}

/// What measurements say of a claim (for 9.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The numbers bear it out.
    Holds,
    /// The numbers speak against it.
    Refuted,
    /// These numbers do not decide it.
    Undecided,
}

/// **9.11 what five seeds decide – difficulty ●●○, about 15 minutes**
///
/// Somebody trains small models to find what a pronoun stands for (the numbers are invented): accuracy
/// on a test set in per cent, for five seeds, a column a seed.
///
/// | | parameters | 1 | 2 | 3 | 4 | 5 |
/// |---|---:|---:|---:|---:|---:|---:|
/// | A: one head of 64 rows | 50,000 | 81 | 90 | 84 | 88 | 79 |
/// | B: eight heads of 8 rows | 50,000 | 86 | 83 | 91 | 80 | 89 |
/// | C: as B, without positions | 50,000 | 52 | 55 | 51 | 54 | 53 |
/// | D: eight heads of 16 rows | 200,000 | 93 | 95 | 92 | 96 | 94 |
/// | E: B as trained, its head 3 made to weigh all tokens alike | 50,000 | 86 | 83 | 90 | 80 | 89 |
///
/// In every run of B, head 3 puts 0.9 of its weight on the noun that the pronoun stands for. The
/// claims, in order: (1) eight heads find more than one head of as many parameters; (2) model B needs
/// positions for what it finds; (3) D finds more than A; (4) D finds more than A because it has more
/// heads; (5) what B finds rests on what head 3 looks at.
///
/// Hint: which rows differ in one thing alone? Which ranges overlap?
pub fn verdicts() -> [Verdict; 5] {
    todo!()
}

/// **9.12 spot the bug: heads of several tokens – difficulty ●●○, about 15 minutes**
///
/// Should cut `x` (heads·d, n) into the heads' matrices, each (d, n): head i is the i-th block of rows.
/// The author knew that a matrix is stored column after column, so that nothing needs to be moved, and
/// found all shapes right – and all numbers, too, as long as there was one token.
///
/// Hint: split a matrix of 2 heads, 1 row each and 3 tokens on paper.
pub fn split_heads(x: &Matrix, heads: usize) -> Vec<Matrix> {
    todo!("find the bug, then remove this line");
    let (d, n) = (x.nrows() / heads, x.ncols());
    let pieces = Matrix::from_column_slice(d, heads * n, x.as_slice()); // the same numbers
    (0..heads).map(|head| pieces.columns(head * n, n).into_owned()).collect()
}

/// **9.13 a vector for every position – difficulty ●●○, about 20 minutes**
///
/// Construct: return a table (d, n) whose column i is to be added to the token at position i; d is even,
/// from 16 to 64, and n up to 400. Every entry lies between −1 and 1, and, with `p_i` the columns,
/// - `p_0·p_0` is at least 0.1;
/// - `p_i·p_j` depends on the distance |i − j| alone (differences below 1 % of `p_0·p_0` do not count);
/// - at any other distance it is at most 0.9 of what it is at distance 0 (the chapter's own table has
///   0.93 and more between neighbours, so it is not an answer).
///
/// Hint: what of two angles depends on their difference alone?
pub fn positions(d: usize, n: usize) -> Matrix {
    todo!()
}

/// **9.14 who notices the order? – difficulty ●●○, about 10 minutes**
///
/// Predict: five words enter, without positions unless it says so. Then the first four enter in another
/// order (the third, the first, the fourth, the second), and the last stays where it is. Does what leaves
/// at the *last* position change, by more than rounding? Commit yourself, `true` for yes, in this order; then
/// let the check compute it. A layer is `x + attention(W_q x, W_k x, W_v x)` with random matrices.
///
/// 0. one layer, every word sees all
/// 1. one causal layer
/// 2. two layers, every word sees all
/// 3. two causal layers
/// 4. one layer, every word sees all; each position has a vector that is added to its word
/// 5. one layer, every word sees all; one vector is added to all words
/// 6. one layer, every word sees itself and the two before it
/// 7. the sum of two layers (two heads), every word sees all
pub fn who_notices() -> [bool; 8] {
    todo!()
}

/// **9.15 one vector, many pairs – difficulty ●●○, about 20 minutes**
///
/// Shaw's scores have a learnt vector for every distance, `e_ij = q_iᵀ(k_j + a_δ)/√d` with δ = j − i, and
/// distances beyond ±c count as ±c. Given the queries `q` (d, n) and the gradient `de` (m, n) of a loss with
/// respect to the scores (row j, column i), return the gradient with respect to the vectors, (d, 2c + 1):
/// column δ + c belongs to distance δ.
///
/// Hint: how many scores does one vector touch?
pub fn distance_gradient(q: &Matrix, de: &Matrix, c: usize) -> Matrix {
    todo!()
}

/// **9.16 turned by one position – difficulty ●●●, about 25 minutes**
///
/// All tokens are alike: each has the same query and the same key, and `rotate` (RoPE) turns both by the
/// token's position, every pair of rows by its angle. Choose (query, key), d entries each (d is 16, 32 or 64),
/// so that every token but the first gives at least 0.9 of its weight to the one before it, in sequences of up
/// to 60 tokens, wherever they begin. Weights are `softmax↓(KᵀQ/√d)`.
///
/// Hint: `(R_i q)·(R_j k) = q·(R_{j−i} k)`. For which k is that largest at j − i = −1? `rotate` makes of a pair
/// (x, y), at position 1, (x cos ω − y sin ω, x sin ω + y cos ω) with ω = `frequency(d, pair)`.
pub fn turned(d: usize) -> (Vector, Vector) {
    todo!()
}

// **9.17 capstone: your heads name the word before – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 9.4, 9.10, 9.12 and 9.13 together are a causal layer with heads that learns (its
// gradient is chapter 3's). It opens when they are solved: `cargo test -p self_attention --test exercises 9.17`.
