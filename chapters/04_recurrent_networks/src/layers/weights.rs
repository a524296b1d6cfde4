//! The parameters of a layer.

use super::inputs::Inputs;
use super::walk::add_row_sums;
use crate::cells::Gates;
use rand::Rng;
use rand_distr::{Distribution, Uniform};
use shared::{Float, Matrix, Module, Operand, Param, Tape, Var, Visitor, gemm};

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
    let operands = [w, x, b];
    let (w, x, b, tape) = (w.value(), x.value(), b.value(), x.tape());
    let mut y = Matrix::from_vec(w.nrows(), x.ncols(), b.as_slice().repeat(x.ncols()));
    gemm(1.0, &mut y, 1.0, &*w, &*x);
    tape.push(operands, y, move |dy, [w_id, x_id, b_id], gradients| {
        gradients.gemm(w_id, &dy, &x.t());
        gradients.gemm(x_id, &w.t(), &dy);
        gradients.update(b_id, |db| add_row_sums(db, &dy));
    })
}
