//! A memory that is written and read along whole sequences, as one operation with its gradient.
//!
//! Written token by token, a memory needs one small step after another, which no matrix product speeds up. In chunks
//! (Hua et al. 2022; Yang et al. 2024) the tokens of one see each other through a product with a mask, as in softmax
//! attention, and all tokens before it through the memory. A chunk of 1 is the recurrence, a chunk of all tokens the
//! matrix form.

use nalgebra::DMatrixView;
use rayon::prelude::*;
use shared::short::{gemm, product};
use shared::{Float, Matrix, Operand, Var};

/// Tokens of a chunk: where the two products of a head's 32 to 64 rows cost about the same.
pub const CHUNK: usize = 64;

// ANCHOR: linear_attention
/// `oⱼ = S_j qⱼ` in every head, where `S_j` is written by all tokens up to `j` of its sequence: `S ← S + v kᵀ`, or, with
/// `rates` β (H, n), by the delta rule, `S ← S + β(v − S k)kᵀ`.
///
/// `q`, `k` (H·p, n) and `v` (H·p_v, n) → (H·p_v, n); head `i` is the `i`-th block of rows, and a sequence the columns
/// from one of `offsets` to the next.
///
/// # Panics
/// When the shapes, the heads and the offsets do not fit together, or a chunk has no tokens.
pub fn linear_attention<'t>(
    [q, k, v]: [Var<'t>; 3],
    rates: Option<Var<'t>>,
    heads: usize,
    offsets: &[usize],
    chunk: usize,
) -> Var<'t> {
    let operands = ([q, k, v], rates);
    let tape = q.tape();
    let [q, k, v] = [q, k, v].map(Var::value);
    let beta = rates.map(Var::value);
    check([&q, &k, &v], beta.as_deref(), heads, offsets);
    let pieces: Vec<(usize, usize, usize)> = (0..heads)
        .flat_map(|head| offsets.windows(2).map(move |ends| (head, ends[0], ends[1] - ends[0])))
        .collect();
    let of = move |x: &Matrix, (head, first, n): (usize, usize, usize)| {
        let rows = x.nrows() / heads;
        x.view((head * rows, first), (rows, n)).into_owned()
    };
    let add = move |all: &mut Matrix, (head, first, n): (usize, usize, usize), part: &Matrix| {
        let rows = all.nrows() / heads;
        all.view_mut((head * rows, first), (rows, n)).copy_from(part);
    };

    let head = {
        let (q, k, v, beta) = (q.clone(), k.clone(), v.clone(), beta.clone());
        move |piece| Head {
            q: of(&q, piece),
            k: of(&k, piece),
            v: of(&v, piece),
            beta: beta.as_ref().map(|beta| of(beta, piece)),
            chunk,
        }
    };
    let (o_parts, written): (Vec<Matrix>, Vec<Vec<Written>>) =
        pieces.par_iter().map(|piece| head(*piece).forward()).unzip();
    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    pieces.iter().zip(&o_parts).for_each(|(piece, part)| add(&mut o, *piece, part));

    tape.push(operands, o, move |d_o, ([q_id, k_id, v_id], beta_id), gradients| {
        let parts: Vec<[Matrix; 4]> = pieces
            .par_iter()
            .zip(&written)
            .map(|(piece, written)| head(*piece).backward(&of(&d_o, *piece), written))
            .collect();
        let sum = |x: &Matrix, i: usize| {
            let mut d = Matrix::zeros(x.nrows(), x.ncols());
            pieces.iter().zip(&parts).for_each(|(piece, part)| add(&mut d, *piece, &part[i]));
            d
        };
        gradients.add(q_id, sum(&q, 0));
        gradients.add(k_id, sum(&k, 1));
        gradients.add(v_id, sum(&v, 2));
        if let (Some(id), Some(beta)) = (beta_id, &beta) {
            gradients.add(id, sum(beta, 3));
        }
    })
}
// ANCHOR_END: linear_attention

