//! The scores: how well does a key fit a query?
//!
//! Each comes twice. `of` is the formula of its paper, for one pair, in plain arithmetic; `forward`
//! scores all pairs at once on a tape, (m, n): column i holds every key's score against query i.
//! The first explains the second, and the tests hold them together.

pub use crate::operations::{outer_sum, unit_columns};

use crate::operations::{reshape, times};
use rand::Rng;
use shared::{Float, Linear, Matrix, Module, Param, Var, Vector, Visitor};

// ANCHOR: dot
/// The dot product of each key with each query: `eᵢⱼ = qᵢ·kⱼ` (Luong et al. 2015, §3.1).
///
/// `queries` (d, n), `keys` (d, m) → (m, n).
pub fn dot<'t>(queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
    keys.tr_mul(queries)
}

/// The dot product divided by √d (Vaswani et al. 2017, §3.2.1).
///
/// `queries` (d, n), `keys` (d, m) → (m, n).
pub fn scaled_dot<'t>(queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
    let d = queries.shape().0 as Float;
    keys.tr_mul(queries * (1.0 / d.sqrt())) // d × n numbers to scale; cheaper than the m × n scores if d < m
}
// ANCHOR_END: dot

/// The cosine of the angle between query and key, times a learned strength β (Graves et al. 2014,
/// equations 5 and 6): `e = β·(q·k)/(‖q‖‖k‖)`.
///
/// A cosine lies in [−1, 1], so without β the largest of m weights could not exceed
/// `e²/(e² + m − 1)`. There the network emits β anew at every step; here it is one learned number.
#[derive(Debug)]
pub struct Cosine {
    /// β (1, 1)
    pub strength: Param,
}

impl Cosine {
    /// Starts with the given β.
    pub fn new(strength: Float) -> Cosine {
        Cosine { strength: Param::new(Matrix::from_element(1, 1, strength)) }
    }

    // ANCHOR: cosine
    /// One pair: `β·(q·k)/(‖q‖‖k‖)`, zero when a vector has no direction.
    pub fn of(&self, q: &Vector, k: &Vector) -> Float {
        let lengths = q.norm() * k.norm();
        if lengths == 0.0 { 0.0 } else { self.strength.value()[0] * q.dot(k) / lengths }
    }

    /// `queries` (d, n), `keys` (d, m) → (m, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let cosines = unit_columns(keys).tr_mul(unit_columns(queries));
        times(cosines, queries.tape().param(&self.strength))
    }
    // ANCHOR_END: cosine
}

/// A bilinear form: `e = qᵀ W k` (Luong et al. 2015, §3.1, *general*).
///
/// W translates keys into the queries' language, so the two may have different sizes.
#[derive(Debug)]
pub struct General {
    /// `W` (d_q, d_k)
    pub w: Linear,
}

impl General {
    /// A random W.
    pub fn new(d_q: usize, d_k: usize, rng: &mut impl Rng) -> General {
        General { w: Linear::without_bias(d_k, d_q, rng) }
    }

    // ANCHOR: general
    /// One pair: `qᵀ W k`.
    pub fn of(&self, q: &Vector, k: &Vector) -> Float {
        q.dot(&(self.w.weight.value() * k))
    }

    /// `queries` (d_q, n), `keys` (d_k, m) → (m, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        dot(queries, self.w.forward(keys)) // W k once a key, not once a pair
    }
    // ANCHOR_END: general
}

/// Additive attention scores (Bahdanau et al. 2015, appendix A.1.2):
/// `e = vᵀ tanh(W_q q + W_k k + b)`. The paper prints it without b: "whenever possible, we omit bias
/// terms" (A.1.1).
#[derive(Debug)]
pub struct Additive {
    /// `W_q` (d_h, d_q) and, unless left out, `b` (d_h, 1)
    pub w_q: Linear,
    /// `W_k` (d_h, d_k)
    pub w_k: Linear,
    /// `v` (d_h, 1)
    pub v: Param,
}

impl Additive {
    /// Random weights, a zero bias.
    pub fn new(d_q: usize, d_k: usize, hidden: usize, rng: &mut impl Rng) -> Additive {
        let w_q = Linear::new(d_q, hidden, rng);
        let w_k = Linear::without_bias(d_k, hidden, rng);
        Additive { w_q, w_k, v: Param::glorot(hidden, 1, rng) }
    }

