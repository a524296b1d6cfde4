//! Layers above one another.

use crate::layers::{Inputs, Recurrent};
use crate::steps::Steps;
use rand::Rng;
use shared::{Float, Module, Var, Visitor};

/// Layers above one another: each reads the states of the one below.
///
/// ```
/// use recurrent_networks::{Gru, Stack, Steps};
/// use shared::{Matrix, Tape};
/// let rng = &mut shared::rng(0);
/// let stack: Stack<Gru> = Stack::new(2, 5, 3, 0.2, rng);
/// let tape = Tape::new();
/// let x = tape.constant(Matrix::zeros(2, 7));
/// let states = stack.forward(x, &Steps::new(&[4, 2, 1]), None);
/// assert_eq!(states.len(), 3); //             one for each layer
/// assert_eq!(states[2].shape(), (5, 7)); //   the last is the output
/// ```
#[derive(Debug)]
pub struct Stack<L> {
    /// The layers, from the input up.
    pub layers: Vec<L>,
    /// The probability with which dropout sets an entry between two layers to zero.
    pub dropout: Float,
}

impl<L: Recurrent> Stack<L> {
    /// `count` fresh layers of `hidden` units.
    ///
    /// # Panics
    /// When `count` is zero.
    pub fn new(
        inputs: usize,
        hidden: usize,
        count: usize,
        dropout: Float,
        rng: &mut impl Rng,
    ) -> Self {
        assert!(count > 0, "a stack needs a layer");
        let inputs = (0..count).map(|k| if k == 0 { inputs } else { hidden });
        let layers = inputs.map(|inputs| L::new(inputs, hidden, rng)).collect();
        Stack { layers, dropout }
    }

    /// The states of every layer, (H, N) packed each: the output of the stack is the last.
    ///
    /// `start` holds one state a layer. Dropout acts between layers while
    /// training, and never along time, where it would wear the memory away step by step (Zaremba
    /// et al. 2014).
    ///
    /// # Panics
    /// When there is not one start state a layer.
    pub fn forward<'t>(
        &self,
        x: impl Into<Inputs<'t>>,
        steps: &Steps,
        start: Option<&[L::State<'t>]>,
    ) -> Vec<Var<'t>> {
        if let Some(start) = start {
            let layers = self.layers.len();
            assert!(start.len() == layers, "{} start states for {layers} layers", start.len());
        }
        // ANCHOR: between
        let mut input = x.into();
        let mut states = Vec::new();
        for (k, layer) in self.layers.iter().enumerate() {
            let h = layer.forward(input, steps, start.map(|start| start[k]));
            states.push(h);
            let is_last = k + 1 == self.layers.len();
            input = if is_last { h } else { h.dropout(self.dropout) }.into();
        }
        // ANCHOR_END: between
        states
    }
}

impl<L: Recurrent> Module for Stack<L> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("layers", &mut self.layers);
    }
}
