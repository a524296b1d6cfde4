//! What is added to parameters.

use super::{Tape, Var};
use crate::ParamId;

impl Tape {
    /// On this tape the parameter, frozen or not, is its value with `added`, whoever enters it: what a layer
    /// computes changes, and the layer does not know.
    ///
    /// ```
    /// use shared::{Linear, Matrix, Module, Tape};
    /// let mut layer = Linear::without_bias(2, 2, &mut shared::rng(0));
    /// layer.freeze(|_| true);
    /// let tape = Tape::new();
    /// let learnt = tape.leaf(Matrix::zeros(2, 2));
    /// tape.add_to(layer.weight.id(), learnt);
    /// let y = layer.forward(tape.constant(Matrix::identity(2, 2)));
    /// assert_eq!(*y.value(), *layer.weight.value());
    /// assert_eq!(y.sum().backward().wrt(learnt), Matrix::from_element(2, 2, 1.0));
    /// ```
    pub fn add_to(&self, param: ParamId, added: Var<'_>) {
        self.added.borrow_mut().insert(param, added.id);
    }

    /// The value of a parameter, with what was added to it.
    pub(super) fn with_added<'t>(&'t self, param: ParamId, value: Var<'t>) -> Var<'t> {
        match self.added.borrow().get(&param) {
            Some(id) => value + Var { tape: self, id: *id },
            None => value,
        }
    }
}
