//! Two layers that read the same sequence, one from each end.

use crate::layers::{Inputs, Recurrent};
use crate::steps::{Direction, Steps};
use rand::Rng;
use shared::{Module, Var, Visitor};

/// Two layers of `H` units each, one from the first token on and one from the last (Schuster &
/// Paliwal 1997): column `j` knows what stands before token `j`, and what stands after it.
///
/// ```
/// use recurrent_networks::{Bidirectional, Gru, Steps};
/// use shared::{Matrix, Tape};
/// let layer: Bidirectional<Gru> = Bidirectional::new(2, 5, &mut shared::rng(0));
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::zeros(2, 7));
/// assert_eq!(layer.forward(x, &Steps::new(&[4, 2, 1])).shape(), (10, 7));
/// ```
#[derive(Debug)]
pub struct Bidirectional<L> {
    /// Reads from the first token to the last.
    pub forward: L,
    /// Reads from the last token to the first.
    pub backward: L,
}

impl<L: Recurrent> Bidirectional<L> {
    /// Two fresh layers of `hidden` units.
    pub fn new(inputs: usize, hidden: usize, rng: &mut impl Rng) -> Self {
        Bidirectional {
            forward: L::new(inputs, hidden, rng),
            backward: L::new(inputs, hidden, rng),
        }
    }

    // ANCHOR: both
    /// `x` (I, N) packed → (2H, N) packed: the forward states above the backward states.
    pub fn forward<'t>(&self, x: impl Into<Inputs<'t>>, steps: &Steps) -> Var<'t> {
        let x = x.into();
        let h = self.forward.read(x.clone(), steps, None, Direction::Forward); // (H, N): →h
        let g = self.backward.read(x, steps, None, Direction::Backward); //        (H, N): ←h
        h.stack(g)
    }
    // ANCHOR_END: both
}

impl<L: Recurrent> Module for Bidirectional<L> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("forward", &mut self.forward);
        visitor.module("backward", &mut self.backward);
    }
}
