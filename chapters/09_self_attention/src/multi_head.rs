//! Several attentions side by side.

use crate::grouped::repeat_heads;
use crate::relative::{Relative, key_positions, max_distance, query_positions};
use scoring_functions::Sequences;
use scoring_functions::fused::{Weights, biased_attention};
use shared::{Linear, Matrix, Module, Rng, Var, Visitor};

// ANCHOR: model
/// Multi-head attention (Vaswani et al. 2017, section 3.2.2):
/// `W_o [h₁; …; h_H]`, where `hᵢ = attention(W_qⁱ x, W_kⁱ y, W_vⁱ y)`.
///
/// The heads' matrices lie one above another in one matrix, `W_q = [W_q¹; …; W_qᴴ]`: one product
/// serves all heads, and head `i` is the `i`-th block of rows of what it gives.
#[doc(alias = "MultiheadAttention")]
#[derive(Debug)]
pub struct MultiHead {
    /// `W_q` and its bias: what a token asks.
    pub w_q: Linear,
    /// `W_k`: what a token is found by. A bias would add the same number, `qᵀb`, to all scores of a
    /// query, and a softmax does not see what all its scores share: so there is none.
    pub w_k: Linear,
    /// `W_v` and its bias: what a token gives.
    pub w_v: Linear,
    /// `W_o` and its bias: mixes what the heads bring.
    pub w_o: Linear,
    /// How many heads, H.
    pub heads: usize,
    /// What it knows about distances.
    pub relative: Relative,
}

impl MultiHead {
    /// Random parameters of the usual sizes: every head has `d_model / heads` rows.
    ///
    /// # Panics
    /// When the heads do not divide the width.
    pub fn new(d_model: usize, heads: usize, rng: &mut Rng) -> MultiHead {
        MultiHead::with_sizes(&HeadSizes::usual(d_model, heads), rng)
    }

    /// Random parameters of any sizes.
    pub fn with_sizes(sizes: &HeadSizes, rng: &mut Rng) -> MultiHead {
        let HeadSizes { d_q, d_k, d_v, d_o, heads, groups, p, p_v } = *sizes;
        MultiHead {
            w_q: Linear::new(d_q, heads * p, rng),
            w_k: Linear::without_bias(d_k, groups * p, rng),
            w_v: Linear::new(d_v, groups * p_v, rng),
            w_o: Linear::new(heads * p_v, d_o, rng),
            heads,
            relative: Relative::None,
        }
    }

    /// The tokens `x` (d_model, n) ask the tokens `y` (d_model, m) → (d_model, n). Self-attention
    /// is the case `y = x`; with another `y` it is called cross-attention.
    ///
    /// ```
    /// use scoring_functions::{Sequences, AttentionMask};
    /// use self_attention::MultiHead;
    /// use shared::{Matrix, Tape};
    /// let layer = MultiHead::new(6, 3, &mut shared::rng(0));
    /// let tape = Tape::new();
    /// let x = tape.constant(Matrix::identity(6, 5)); // two sequences, of 3 tokens and of 2
    /// let causal = Sequences::new(&[0, 3, 5]).with(AttentionMask::Causal);
    /// let (y, weights) = layer.forward_with_weights(x, x, &causal);
    /// assert_eq!(y.shape(), (6, 5));
    /// let first = weights.of(0, 2); // the first sequence in the last head
    /// assert_eq!(first.column(0).as_slice(), [1.0, 0.0, 0.0]); // its first token sees itself alone
    /// ```
    ///
    /// # Panics
    /// When the sequences do not fit `n` and `m`.
    pub fn forward<'t>(&self, x: Var<'t>, y: Var<'t>, sequences: &Sequences) -> Var<'t> {
        self.forward_with_weights(x, y, sequences).0
    }

    /// [`MultiHead::forward`], and the weights of every head.
    pub fn forward_with_weights<'t>(
        &self,
        x: Var<'t>,
        y: Var<'t>,
        sequences: &Sequences,
    ) -> (Var<'t>, Weights) {
        self.attend([x, y, y], sequences)
    }

    // ANCHOR: forward
    /// `x` (d_q, n) asks `keys` (d_k, m) and reads `values` (d_v, m) → (d_o, n), and the weights of every head.
    pub fn attend<'t>(
        &self,
        [x, keys, values]: [Var<'t>; 3],
        sequences: &Sequences,
    ) -> (Var<'t>, Weights) {
        let q = self.w_q.forward(x); //      (H·p, n): all heads' queries
        let k = self.w_k.forward(keys); //   (H·p, m)
        let v = self.w_v.forward(values); // (H·p_v, m)
        let q = self.relative.rotated(q, self.heads, || query_positions(sequences));
        let k = self.relative.rotated(k, self.groups(), || key_positions(sequences));
        let [k, v] = [k, v].map(|x| repeat_heads(x, self.groups(), self.heads)); // nothing, if no heads share
        let bias = self.relative.bias(q, self.heads, max_distance(sequences));
        let (h, weights) = biased_attention([q, k, v], bias, self.heads, sequences); // [h₁; …; h_H]
        (self.w_o.forward(h), weights) // (d_o, n)
    }
    // ANCHOR_END: forward
}
// ANCHOR_END: model

impl MultiHead {
    /// How many heads of keys and values there are. Where they are fewer than the heads, a group of heads shares
    /// one (Ainslie et al. 2023); where it is one, all do (Shazeer 2019).
    pub fn groups(&self) -> usize {
        self.heads * self.w_k.weight.value().nrows() / self.w_q.weight.value().nrows()
    }

    /// Silences a head, as if its output `hᵢ` were zero: `W_o` reads zeros in its place. Answers `W_o` as
    /// it was, which gives the head its voice back.
    ///
    /// # Panics
    /// When there is no such head.
    pub fn ablate(&mut self, head: usize) -> Matrix {
        assert!(head < self.heads, "head {head} of {}", self.heads);
        let w_o = self.w_o.weight.value_mut();
        let whole = w_o.clone();
        let columns = w_o.ncols() / self.heads;
        w_o.columns_mut(head * columns, columns).fill(0.0);
        whole
    }
}

/// All that may be chosen of a [`MultiHead`]: nothing but the scores asks that widths be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadSizes {
    /// Entries of what asks.
    pub d_q: usize,
    /// Entries of what is found.
    pub d_k: usize,
    /// Entries of what is read.
    pub d_v: usize,
    /// Entries of what comes out.
    pub d_o: usize,
    /// Heads, H.
    pub heads: usize,
    /// Heads of keys and values, which divide the heads: see [`MultiHead::groups`].
    pub groups: usize,
    /// Rows of a head's queries and keys, between which the score is a dot product.
    pub p: usize,
    /// Rows of a head's values.
    pub p_v: usize,
}

impl HeadSizes {
    /// The usual ones: everything has `d_model` entries, of which every head gets its share.
    ///
    /// # Panics
    /// When the heads do not divide the width.
    pub fn usual(d_model: usize, heads: usize) -> HeadSizes {
        assert!(
            heads > 0 && d_model.is_multiple_of(heads),
            "{heads} heads do not divide a width of {d_model}"
        );
        let (d, p) = (d_model, d_model / heads);
        HeadSizes { d_q: d, d_k: d, d_v: d, d_o: d, heads, groups: heads, p, p_v: p }
    }
}

impl Module for MultiHead {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("w_v", &mut self.w_v);
        visitor.module("w_o", &mut self.w_o);
        visitor.module("relative", &mut self.relative);
    }
}
