//! Where a token stands: attention itself does not know.

use rand_distr::{Distribution, Normal};
use shared::{Float, Matrix, Module, Param, Rng, Var, Visitor};

// ANCHOR: sinusoids
/// Sinusoidal positions (Vaswani et al. 2017, section 3.5), for the positions `first..first + n`:
/// `p_{2j} = sin(i / 10000^{2j/d_model})` and `p_{2j+1} = cos(i / 10000^{2j/d_model})` at position `i`
/// → (d_model, n).
///
/// ```
/// use self_attention::positions::sinusoids;
/// let p = sinusoids(4, 0, 3);
/// assert_eq!(p.column(0).as_slice(), [0.0, 1.0, 0.0, 1.0]); // position 0: sin 0, cos 0, …
/// assert_eq!(p[(0, 1)], shared::Float::sin(1.0)); // the fastest pair turns by one radian a position
/// assert_eq!(sinusoids(4, 2, 1).column(0), p.column(2));
/// ```
///
/// # Panics
/// When `d_model` is odd: sines and cosines come in pairs.
pub fn sinusoids(d_model: usize, first: usize, n: usize) -> Matrix {
    assert!(
        d_model.is_multiple_of(2),
        "sines and cosines come in pairs, but the width {d_model} is odd"
    );
    Matrix::from_fn(d_model, n, |row, column| {
        let angle = (first + column) as f64 * frequency(d_model, row / 2);
        (if row % 2 == 0 { angle.sin() } else { angle.cos() }) as Float
    })
}

/// By how many radians pair `j` turns from one position to the next: `1 / 10000^{2j/d_model}`.
pub fn frequency(d_model: usize, j: usize) -> f64 {
    10_000f64.powf(-(2.0 * j as f64) / d_model as f64)
}
// ANCHOR_END: sinusoids

// ANCHOR: shift
/// The matrix `R` with `p_{i+k} = R p_i` for every position `i`: a rotation of each pair by its angle
/// `k / 10000^{2j/d_model}`, (d_model, d_model). It depends on the distance `k` alone.
///
/// ```
/// use self_attention::positions::{shift, sinusoids};
/// let p = sinusoids(6, 0, 20);
/// let moved = shift(6, 5) * p.columns(0, 15);
/// assert!((moved - p.columns(5, 15)).amax() < 1e-5);
/// ```
pub fn shift(d_model: usize, k: isize) -> Matrix {
    let mut rotation = Matrix::zeros(d_model, d_model);
    for j in 0..d_model / 2 {
        let (sin, cos) = (k as f64 * frequency(d_model, j)).sin_cos();
        let (s, c) = (2 * j, 2 * j + 1); // the rows of the sine and of the cosine
        rotation[(s, s)] = cos as Float; //  sin(a + b) = cos b · sin a + sin b · cos a
        rotation[(s, c)] = sin as Float;
        rotation[(c, s)] = -sin as Float; // cos(a + b) = cos b · cos a − sin b · sin a
        rotation[(c, c)] = cos as Float;
    }
    rotation
}
// ANCHOR_END: shift

/// A table with a column for every position, added to the tokens: `X + P`.
#[derive(Debug)]
pub enum Positions {
    /// Sinusoids, computed and not trained (d_model, longest).
    Sinusoids(Matrix),
    /// Trained like the vectors of words (d_model, longest).
    Learned(Param),
}

impl Positions {
    /// Sinusoids for sequences of at most `longest` tokens.
    pub fn sinusoids(d_model: usize, longest: usize) -> Positions {
        Positions::Sinusoids(sinusoids(d_model, 0, longest))
    }

    /// Positions to be learned, drawn from N(0, 0.02²) (as BERT's, Devlin et al. 2019).
    pub fn learned(d_model: usize, longest: usize, rng: &mut Rng) -> Positions {
        let normal = Normal::new(0.0, 0.02).expect("a finite deviation");
        Positions::Learned(Param::new(Matrix::from_fn(d_model, longest, |_, _| normal.sample(rng))))
    }

    /// The most tokens that a sequence may have.
    pub fn longest(&self) -> usize {
        match self {
            Positions::Sinusoids(table) => table.ncols(),
            Positions::Learned(table) => table.value().ncols(),
        }
    }

    /// `x` (d_model, n), token `j` at the position `positions[j]` of its sequence → (d_model, n).
    ///
    /// # Panics
    /// When a position is beyond the table.
    pub fn add<'t>(&self, x: Var<'t>, positions: &[usize]) -> Var<'t> {
        if let Some(position) = positions.iter().find(|position| **position >= self.longest()) {
            panic!(
                "position {position} of a sequence, but there are positions for {}",
                self.longest()
            );
        }
        x + match self {
            Positions::Sinusoids(table) => x.tape().constant(table.select_columns(positions)),
            Positions::Learned(table) => x.tape().param(table).select_columns(positions),
        }
    }
}

/// The position of every token in its sequence; sequence `j` has the columns
/// `offsets[j]..offsets[j + 1]`.
///
/// ```
/// assert_eq!(self_attention::positions::token_positions(&[0, 3, 5]), [0, 1, 2, /**/ 0, 1]);
/// ```
pub fn token_positions(offsets: &[usize]) -> Vec<usize> {
    offsets.windows(2).flat_map(|ends| 0..ends[1] - ends[0]).collect()
}

impl Module for Positions {
    fn visit(&mut self, visitor: &mut Visitor) {
        if let Positions::Learned(table) = self {
            visitor.param("weight", table);
        }
    }
}