    /// Without b, as the formula is often written and programmed.
    pub fn without_bias(d_q: usize, d_k: usize, hidden: usize, rng: &mut impl Rng) -> Additive {
        let mut additive = Additive::new(d_q, d_k, hidden, rng);
        additive.w_q.bias = None;
        additive
    }

    // ANCHOR: additive
    /// One pair: `vᵀ tanh(W_q q + W_k k + b)`.
    pub fn of(&self, q: &Vector, k: &Vector) -> Float {
        let mut hidden = self.w_q.weight.value() * q + self.w_k.weight.value() * k;
        if let Some(b) = &self.w_q.bias {
            hidden += b.value();
        }
        self.v.value().dot(&hidden.map(Float::tanh))
    }

    /// `queries` (d_q, n), `keys` (d_k, m) → (m, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let (n, m) = (queries.shape().1, keys.shape().1);
        let q = self.w_q.forward(queries); // (d_h, n)
        let k = self.w_k.forward(keys); //    (d_h, m): projected once, reused for every query
        let hidden = outer_sum(k, q).tanh(); // (d_h, m·n): one column a pair
        let e = queries.tape().param(&self.v).tr_mul(hidden); // (1, m·n)
        reshape(e, m, n)
    }
    // ANCHOR_END: additive
}

/// Query and key as one vector through one layer: `e = vᵀ tanh(W [q; k] + b)` (Luong et al. 2015,
/// §3.1, *concat*, printed without b).
///
/// With `W = [W_q W_k]` it is the additive score, see [`Concat::from`]; taken literally, as here, it
/// multiplies W with every pair instead of with every query and every key.
#[derive(Debug)]
pub struct Concat {
    /// `W` (d_h, d_q + d_k) and `b` (d_h, 1)
    pub w: Linear,
    /// `v` (d_h, 1)
    pub v: Param,
}

impl Concat {
    /// Random weights, a zero bias.
    pub fn new(d_q: usize, d_k: usize, hidden: usize, rng: &mut impl Rng) -> Concat {
        Concat { w: Linear::new(d_q + d_k, hidden, rng), v: Param::glorot(hidden, 1, rng) }
    }

    /// One pair: `vᵀ tanh(W [q; k] + b)`.
    pub fn of(&self, q: &Vector, k: &Vector) -> Float {
        let pair = Vector::from_iterator(q.len() + k.len(), q.iter().chain(k).copied());
        let mut hidden = self.w.weight.value() * pair;
        if let Some(b) = &self.w.bias {
            hidden += b.value();
        }
        self.v.value().dot(&hidden.map(Float::tanh))
    }

    /// `queries` (d_q, n), `keys` (d_k, m) → (m, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let (n, m) = (queries.shape().1, keys.shape().1);
        let query_of: Vec<usize> = (0..m * n).map(|pair| pair / m).collect();
        let key_of: Vec<usize> = (0..m * n).map(|pair| pair % m).collect();
        let pairs = queries.select_columns(&query_of).stack(keys.select_columns(&key_of));
        let hidden = self.w.forward(pairs).tanh(); // (d_h, m·n)
        let e = queries.tape().param(&self.v).tr_mul(hidden); // (1, m·n)
        reshape(e, m, n)
    }
}

// ANCHOR: concat_is_additive
/// The proof that concat is additive: `W [q; k] = [W_q W_k] [q; k] = W_q q + W_k k`.
impl From<&Additive> for Concat {
    fn from(additive: &Additive) -> Concat {
        let (w_q, w_k) = (additive.w_q.weight.value(), additive.w_k.weight.value());
        let (d_h, d_q, d_k) = (w_q.nrows(), w_q.ncols(), w_k.ncols());
        let mut w = Matrix::zeros(d_h, d_q + d_k);
        w.columns_mut(0, d_q).copy_from(w_q);
        w.columns_mut(d_q, d_k).copy_from(w_k);
        let bias = additive.w_q.bias.clone();
        Concat { w: Linear { weight: Param::new(w), bias }, v: additive.v.clone() }
    }
}
// ANCHOR_END: concat_is_additive

