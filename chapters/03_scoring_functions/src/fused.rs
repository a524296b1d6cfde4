//! Scaled dot-product attention as one operation, its backward derived by hand.
//!
//! The composed version in this chapter puts four nodes on the tape for every head. Here all heads
//! of all sequences are one node: forward computes each head's weights and keeps them, backward
//! runs through the derivation of the chapter's page line by line.

use crate::blocks::{Side, in_blocks};
use shared::elementwise::{softmax_backward, softmax_columns};
use shared::{Float, Matrix, Operand, Var, gemm, product};
use std::ops::Range;

// ANCHOR: heads
/// Which tokens attend to which, and in how many heads.
///
/// A batch of sequences lies side by side in one matrix, without padding: [`Segment`]s name the
/// columns of each. Head `i` is the `i`-th block of rows.
#[derive(Clone, Debug)]
pub struct Heads {
    /// The number of heads; it divides the rows of queries, keys and values.
    pub heads: usize,
    /// Whether query `j` of a segment sees only its keys `0..=j`.
    pub causal: bool,
    /// The sequences, one after the other, covering every column.
    pub segments: Vec<Segment>,
}

/// One sequence: its queries attend to its keys and to no others.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The columns of its queries.
    pub queries: Range<usize>,
    /// The columns of its keys and values.
    pub keys: Range<usize>,
}
// ANCHOR_END: heads

impl Heads {
    /// One head over one sequence: `n` queries, `m` keys.
    pub fn single(n: usize, m: usize) -> Heads {
        Heads::batch(1, 1, n, m)
    }

    /// `batch` sequences of `n` queries and `m` keys each.
    pub fn batch(heads: usize, batch: usize, n: usize, m: usize) -> Heads {
        let segment = |i| Segment { queries: i * n..(i + 1) * n, keys: i * m..(i + 1) * m };
        Heads { heads, causal: false, segments: (0..batch).map(segment).collect() }
    }

    /// # Panics
    /// When heads or segments do not fit the shapes.
    pub(crate) fn check(&self, q: &Matrix, k: &Matrix, v: &Matrix) {
        let shapes = (q.shape(), k.shape(), v.shape());
        assert!(
            q.nrows() == k.nrows() && k.ncols() == v.ncols(),
            "queries, keys and values of shapes {shapes:?}: queries and keys need equally many rows, keys \
             and values equally many columns"
        );
        let divides = q.nrows().is_multiple_of(self.heads) && v.nrows().is_multiple_of(self.heads);
        assert!(
            self.heads > 0 && divides,
            "{} heads do not divide the rows of {shapes:?}",
            self.heads
        );
        assert!(q.nrows() > 0, "queries and keys of shapes {shapes:?} have no entries to compare");
        let mut end = (0, 0);
        for Segment { queries, keys } in &self.segments {
            assert!((queries.start, keys.start) == end, "segments must follow one another");
            assert!(
                queries.start <= queries.end && keys.start <= keys.end,
                "a segment with the columns {queries:?} and {keys:?} ends before it starts"
            );
            end = (queries.end, keys.end);
        }
        assert!(
            end == (q.ncols(), k.ncols()),
            "segments end at {end:?}, not at the end of {shapes:?}"
        );
    }

    /// `1/√d` for queries of `rows` rows in all heads together.
    pub(crate) fn scale(&self, rows: usize) -> Float {
        1.0 / Float::sqrt((rows / self.heads) as Float)
    }
}

// ANCHOR: forward
/// Scaled dot-product attention (Vaswani et al. 2017, equation 1): `O = V·softmax↓(KᵀQ/√d)` in
/// every head of every segment.
///
/// `q` (heads·d, n), `k` (heads·d, m), `v` (heads·d_v, m) → (heads·d_v, n). Keeps the weights: in
/// each head nₛ·mₛ numbers for a segment of nₛ queries and mₛ keys.
///
/// # Panics
/// When the shapes, the heads and the segments do not fit together.
pub fn scaled_dot_attention<'t>(q: Var<'t>, k: Var<'t>, v: Var<'t>, heads: &Heads) -> Var<'t> {
    let (dq, dk, dv) = (q.id(), k.id(), v.id());
    let (q, k, v, tape) = (q.value(), k.value(), v.value(), q.tape());
    heads.check(&q, &k, &v);
    let heads = heads.clone();
    let scale = heads.scale(q.nrows());

    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    let alpha = in_blocks([(&mut o, Side::Queries)], &heads, |[mut o], block| {
        let (q, k, v) = (block.queries(&q), block.keys(&k), block.keys(&v));
        let mut alpha = scores(&q, &k, scale, heads.causal); // (m, n)
        softmax_columns(&mut alpha);
        gemm(0.0, &mut o, 1.0, &v, &alpha); // O = V·A
        alpha
    });
    // ANCHOR_END: forward
    // ANCHOR: backward
    tape.push(o, move |d_o, gradients| {
        let mut d = [&q, &k, &v].map(|x| Matrix::zeros(x.nrows(), x.ncols()));
        let [d_q, d_k, d_v] = &mut d;
        let targets = [(d_q, Side::Queries), (d_k, Side::Keys), (d_v, Side::Keys)];
        in_blocks(targets, &heads, |[mut d_q, mut d_k, mut d_v], block| {
            let (q, k, v, d_o) =
                (block.queries(&q), block.keys(&k), block.keys(&v), block.queries(&d_o));
            let alpha = &alpha[block.index];
            gemm(0.0, &mut d_v, 1.0, &d_o, &alpha.t()); // O = V·A        ⇒ dV = dO·Aᵀ
            let mut d_s = product(&v.t(), &d_o); //                          dA = Vᵀ·dO
            softmax_backward(&mut d_s, alpha); //  A = softmax↓(S) ⇒ dS = A ⊙ (dA − 1·δᵀ)
            gemm(0.0, &mut d_q, scale, &k, &d_s); //       S = KᵀQ/√d     ⇒ dQ = K·dS/√d
            gemm(0.0, &mut d_k, scale, &q, &d_s.t()); //                     dK = Q·dSᵀ/√d
        });
        let [d_q, d_k, d_v] = d;
        gradients.add(dq, d_q);
        gradients.add(dk, d_k);
        gradients.add(dv, d_v);
    })
}
// ANCHOR_END: backward

/// `S = KᵀQ/√d` (m, n), with −∞ where a causal mask forbids query `j` to see key `i > j`.
fn scores(q: &impl Operand, k: &impl Operand, scale: Float, causal: bool) -> Matrix {
    let mut s = product(&k.t(), q);
    s *= scale;
    if causal {
        hide_future(&mut s, 0, 0);
    }
    s
}

/// The causal mask: −∞ for every key behind its query. Column `j` of `s` belongs to query
/// `first_query + j`, row `i` to key `first_key + i`.
pub(crate) fn hide_future(s: &mut Matrix, first_query: usize, first_key: usize) {
    for (j, mut s_j) in s.column_iter_mut().enumerate() {
        let visible = (first_query + j + 1).saturating_sub(first_key).min(s_j.len());
        s_j.as_mut_slice()[visible..].fill(Float::NEG_INFINITY);
    }
}
