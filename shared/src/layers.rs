//! Layers that are no chapter's subject.

use crate::module::{Module, Param, Visitor};
use crate::tape::{Tape, Var};
use multiversion::multiversion;
use products::{Float, Matrix};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

/// An affine map of every token: `y = W x + b`.
///
/// ```
/// use shared::{Linear, Matrix, Tape};
/// let layer = Linear::new(3, 2, &mut shared::rng(0));
/// let tape = Tape::new();
/// let y = layer.forward(tape.constant(Matrix::zeros(3, 5)));
/// assert_eq!(*y.value(), Matrix::zeros(2, 5)); // the bias starts at zero
/// ```
#[doc(alias = "Dense")]
#[derive(Debug)]
pub struct Linear {
    /// `W` (outputs, inputs).
    pub weight: Param,
    /// `b` (outputs, 1); absent in projections without bias.
    pub bias: Option<Param>,
}

impl Linear {
    /// Glorot-uniform weights and a zero bias.
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Linear {
        let bias = Some(Param::new(Matrix::zeros(outputs, 1)));
        Linear { bias, ..Linear::without_bias(inputs, outputs, rng) }
    }

    /// Glorot-uniform weights alone: `y = W x`.
    pub fn without_bias(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Linear {
        Linear { weight: Param::glorot(outputs, inputs, rng), bias: None }
    }

    /// `x` (inputs, n) → (outputs, n).
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        let weight = x.tape().param(&self.weight);
        match &self.bias {
            Some(bias) => weight.affine(x, x.tape().param(bias)),
            None => weight * x,
        }
    }
}

impl Module for Linear {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("weight", &mut self.weight);
        if let Some(bias) = &mut self.bias {
            visitor.param("bias", bias);
        }
    }
}

/// A table of vectors, one column for each entry of a vocabulary.
///
/// ```
/// use shared::{Embedding, Tape};
/// let words = Embedding::new(1000, 16, &mut shared::rng(0));
/// let sentence = words.forward(&Tape::new(), &[17, 4, 17]).value(); // (16, 3)
/// assert_eq!(sentence.column(0), sentence.column(2));
/// ```
#[derive(Debug)]
pub struct Embedding {
    /// (d, vocabulary): column `i` is the vector of word `i`.
    pub weight: Param,
}

impl Embedding {
    /// Entries from the standard normal distribution.
    pub fn new(vocabulary: usize, d: usize, rng: &mut impl Rng) -> Embedding {
        let weight = Matrix::from_fn(d, vocabulary, |_, _| StandardNormal.sample(rng));
        Embedding { weight: Param::new(weight) }
    }

    /// The vectors of `ids` as columns: (d, n).
    ///
    /// # Panics
    /// When an id is outside the vocabulary.
    pub fn forward<'t>(&self, tape: &'t Tape, ids: &[usize]) -> Var<'t> {
        tape.param(&self.weight).select_columns(ids)
    }
}

impl Module for Embedding {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("weight", &mut self.weight);
    }
}

impl<'t> Var<'t> {
    /// Dropout (Srivastava et al. 2014), in the inverted form: on a tape for [`Tape::training`], an entry
    /// is zero with probability `p` and grows by `1/(1 − p)` otherwise, so its expectation stays as it
    /// is; on any other tape nothing happens.
    ///
    /// ```
    /// use shared::{Matrix, Tape, rng};
    /// let tape = Tape::training(rng(0));
    /// let y = tape.constant(Matrix::from_element(10, 10, 1.0)).dropout(0.5).value();
    /// assert!(y.iter().all(|y| *y == 0.0 || *y == 2.0));
    /// ```
    ///
    /// # Panics
    /// When `p` is not in `0 ≤ p < 1`.
    pub fn dropout(self, p: Float) -> Var<'t> {
        let Some(mask) = self.tape().mask(p) else { return self };
        let mut y = Matrix::clone(&self.value());
        mask.apply(&mut y);
        self.tape().push([self], y, move |mut dy, [x_id], gradients| {
            mask.apply(&mut dy);
            gradients.add(x_id, dy);
        })
    }
}

impl Tape {
    /// The mask of one dropout, for an operation that contains it; none when nothing is to be left out.
    ///
    /// # Panics
    /// As [`Var::dropout`].
    pub fn mask(&self, p: Float) -> Option<Mask> {
        assert!((0.0..1.0).contains(&p), "a dropout probability lies in 0 ≤ p < 1, not {p}");
        (p > 0.0).then(|| self.draw(|rng| Mask { p, seed: rng.random() })).flatten()
    }
}

/// Which entries a [dropout](Var::dropout) leaves out: drawn again whenever it is needed rather than stored, for a
/// seed is 8 bytes and a mask a matrix. Operations that contain a dropout apply it themselves.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    p: Float,
    seed: u64,
}

impl Mask {
    /// Zeroes the entries that are left out and scales the others: `dy ↦ dx` is the same map as
    /// `x ↦ y`.
    pub fn apply(self, x: &mut Matrix) {
        let threshold = (self.p as f64 * 2f64.powi(32)) as u32;
        mask_slice(x.as_mut_slice(), threshold, 1.0 / (1.0 - self.p), self.seed);
    }
}

/// Entry `i` is kept when a hash of `i` and the seed reaches the threshold. A generator draws one
/// number after another; a hash answers for any place at once, so the loop vectorises.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn mask_slice(x: &mut [Float], threshold: u32, scale: Float, seed: u64) {
    let (low, high) = (seed as u32, (seed >> 32) as u32);
    for (i, x) in x.iter_mut().enumerate() {
        let kept = hash((i as u32 ^ low).wrapping_mul(0x9e37_79b9).wrapping_add(high)) >= threshold;
        *x *= scale * kept as u8 as Float; // times 0 or 1: no branch
    }
}

/// A permutation of the 32-bit numbers in which every bit of the input turns every bit of the
/// output with probability near ½ (the constants of `lowbias32`, found by Wellons' search).
#[inline(always)]
fn hash(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
