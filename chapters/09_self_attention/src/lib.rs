//! What if a sequence asks itself?
//!
//! Until now a decoder asked a source. Here queries, keys and values all come from one sequence:
//!
//! ```text
//! Q = W_q X    K = W_k X    V = W_v X    Y = V · softmax↓(KᵀQ/√d)      (Vaswani et al. 2017, eq. 1)
//! ```
//!
//! A column is a token. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n` | tokens |
//! | `d_model` | entries of a token |
//! | `d` | entries of a query, a key and a value in one head |
//! | `H` | heads |
//!
//! | module | holds |
//! |---|---|
//! | here | self-attention without parameters, and with one head; heads with any score |
//! | [`multi_head`] | several heads side by side; one sequence that asks another |
//! | [`grouped`] | keys and values that several heads share |
//! | [`positions`] | where a token stands |
//! | [`relative`] | how far two tokens stand apart |
//! | [`convolution`] | neighbours in place of all: the convolutional translator |
//! | [`cached`] | one new token that asks those before it |
//! | [`reader`] | a small model of two blocks, which names what *it* stands for |
//! | `program` | the training of that model |

pub mod cached;
pub mod convolution;
pub mod grouped;
pub mod multi_head;
pub mod positions;
#[cfg(feature = "program")]
pub mod program;
pub mod reader;
pub mod relative;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as self_attention;

pub use multi_head::{HeadSizes, MultiHead};
pub use relative::Relative;

use scoring_functions::{Score, attention, masked_attention};
use shared::{Float, Linear, Matrix, Module, Rng, Var, Visitor, elementwise, product};

// ANCHOR: plain
/// Self-attention without parameters: the tokens `x` (d, n) are queries, keys and values,
/// `y_i = f(x_i, (x_1, x_1), …, (x_n, x_n))` → (d, n). As many tokens leave as came.
///
/// ```
/// use shared::{Matrix, Tape};
/// use self_attention::plain;
/// let tape = Tape::new();
/// let x = tape.leaf(Matrix::from_row_slice(1, 2, &[1.0, -1.0]));
/// let y = plain(x).value(); // scores ±1: each token draws most from itself
/// assert!((y[0] - shared::Float::tanh(1.0)).abs() < 1e-6 && y[1] == -y[0]);
/// ```
pub fn plain<'t>(x: Var<'t>) -> Var<'t> {
    attention(x, x, x)
}
// ANCHOR_END: plain

/// Self-attention with one head: three matrices let a token ask for one thing, be found by another
/// and give a third.
#[derive(Debug)]
pub struct SelfAttention {
    /// `W_q` (d, d_model).
    pub w_q: Linear,
    /// `W_k` (d, d_model).
    pub w_k: Linear,
    /// `W_v` (d, d_model).
    pub w_v: Linear,
}

impl SelfAttention {
    /// Random parameters.
    pub fn new(d_model: usize, d: usize, rng: &mut Rng) -> SelfAttention {
        SelfAttention {
            w_q: Linear::without_bias(d_model, d, rng),
            w_k: Linear::without_bias(d_model, d, rng),
            w_v: Linear::without_bias(d_model, d, rng),
        }
    }

    // ANCHOR: forward
    /// `x` (d_model, n) → (d, n): every token sees all.
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        attention(self.w_q.forward(x), self.w_k.forward(x), self.w_v.forward(x))
    }

    /// The same where token `i` sees the tokens `0..=i`, as if the sequence ended there.
    pub fn causal<'t>(&self, x: Var<'t>) -> Var<'t> {
        let seen = scoring_functions::causal(x.shape().1);
        masked_attention(self.w_q.forward(x), self.w_k.forward(x), self.w_v.forward(x), &seen)
    }
    // ANCHOR_END: forward
}

// ANCHOR: steps
/// The first word's way through a head, one number after another: what it scores the words
/// `x` (d_model, n), the scores divided by √d, the weights, and `y₁` (d, 1).
pub fn first_word(head: &SelfAttention, x: &Matrix) -> [Matrix; 4] {
    let SelfAttention { w_q, w_k, w_v } = head;
    let word = |j: usize| x.columns(j, 1).into_owned(); //                     (d_model, 1)
    let q_1 = product(w_q.weight.value(), &word(0)); //                        (d, 1)
    let k = |j: usize| product(w_k.weight.value(), &word(j)); //               (d, 1)
    let v = |j: usize| product(w_v.weight.value(), &word(j)); //               (d, 1)
    let dots = Matrix::from_fn(x.ncols(), 1, |j, _| q_1.dot(&k(j))); //        (n, 1)
    let scores = &dots / Float::sqrt(q_1.nrows() as Float); //                 (n, 1)
    let mut alpha = scores.clone();
    elementwise::softmax(alpha.as_mut_slice()); //                             (n, 1)
    let y_1 = (0..x.ncols()).map(|j| v(j) * alpha[j]).sum(); //                (d, 1)
    [dots, scores, alpha, y_1]
}
// ANCHOR_END: steps

// ANCHOR: heads
/// Split, attend, concatenate: head `i` has the `i`-th block of rows of the queries, keys and values
/// and a score of its own, `[h₁; …; h_H]` with `hᵢ = Vⁱ softmax↓(scoreᵢ(Qⁱ, Kⁱ))`.
///
/// `q` (H·d, n), `k` (H·d, m), `v` (H·d_v, m) → (H·d_v, n). With H scaled dot products, what
/// [`scoring_functions::fused`] computes as one operation.
///
/// # Panics
/// When there is no head, or the heads do not divide the rows.
pub fn heads<'t>(scores: &[Score], q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
    let shapes = [q.shape(), k.shape(), v.shape()];
    let fit = !scores.is_empty() && shapes.iter().all(|(d, _)| d.is_multiple_of(scores.len()));
    assert!(fit, "{} heads do not divide the rows of {shapes:?}", scores.len());
    let block = |x: Var<'t>, i: usize| {
        let d = x.shape().0 / scores.len();
        x.rows(i * d, d) // (d, n)
    };
    let heads = (0..scores.len()).map(|i| scores[i].attend(block(q, i), block(k, i), block(v, i)));
    heads.reduce(Var::stack).expect("at least one head")
}
// ANCHOR_END: heads

impl Module for SelfAttention {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("w_v", &mut self.w_v);
    }
}
