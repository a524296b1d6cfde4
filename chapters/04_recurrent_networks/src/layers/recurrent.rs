//! The interface of every layer.

use super::inputs::Inputs;
use super::weights::Weights;
use crate::steps::{Direction, Steps};
use rand::Rng;
use shared::{Module, Var};

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
