//! Positions that are relative: the score of two tokens depends on how far apart they stand, not on where.

use crate::positions::frequency;
use rand_distr::{Distribution, Normal};
use scoring_functions::Sequences;
use shared::{Float, Matrix, Module, Operand, Param, Rng, Var, Visitor, product};

/// A way to represent distances, without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// See [`Relative::Shaw`], clipped at this distance.
    Shaw(usize),
    /// See [`Relative::Rope`].
    Rope,
    /// See [`Relative::Alibi`].
    Alibi,
}

/// What an attention knows about the distance of two tokens.
#[derive(Debug, Default)]
pub enum Relative {
    /// Nothing: positions, if any, were added to the tokens.
    #[default]
    None,
    /// Queries and keys are rotated by their positions ([`rotate`]; RoPE, Su et al. 2021).
    Rope,
    /// A learnt vector for every distance, one table for all heads (d, 2c + 1) (Shaw et al. 2018, equation
    /// 4): `a_{j−i}` is added to the key of token j when token i asks.
    Shaw(Param),
    /// Every head counts off so much a position ([`slopes`]; ALiBi, Press et al. 2022).
    Alibi,
}

impl Relative {
    /// Distances for heads of `d` rows; vectors are drawn from N(0, 1/d).
    pub fn new(kind: Kind, d: usize, rng: &mut Rng) -> Relative {
        match kind {
            Kind::Rope => Relative::Rope,
            Kind::Alibi => Relative::Alibi,
            Kind::Shaw(c) => {
                let normal = Normal::new(0.0, (d as Float).sqrt().recip()).expect("finite");
                let vectors = Matrix::from_fn(d, 2 * c + 1, |_, _| normal.sample(rng));
                Relative::Shaw(Param::new(vectors))
            }
        }
    }

    /// `x` (heads·d, n), queries or keys at these positions, as they enter a score.
    pub fn rotated<'t>(
        &self,
        x: Var<'t>,
        heads: usize,
        positions: impl FnOnce() -> Vec<usize>,
    ) -> Var<'t> {
        match self {
            Relative::Rope => rotate(x, heads, &positions()),
            _ => x,
        }
    }

    /// The bias by distance of the scores of the queries `q` (heads·d, n), (heads·(2c + 1), n), when
    /// no key is farther away than `max_distance`.
    pub fn bias<'t>(&self, q: Var<'t>, heads: usize, max_distance: usize) -> Option<Var<'t>> {
        match self {
            Relative::None | Relative::Rope => None,
            Relative::Shaw(vectors) => Some(by_distance(q.tape().param(vectors), q, heads)),
            Relative::Alibi => {
                let (rows, n) = (2 * max_distance + 1, q.shape().1);
                let slopes = slopes(heads);
                let bias = Matrix::from_fn(heads * rows, n, |i, _| {
                    -slopes[i / rows] * (i % rows).abs_diff(max_distance) as Float
                });
                Some(q.tape().constant(bias))
            }
        }
    }
}

// ANCHOR: rotate
/// Rotary positions: in every head, the pair of rows 2j, 2j + 1 turns by the angle
/// `position / 10000^{2j/d}` (Su et al. 2021, section 3.2). `x` (heads·d, n) → the same shape.
///
/// Two rotated vectors have a product that depends on the difference of their positions alone, since
/// `(T_a q)ᵀ(T_b k) = qᵀ T_{b−a} k`, where T_a is the transpose of [`shift`](crate::positions::shift) by a. The way
/// back turns the other way.
///
/// # Panics
/// When there is not one position a column, or a head has an odd number of rows.
pub fn rotate<'t>(x: Var<'t>, heads: usize, positions: &[usize]) -> Var<'t> {
    let (rows, n) = x.shape();
    assert!(positions.len() == n, "{} positions for {n} tokens", positions.len());
    let d = rows / heads;
    assert!(d.is_multiple_of(2), "heads of {d} rows: a rotation turns pairs");
    let speeds: Vec<f64> = (0..d / 2).map(|j| frequency(d, j)).collect();
    // In double precision until after the sine: at position 65,000 an angle in single has three digits left.
    let [cos, sin] = [f64::cos, f64::sin]
        .map(|f| Matrix::from_fn(d / 2, n, |j, t| f(positions[t] as f64 * speeds[j]) as Float));
    let mut y = Matrix::clone(&x.value());
    rotate_pairs(&mut y, &cos, &sin, 1.0);
    x.tape().push([x], y, move |mut dy, [x_id], gradients| {
        rotate_pairs(&mut dy, &cos, &sin, -1.0);
        gradients.add(x_id, dy);
    })
}