#[track_caller]
fn check([q, k, v]: [&Matrix; 3], beta: Option<&Matrix>, heads: usize, offsets: &[usize]) {
    let shapes = [q, k, v].map(Matrix::shape);
    assert!(
        q.shape() == k.shape() && q.ncols() == v.ncols() && heads > 0,
        "queries, keys and values {shapes:?}"
    );
    assert!(
        q.nrows().is_multiple_of(heads) && v.nrows().is_multiple_of(heads),
        "{heads} heads of {shapes:?}"
    );
    assert!(
        offsets.first() == Some(&0) && offsets.is_sorted() && offsets.last() == Some(&q.ncols()),
        "sequences {offsets:?} of {} tokens",
        q.ncols()
    );
    let shape = beta.map_or((heads, q.ncols()), Matrix::shape);
    assert!(shape == (heads, q.ncols()), "rates {shape:?} for {heads} heads of {shapes:?}");
}

/// One head of one sequence.
struct Head {
    q: Matrix,
    k: Matrix,
    v: Matrix,
    beta: Option<Matrix>,
    chunk: usize,
}

/// What backward needs of a chunk.
struct Written {
    /// The memory before it, `S₀` (p_v, p).
    before: Matrix,
    /// What its values differ from what is remembered, `R` (p_v, C): with `U = R·diag(β)`, `S = S₀ + U Kᵀ`.
    r: Matrix,
}

/// Entries below the diagonal become zero, where a key comes after its query; with `strict` the diagonal too.
fn hide(a: &mut Matrix, strict: bool) {
    for (j, mut column) in a.column_iter_mut().enumerate() {
        column.as_mut_slice()[(j + usize::from(!strict))..].fill(0.0);
    }
}

