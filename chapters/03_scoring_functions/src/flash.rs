//! The same attention without its weights: tiles, a running softmax, and weights computed twice.
//!
//! The fused version keeps n·m weights a head for its backward. Here forward passes over the keys
//! in tiles, as chapter 1 did (after Milakov & Gimelshein 2018, who go key by key), divides once at
//! the end, and keeps one number a query, the logarithm of its normaliser (Dao 2023, §3.1.1; Dao et
//! al. 2022 keep two). Backward computes each tile of weights again from it.

use crate::blocks::{self, Block, Part, Side, in_blocks};
use crate::sequences::Sequences;
use nalgebra::DMatrixView;
use shared::elementwise::{self, dot, exp, exp_sum};
use shared::{Float, Matrix, Operand, Var, gemm, product};
use std::ops::Range;

/// Queries and keys of a tile: its weights, 128² numbers of four bytes, are 64 KiB and stay in the
/// cache.
const TILE: usize = 128;

/// Scaled dot-product attention `O = V·softmax↓(KᵀQ/√d)` in memory O(n + m).
///
/// Shapes, heads and sequences as in [`scaled_dot_attention`](crate::fused::scaled_dot_attention),
/// whose result it equals up to rounding and whose panics it shares.
pub fn flash_attention<'t>(
    q: Var<'t>,
    k: Var<'t>,
    v: Var<'t>,
    heads: usize,
    sequences: &Sequences,
) -> Var<'t> {
    let operands = [q, k, v];
    let (q, k, v, tape) = (q.value(), k.value(), v.value(), q.tape());
    blocks::check([&q, &k, &v], heads, sequences);
    let scale = blocks::scale(q.nrows(), heads);
    let sequences = sequences.clone();

    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    let log_sums = in_blocks([(&mut o, Side::Queries)], heads, &sequences, |[mut o], block| {
        let tiles = Tiles::new(&block, [&q, &k, &v], scale);
        tiles.queries().flat_map(|t| tiles.forward(t, &mut o)).collect::<Vec<Float>>()
    });
    let o = std::sync::Arc::new(o);
    tape.push(operands, o.clone(), move |d_o, [q_id, k_id, v_id], gradients| {
        let mut d = [&q, &k, &v].map(|x| Matrix::zeros(x.nrows(), x.ncols()));
        let [d_q, d_k, d_v] = &mut d;
        let targets = [(d_q, Side::Queries), (d_k, Side::Keys), (d_v, Side::Keys)];
        in_blocks(targets, heads, &sequences, |targets, block| {
            let (o, d_o) = (block.queries(&o), block.queries(&d_o));
            let tiles = Tiles::new(&block, [&q, &k, &v], scale);
            tiles.backward(targets, &o, &d_o, &log_sums[block.index]);
        });
        let [d_q, d_k, d_v] = d;
        gradients.add(q_id, d_q);
        gradients.add(k_id, d_k);
        gradients.add(v_id, d_v);
    })
}

/// One head of one sequence, cut into tiles.
struct Tiles<'m> {
    block: &'m Block<'m>,
    q: DMatrixView<'m, Float>, // (d, n)
    k: DMatrixView<'m, Float>, // (d, m)
    v: DMatrixView<'m, Float>, // (d_v, m)
    scale: Float,
}

/// A run of columns.
#[derive(Clone, Copy)]
struct Tile {
    start: usize,
    len: usize,
}