fn rotate_pairs(x: &mut Matrix, cos: &Matrix, sin: &Matrix, direction: Float) {
    for (t, mut x) in x.column_iter_mut().enumerate() {
        let (cos, sin) = (cos.column(t), sin.column(t));
        for (j, pair) in x.as_mut_slice().chunks_exact_mut(2).enumerate() {
            let (c, s) = (cos[j % cos.len()], direction * sin[j % cos.len()]);
            (pair[0], pair[1]) = (c * pair[0] - s * pair[1], s * pair[0] + c * pair[1]);
        }
    }
}
// ANCHOR_END: rotate

/// `a_δᵀq/√d` for every distance δ and head: `vectors` (d, 2c + 1), `q` (heads·d, n) → (heads·(2c + 1), n).
///
/// A column of `q` is its heads one below another; cut into columns of d, they are `heads·n` queries for
/// one product.
pub fn by_distance<'t>(vectors: Var<'t>, q: Var<'t>, heads: usize) -> Var<'t> {
    let a = vectors.value();
    let (d, distances) = a.shape();
    let scale = 1.0 / (d as Float).sqrt();
    let operands = [vectors, q];
    let q = in_rows(d, Matrix::clone(&q.value())); // (d, heads·n)
    let bias = in_rows(heads * distances, product(&a.t(), &q) * scale); // of (2c + 1, heads·n)
    vectors.tape().push(operands, bias, move |dy, [a_id, q_id], gradients| {
        let dy = in_rows(distances, dy) * scale;
        gradients.add(q_id, in_rows(heads * d, product(&*a, &dy)));
        gradients.gemm(a_id, &q, &dy.t());
    })
}

/// The same numbers in the same order, in columns of another length.
fn in_rows(rows: usize, x: Matrix) -> Matrix {
    Matrix::from_vec(rows, x.len() / rows, x.data.into())
}

/// The cost of a position of distance in each head: `2^{−8h/H}` for h = 1 … H (Press et al. 2022, section 3).
///
/// ```
/// assert_eq!(self_attention::relative::slopes(4), [0.25, 0.0625, 0.015625, 0.00390625]);
/// ```
pub fn slopes(heads: usize) -> Vec<Float> {
    (1..=heads).map(|h| Float::exp2(-8.0 * h as Float / heads as Float)).collect()
}

/// The position of every query among the keys of its sequence.
pub fn query_positions(sequences: &Sequences) -> Vec<usize> {
    sequences.sequences.iter().flat_map(|s| s.offset..s.offset + s.queries.len()).collect()
}

/// The position of every key in its sequence; the sequences' keys follow one another and cover all.
pub fn key_positions(sequences: &Sequences) -> Vec<usize> {
    sequences.sequences.iter().flat_map(|s| 0..s.keys.len()).collect()
}

/// The largest distance between a query and a key of one sequence.
pub fn max_distance(sequences: &Sequences) -> usize {
    let ends = sequences.sequences.iter().map(|s| (s.offset + s.queries.len()).max(s.keys.len()));
    ends.max().unwrap_or(0).saturating_sub(1)
}

impl Module for Relative {
    fn visit(&mut self, visitor: &mut Visitor) {
        if let Relative::Shaw(vectors) = self {
            visitor.param("vectors", vectors);
        }
    }
}
