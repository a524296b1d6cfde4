//! The cells over whole sequences, each as one operation on the tape, its backward by hand.
//!
//! [`crate::cells`] puts a dozen nodes on the tape at every step and copies each gate. Here the
//! whole packed batch is one node:
//!
//! - forward, `W x` for all tokens is one product; then each step needs one product `U h` and one
//!   loop over the gates;
//! - backward runs through time the other way and leaves the gradients of all gates side by side;
//!   the gradients of `W`, `U` and `x` are then one product each, over all tokens.
//!
//! | layer | gates | state |
//! |---|---|---|
//! | [`Rnn`] | – | `h` |
//! | [`Gru`] | `r`, `z`, `n` | `h` |
//! | [`Lstm`] | `i`, `f`, `g`, `o` | `h` and `c` |

mod gru;
mod lstm;
mod rnn;
mod walk;

pub use gru::{Gru, gru};
pub use lstm::{Lstm, lstm};
pub use rnn::{Rnn, rnn};

use crate::cells::Gates;
use crate::steps::{Direction, Steps};
use rand::Rng;
use rand_distr::{Distribution, Uniform};
use shared::{Float, Matrix, Module, Operand, Param, Tape, Var, Visitor, gemm};
use walk::add_row_sums;

/// What a layer reads: a vector for every token. Where tokens repeat, as words do, the distinct
/// vectors are enough, and `W x` is computed once for each of them.
///
/// ```
/// use recurrent_networks::{Gru, Inputs, Recurrent, Steps};
/// use shared::{Matrix, Tape};
/// let layer = Gru::new(2, 5, &mut shared::rng(0));
/// let (tape, steps) = (Tape::new(), Steps::new(&[3, 1]));
/// let words = tape.constant(Matrix::from_row_slice(2, 2, &[0.1, 0.2, 0.3, 0.4]));
/// let places = vec![1, 0, 1, 1]; // step by step: 1 0 | 1 | 1
/// let each = layer.forward(words.select_columns(&places), &steps, None);
/// let once = layer.forward(Inputs { vectors: words, places: Some(places) }, &steps, None);
/// tests::assert_close!(once.value(), each.value(), 5e-7);
/// ```
#[derive(Clone)]
pub struct Inputs<'t> {
    /// (I, N): a column a token; or (I, u): a column a distinct vector.
    pub vectors: Var<'t>,
    /// For each token the column of its vector; none: token `j` has column `j`.
    pub places: Option<Vec<usize>>,
}

impl<'t> From<Var<'t>> for Inputs<'t> {
    fn from(vectors: Var<'t>) -> Inputs<'t> {
        Inputs { vectors, places: None }
    }
}

/// A layer that reads a packed batch.
pub trait Recurrent: Module {
    /// What is handed from step to step: `h`, or `h` and `c`.
    type State<'t>: Copy;

    /// A layer with fresh weights, from [`Weights::new`].
    fn new(inputs: usize, hidden: usize, rng: &mut impl Rng) -> Self;

    /// The layer's weights.
    fn weights(&self) -> &Weights;

    /// The state after each token: `x` (I, N) packed → (H, N) packed. Sequence `i` begins with
    /// column `i` of `start` (H, B), or with zeros.
    fn read<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<Self::State<'t>>,
        direction: Direction,
    ) -> Var<'t>;

    /// [`Recurrent::read`] from the first token to the last.
    fn forward<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<Self::State<'t>>,
    ) -> Var<'t> {
        self.read(x, steps, start, Direction::Forward)
    }
}

/// The parameters of a layer, the gates below one another, as PyTorch has them.
#[derive(Debug)]
pub struct Weights {
    /// `W` (gH, I).
    pub weight_x: Param,
    /// `U` (gH, H).
    pub weight_h: Param,
    /// `b` (gH, 1), added to `W x`.
    pub bias_x: Param,
    /// `c` (gH, 1), added to `U h`. Only the GRU needs a second bias; the others keep it so that
    /// weights can be exchanged.
    pub bias_h: Param,
}

impl Weights {
    /// Every entry from `U(−1/√H, 1/√H)`, as PyTorch draws it: what a state with entries in
    /// (−1, 1) adds to a gate's input then has a standard deviation of at most 1/√3.
    ///
    /// # Panics
    /// When there is no hidden entry.
    pub fn new(gates: usize, inputs: usize, hidden: usize, rng: &mut impl Rng) -> Weights {
        assert!(hidden > 0, "a state needs an entry");
        let bound = 1.0 / Float::sqrt(hidden as Float);
        let uniform = Uniform::new(-bound, bound).expect("a finite bound");
        let mut draw = |columns| {
            Param::new(Matrix::from_fn(gates * hidden, columns, |_, _| uniform.sample(rng)))
        };
        Weights { weight_x: draw(inputs), weight_h: draw(hidden), bias_x: draw(1), bias_h: draw(1) }
    }

    /// The entries of an input.
    pub fn inputs(&self) -> usize {
        self.weight_x.value().ncols()
    }

    /// The entries of a state.
    pub fn hidden(&self) -> usize {
        self.weight_h.value().ncols()
    }

    /// The weights on a tape.
    pub fn on<'t>(&self, tape: &'t Tape) -> Gates<'t> {
        Gates {
            w: tape.param(&self.weight_x),
            u: tape.param(&self.weight_h),
            b: tape.param(&self.bias_x),
            c: tape.param(&self.bias_h),
        }
    }

    /// `W x + b` (gH, n) as one operation: what the steps of a decoder need of their inputs, for
    /// all inputs that are known beforehand at once.
    pub fn project<'t>(&self, x: impl Into<Inputs<'t>>) -> Var<'t> {
        let Inputs { vectors, places } = x.into();
        let gates = self.on(vectors.tape());
        let projected = affine(gates.w, vectors, gates.b);
        places.map_or(projected, |places| projected.select_columns(&places))
    }
}

impl Module for Weights {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("weight_x", &mut self.weight_x);
        visitor.param("weight_h", &mut self.weight_h);
        visitor.param("bias_x", &mut self.bias_x);
        visitor.param("bias_h", &mut self.bias_h);
    }
}

/// `y = W x + b`.
fn affine<'t>(w: Var<'t>, x: Var<'t>, b: Var<'t>) -> Var<'t> {
    let ((dw, dx), db) = (w.ids(x), b.id());
    let (w, x, b, tape) = (w.value(), x.value(), b.value(), x.tape());
    let mut y = Matrix::from_vec(w.nrows(), x.ncols(), b.as_slice().repeat(x.ncols()));
    gemm(1.0, &mut y, 1.0, &*w, &*x);
    tape.push(y, move |dy, gradients| {
        gradients.gemm(dw, &dy, &x.t());
        if gradients.needs(dx) {
            gradients.gemm(dx, &w.t(), &dy);
        }
        gradients.update(db, |db| add_row_sums(db, &dy));
    })
}