impl Tile {
    fn columns(self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

/// The tiles of `count` columns.
fn tiles(count: usize) -> impl Iterator<Item = Tile> {
    (0..count).step_by(TILE).map(move |start| Tile { start, len: TILE.min(count - start) })
}

impl<'m> Tiles<'m> {
    fn new(block: &'m Block<'m>, [q, k, v]: [&'m Matrix; 3], scale: Float) -> Tiles<'m> {
        Tiles { block, q: block.queries(q), k: block.keys(k), v: block.keys(v), scale }
    }

    fn queries(&self) -> impl Iterator<Item = Tile> + use<> {
        tiles(self.q.ncols())
    }

    /// The tiles of keys of which some query of `queries` sees something.
    fn keys_of(&self, queries: Tile) -> impl Iterator<Item = Tile> {
        tiles(self.k.ncols()).filter(move |keys| {
            queries.columns().any(|j| {
                let visible = self.block.positions(j);
                visible.start.max(keys.start) < visible.end.min(keys.start + keys.len)
            })
        })
    }

    /// Scores of a tile (keys, queries), −∞ where a query does not see a key.
    fn scores(&self, keys: Tile, queries: Tile) -> Matrix {
        let (k, q) = (columns_of(&self.k, keys), columns_of(&self.q, queries));
        let mut e = product(&k.t(), &q) * self.scale;
        self.block.hide(&mut e, queries.start, keys.start);
        e
    }

    // ANCHOR: flash_tile
    /// One tile of queries over all tiles of keys. Writes the context and returns, for each query,
    /// the logarithm of its normaliser `ln Σⱼ exp(eⱼ)`; both are 0 for a query that sees no key.
    fn forward(&self, queries: Tile, o: &mut Part) -> Vec<Float> {
        let mut o = o.columns_mut(queries.start, queries.len);
        let mut largest = vec![Float::NEG_INFINITY; queries.len];
        let mut sums = vec![0.0; queries.len];
        for keys in self.keys_of(queries) {
            let mut e = self.scores(keys, queries); // (keys, queries)
            for (i, mut e_i) in e.column_iter_mut().enumerate() {
                let max = largest[i].max(elementwise::largest(e_i.as_slice()));
                // As long as all scores are −∞, every exponential is to be 0, but −∞ − (−∞) is no
                // number.
                let shift = if max == Float::NEG_INFINITY { 0.0 } else { max };
                let shrink = exp(largest[i] - shift); // what came before, at the new maximum
                sums[i] = sums[i] * shrink + exp_sum(e_i.as_mut_slice(), shift);
                o.column_mut(i).scale_mut(shrink);
                largest[i] = max;
            }
            gemm(1.0, &mut o, 1.0, &self.v.columns(keys.start, keys.len), &e); // O += V·exp(E − max)
        }
        for (mut o_i, sum) in o.column_iter_mut().zip(&sums) {
            o_i.scale_mut(if *sum == 0.0 { 0.0 } else { 1.0 / sum }); // no key, no context
        }
        let queries = largest.iter().zip(&sums);
        queries.map(|(max, sum)| if *sum == 0.0 { 0.0 } else { max + sum.ln() }).collect()
    }
    // ANCHOR_END: flash_tile

    // ANCHOR: flash_backward
    /// Backward of one head, tile by tile. A weight comes back as `A = exp(e − ln Σ)`; and the
    /// scalar that the softmax subtracts needs no row of weights at all: `δ = Σⱼ Aⱼ dAⱼ = Σⱼ Aⱼ
    /// vⱼᵀdo = oᵀdo`.
    fn backward(
        &self,
        [mut d_q, mut d_k, mut d_v]: [Part; 3],
        o: &DMatrixView<Float>,
        d_o: &DMatrixView<Float>,
        log_sums: &[Float],
    ) {
        let columns = o.column_iter().zip(d_o.column_iter());
        let delta: Vec<Float> = columns.map(|(o, d_o)| dot(o.as_slice(), d_o.as_slice())).collect();
        for queries in self.queries() {
            let in_tile = queries.columns();
            let (log_sums, delta) = (&log_sums[in_tile.clone()], &delta[in_tile]);
            let (q, d_o) = (columns_of(&self.q, queries), columns_of(d_o, queries));
            for keys in self.keys_of(queries) {
                let (k, v) = (columns_of(&self.k, keys), columns_of(&self.v, keys));
                let mut alpha = self.scores(keys, queries); //  E
                weights(&mut alpha, log_sums); //               A = exp(E − ln Σ)
                gemm(1.0, &mut d_v.columns_mut(keys.start, keys.len), 1.0, &d_o, &alpha.t());
                let mut d_e = product(&v.t(), &d_o); //         dA = Vᵀ·dO
                through_softmax(&mut d_e, &alpha, delta); //    dE = A ⊙ (dA − δ)
                let mut d_q = d_q.columns_mut(queries.start, queries.len);
                gemm(1.0, &mut d_q, self.scale, &k, &d_e);
                gemm(1.0, &mut d_k.columns_mut(keys.start, keys.len), self.scale, &q, &d_e.t());
            }
        }
    }
    // ANCHOR_END: flash_backward
}

/// The columns of a tile.
fn columns_of<'m>(x: &'m DMatrixView<Float>, tile: Tile) -> DMatrixView<'m, Float> {
    x.columns(tile.start, tile.len)
}

/// `A = exp(E − ln Σ)`, in place of E.
fn weights(e: &mut Matrix, log_sums: &[Float]) {
    for (mut e_i, log_sum) in e.column_iter_mut().zip(log_sums) {
        exp_sum(e_i.as_mut_slice(), *log_sum);
    }
}

/// `dE = A ⊙ (dA − 1·δᵀ)`, in place of dA.
fn through_softmax(d: &mut Matrix, alpha: &Matrix, delta: &[Float]) {
    for ((mut d, alpha), delta) in d.column_iter_mut().zip(alpha.column_iter()).zip(delta) {
        d.zip_apply(&alpha, |d, alpha| *d = alpha * (*d - delta));
    }
}