impl Head {
    /// The columns of each chunk.
    fn chunks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let (n, chunk) = (self.q.ncols(), self.chunk);
        (0..n.div_ceil(chunk)).map(move |i| (i * chunk, chunk.min(n - i * chunk)))
    }

    /// `R·diag(β)`; without rates `R`.
    fn scaled(&self, mut r: Matrix, first: usize) -> Matrix {
        if let Some(beta) = &self.beta {
            let columns = r.column_iter_mut().zip(&beta.as_slice()[first..]);
            columns.for_each(|(mut column, beta)| column *= *beta);
        }
        r
    }

    fn columns(&self, (first, n): (usize, usize)) -> [DMatrixView<'_, Float>; 3] {
        [&self.q, &self.k, &self.v].map(|x| x.columns(first, n))
    }

    // ANCHOR: forward
    /// `O` (p_v, n), chunk by chunk.
    fn forward(&self) -> (Matrix, Vec<Written>) {
        let mut s = Matrix::zeros(self.v.nrows(), self.k.nrows());
        let mut o = Matrix::zeros(self.v.nrows(), self.q.ncols());
        let mut written = Vec::new();
        for at in self.chunks() {
            let [q, k, v] = self.columns(at);
            let mut r = v.into_owned();
            if let Some(beta) = &self.beta {
                gemm(1.0, &mut r, -1.0, &s, &k); // V − S₀K
                solve(&mut r, &product(&k.t(), &k), &beta.as_slice()[at.0..]);
            }
            let u = self.scaled(r.clone(), at.0);
            let mut a = product(&k.t(), &q); // (C, C)
            hide(&mut a, false);
            let mut o = o.columns_mut(at.0, at.1);
            gemm(0.0, &mut o, 1.0, &s, &q); //     O = S₀Q + U·mask(KᵀQ)
            gemm(1.0, &mut o, 1.0, &u, &a);
            written.push(Written { before: s.clone(), r });
            gemm(1.0, &mut s, 1.0, &u, &k.t()); // S = S₀ + U Kᵀ
        }
        (o, written)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    /// `dQ`, `dK`, `dV` and `dβ`, chunk by chunk from the last.
    fn backward(&self, d_o: &Matrix, written: &[Written]) -> [Matrix; 4] {
        let [mut d_q, mut d_k, mut d_v] =
            [&self.q, &self.k, &self.v].map(|x| Matrix::zeros(x.nrows(), x.ncols()));
        let mut d_beta = Matrix::zeros(1, self.beta.as_ref().map_or(0, Matrix::ncols));
        let mut d_s = Matrix::zeros(self.v.nrows(), self.k.nrows());
        for (at, Written { before, r }) in self.chunks().rev().zip(written.iter().rev()) {
            let u = self.scaled(r.clone(), at.0);
            let ([q, k, _], d_o) = (self.columns(at), d_o.columns(at.0, at.1));
            let (mut d_q, mut d_k) = (d_q.columns_mut(at.0, at.1), d_k.columns_mut(at.0, at.1));
            let [mut a, mut d_a] = [product(&k.t(), &q), product(&u.t(), &d_o)];
            hide(&mut a, false);
            hide(&mut d_a, false);
            gemm(0.0, &mut d_q, 1.0, &before.t(), &d_o); // O = S₀Q + U·A, A = mask(KᵀQ)
            gemm(1.0, &mut d_q, 1.0, &k, &d_a);
            gemm(0.0, &mut d_k, 1.0, &q, &d_a.t());
            gemm(1.0, &mut d_k, 1.0, &d_s.t(), &u); //       S = S₀ + U Kᵀ
            let mut d_u = product(&d_o, &a.t());
            gemm(1.0, &mut d_u, 1.0, &d_s, &k);
            gemm(1.0, &mut d_s, 1.0, &d_o, &q.t()); //       dS₀ = dS + dO·Qᵀ …
            if let Some(beta) = &self.beta {
                let d_beta = &mut d_beta.as_mut_slice()[at.0..];
                let b = product(&k.t(), &k);
                solve_backward(&mut d_u, r, &b, &beta.as_slice()[at.0..], d_beta);
                let d_r = &d_u;
                let mut b = product(&u.t(), d_r); // R = V − S₀K − U·B, B = strict(KᵀK)
                hide(&mut b, true);
                gemm(1.0, &mut d_k, -1.0, &before.t(), d_r);
                gemm(1.0, &mut d_k, -1.0, &k, &b);
                gemm(1.0, &mut d_k, -1.0, &k, &b.t());
                gemm(1.0, &mut d_s, -1.0, d_r, &k.t()); //   … − dR·Kᵀ
            }
            d_v.columns_mut(at.0, at.1).copy_from(&d_u); // dV = dR
        }
        [d_q, d_k, d_v, d_beta]
    }
    // ANCHOR_END: backward
}

// ANCHOR: solve
/// `rⱼ = vⱼ − S₀kⱼ − Σ_{i<j} βᵢ rᵢ kᵢᵀkⱼ`, from left to right: what a token still has to write, once the tokens before it
/// have. `b` is `KᵀK` (C, C).
fn solve(r: &mut Matrix, b: &Matrix, beta: &[Float]) {
    for j in 1..r.ncols() {
        let weights = Matrix::from_fn(j, 1, |i, _| beta[i] * b[(i, j)]);
        let (before, mut r_j) = r.columns_range_pair_mut(..j, j..=j);
        gemm(1.0, &mut r_j, -1.0, &before, &weights);
    }
}

/// Its backward, from right to left, `duⱼ` into `drⱼ = βⱼ(duⱼ − Σ_{l>j} dr_l kⱼᵀk_l)`, and `dβⱼ`.
fn solve_backward(d_u: &mut Matrix, r: &Matrix, b: &Matrix, beta: &[Float], d_beta: &mut [Float]) {
    let n = d_u.ncols();
    for j in (0..n).rev() {
        let (mut d_j, after) = d_u.columns_range_pair_mut(j..=j, j + 1..);
        if j + 1 < n {
            gemm(1.0, &mut d_j, -1.0, &after, &b.view((j + 1, j), (n - j - 1, 1)));
        }
        d_beta[j] = d_j.column(0).dot(&r.column(j));
        d_j *= beta[j];
    }
}
// ANCHOR_END: solve
