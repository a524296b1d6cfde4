//! Scaled dot-product attention as one operation, its backward derived by hand.
//!
//! The composed version in this chapter puts four nodes on the tape for every head. Here all heads
//! of all sequences are one node: forward computes each head's weights and keeps them, backward
//! runs through the derivation of the chapter's page line by line.

use crate::blocks::{self, Side, in_blocks};
use crate::sequences::Sequences;
use shared::elementwise::{softmax_backward, softmax_columns};
use shared::short::{gemm, product};
use shared::{Matrix, Operand, Var};
use std::sync::Arc;

// ANCHOR: forward
/// Scaled dot-product attention (Vaswani et al. 2017, equation 1), `O = V·softmax↓(KᵀQ/√d)` in
/// every head of every sequence, and the weights.
///
/// `q` (heads·d, n), `k` (heads·d, m), `v` (heads·d_v, m) → (heads·d_v, n): head `i` is the `i`-th
/// block of rows. A query that sees no key gets zeros. Backward needs the weights, which are kept
/// whether asked for or not: in each head nₛ·mₛ numbers for a sequence of nₛ queries and mₛ keys.
///
/// A `bias` (heads·(2c + 1), n) is added to the scores: what each query says, in each head, about a key
/// at distance −c … c from it ([`distance_row`](crate::sequences::distance_row)).
///
/// # Panics
/// When the shapes, the heads and the sequences do not fit together; backward also unless
/// the sequences' keys follow one another and cover all keys.
pub fn biased_attention<'t>(
    [q, k, v]: [Var<'t>; 3],
    bias: Option<Var<'t>>,
    heads: usize,
    sequences: &Sequences,
) -> (Var<'t>, Weights) {
    let operands = ([q, k, v], bias);
    let (q, k, v, bias, tape) = (q.value(), k.value(), v.value(), bias.map(Var::value), q.tape());
    blocks::check([&q, &k, &v], heads, sequences);
    if let Some(bias) = &bias {
        blocks::check_bias(bias, heads, q.ncols());
    }
    let scale = blocks::scale(q.nrows(), heads);
    let sequences = sequences.clone();

    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    let alpha = in_blocks([(&mut o, Side::Queries)], heads, &sequences, |[mut o], block| {
        let (q, k, v) = (block.queries(&q), block.keys(&k), block.keys(&v));
        let mut alpha = product(&k.t(), &q) * scale; // E = KᵀQ/√d (m, n)
        if let Some(bias) = &bias {
            block.add_bias(&mut alpha, bias);
        }
        block.hide(&mut alpha, 0, 0); //                −∞ where a query does not see a key
        softmax_columns(&mut alpha); //                 A = softmax↓(E)
        gemm(0.0, &mut o, 1.0, &v, &alpha); //          O = V·A
        alpha
    });
    let weights = Weights { alpha: alpha.into(), heads };
    let alpha = weights.alpha.clone();
    // ANCHOR_END: forward
    // ANCHOR: backward
    let o = tape.push(operands, o, move |d_o, ([q_id, k_id, v_id], bias_id), gradients| {
        let mut d = [&q, &k, &v].map(|x| Matrix::zeros(x.nrows(), x.ncols()));
        let [d_q, d_k, d_v] = &mut d;
        let bias = bias.filter(|_| bias_id.is_some_and(|id| gradients.needs(id)));
        let mut d_b = Matrix::zeros(bias.map_or(0, |bias| bias.nrows()), q.ncols());
        let targets =
            [(d_q, Side::Queries), (d_k, Side::Keys), (d_v, Side::Keys), (&mut d_b, Side::Queries)];
        in_blocks(targets, heads, &sequences, |[mut d_q, mut d_k, mut d_v, mut d_b], block| {
            let (q, k, v, d_o) =
                (block.queries(&q), block.keys(&k), block.keys(&v), block.queries(&d_o));
            let alpha = &alpha[block.index];
            gemm(0.0, &mut d_v, 1.0, &d_o, &alpha.t()); // O = V·A        ⇒ dV = dO·Aᵀ
            let mut d_e = product(&v.t(), &d_o); //                          dA = Vᵀ·dO
            softmax_backward(&mut d_e, alpha); //  A = softmax↓(E) ⇒ dE = A ⊙ (dA − 1·δᵀ)
            gemm(0.0, &mut d_q, scale, &k, &d_e); //       E = KᵀQ/√d     ⇒ dQ = K·dE/√d
            gemm(0.0, &mut d_k, scale, &q, &d_e.t()); //                     dK = Q·dEᵀ/√d
            if d_b.nrows() > 0 {
                block.sum_by_distance(&mut d_b, &d_e);
            }
        });
        let [d_q, d_k, d_v] = d;
        gradients.add(q_id, d_q);
        gradients.add(k_id, d_k);
        gradients.add(v_id, d_v);
        if let (Some(id), 1..) = (bias_id, d_b.nrows()) {
            gradients.add(id, d_b);
        }
    });
    (o, weights)
}
// ANCHOR_END: backward

/// [`biased_attention`] without a bias.
pub fn attention_with_weights<'t>(
    q: Var<'t>,
    k: Var<'t>,
    v: Var<'t>,
    heads: usize,
    sequences: &Sequences,
) -> (Var<'t>, Weights) {
    biased_attention([q, k, v], None, heads, sequences)
}

/// [`attention_with_weights`] for those who need none of them.
pub fn scaled_dot_attention<'t>(
    q: Var<'t>,
    k: Var<'t>,
    v: Var<'t>,
    heads: usize,
    sequences: &Sequences,
) -> Var<'t> {
    attention_with_weights(q, k, v, heads, sequences).0
}

/// The weights of every head of every sequence: the very matrices that backward uses.
#[derive(Clone, Debug)]
pub struct Weights {
    alpha: Arc<[Matrix]>, // sequence by sequence, head by head in each
    heads: usize,
}

impl Weights {
    /// How many heads there are.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// The weights of one head (m, n): column `i` has those of the sequence's keys for its query `i`, zero
    /// for those that it does not see.
    ///
    /// # Panics
    /// When there is no such head, or no such sequence.
    pub fn of(&self, sequence: usize, head: usize) -> &Matrix {
        assert!(head < self.heads, "head {head} of {}", self.heads);
        &self.alpha[sequence * self.heads + head]
    }
}