/// The query alone decides at which position to look: `e = W q` (Luong et al. 2015, §3.1,
/// *location*).
///
/// The keys are not looked at; only how many there are matters.
#[derive(Debug)]
pub struct Location {
    /// `W` (positions, d_q): row j scores position j
    pub w: Linear,
}

impl Location {
    /// A random W, for at most `positions` keys.
    pub fn new(d_q: usize, positions: usize, rng: &mut impl Rng) -> Location {
        Location { w: Linear::without_bias(d_q, positions, rng) }
    }

    // ANCHOR: location
    /// One query and the position of a key: `(W q)ⱼ`.
    pub fn of(&self, q: &Vector, position: usize) -> Float {
        self.w.weight.value().row(position).tr_dot(q)
    }

    /// `queries` (d_q, n), any m keys → (m, n).
    ///
    /// # Panics
    /// When there are more keys than positions.
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let (m, positions) = (keys.shape().1, self.w.weight.value().nrows());
        assert!(m <= positions, "{m} keys, but a location score for {positions} positions");
        self.w.forward(queries).rows(0, m)
    }
    // ANCHOR_END: location
}

/// Any of the scores, for models that let the reader choose.
///
/// ```
/// use shared::{Matrix, Module, Tape};
/// use scoring_functions::{Additive, Score};
/// let mut score = Score::Additive(Additive::new(3, 2, 5, &mut shared::rng(0)));
/// assert_eq!(score.parameter_names(), ["w_q.weight", "w_q.bias", "w_k.weight", "v"]);
///
/// let tape = Tape::new();
/// let queries = tape.constant(Matrix::from_element(3, 4, 0.5)); // four queries of size 3
/// let keys = tape.constant(Matrix::from_element(2, 7, 0.1)); //    seven keys of size 2
/// assert_eq!(score.forward(queries, keys).shape(), (7, 4));
/// ```
#[derive(Debug)]
pub enum Score {
    /// See [`dot`].
    Dot,
    /// See [`scaled_dot`].
    ScaledDot,
    /// See [`Cosine`].
    Cosine(Cosine),
    /// See [`General`].
    General(General),
    /// See [`Additive`].
    Additive(Additive),
    /// See [`Concat`].
    Concat(Concat),
    /// See [`Location`].
    Location(Location),
}

impl Score {
    /// The score of key `i` against one query: the formula.
    pub fn of(&self, q: &Vector, keys: &Matrix, i: usize) -> Float {
        let k = keys.column(i).into_owned();
        match self {
            Score::Dot => q.dot(&k),
            Score::ScaledDot => q.dot(&k) / (q.len() as Float).sqrt(),
            Score::Cosine(score) => score.of(q, &k),
            Score::General(score) => score.of(q, &k),
            Score::Additive(score) => score.of(q, &k),
            Score::Concat(score) => score.of(q, &k),
            Score::Location(score) => score.of(q, i),
        }
    }

    /// All scores at once: `queries` (d_q, n), `keys` (d_k, m) → (m, n).
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        match self {
            Score::Dot => dot(queries, keys),
            Score::ScaledDot => scaled_dot(queries, keys),
            Score::Cosine(score) => score.forward(queries, keys),
            Score::General(score) => score.forward(queries, keys),
            Score::Additive(score) => score.forward(queries, keys),
            Score::Concat(score) => score.forward(queries, keys),
            Score::Location(score) => score.forward(queries, keys),
        }
    }

    /// Attention with this score: `values` (d_v, m) → contexts (d_v, n).
    pub fn attend<'t>(&self, queries: Var<'t>, keys: Var<'t>, values: Var<'t>) -> Var<'t> {
        values * self.forward(queries, keys).softmax()
    }
}

impl Module for Score {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Score::Dot | Score::ScaledDot => {}
            Score::Cosine(cosine) => cosine.visit(visitor),
            Score::General(general) => general.visit(visitor),
            Score::Additive(additive) => additive.visit(visitor),
            Score::Concat(concat) => concat.visit(visitor),
            Score::Location(location) => location.visit(visitor),
        }
    }
}

impl Module for Cosine {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("strength", &mut self.strength);
    }
}

impl Module for General {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w", &mut self.w);
    }
}

impl Module for Additive {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.param("v", &mut self.v);
    }
}

impl Module for Concat {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w", &mut self.w);
        visitor.param("v", &mut self.v);
    }
}

impl Module for Location {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w", &mut self.w);
    }
}
