//! How a gradient becomes a step.
//!
//! An optimiser is given one parameter at a time, by name, so a rule may treat biases otherwise than
//! weights; and what it remembers of a parameter has names too, so a checkpoint can keep it without
//! knowing which optimiser it was. A chapter may define its own in the same way.

use crate::module::{Module, Param, ParamId};
use crate::param_gradients::ParamGradients;
use products::{Float, Matrix};

/// Changes parameters along their gradients.
pub trait Optimizer: Send {
    /// Moves one parameter along `factor·d`, `d` being the gradient of the loss: the division by the
    /// number of tokens and the clipping cost no pass over the gradients of their own.
    fn update(&mut self, name: &str, param: &mut Param, d: &Matrix, factor: Float);

    /// Sets η for the steps to come.
    fn set_learning_rate(&mut self, rate: Float);

    /// Its name and its numbers, which a run that goes on must have too.
    fn settings(&self) -> Vec<(&'static str, String)>;

    /// Its memory of a parameter that it has moved.
    fn memory(&self, _id: ParamId) -> Option<Memory<'_>> {
        None
    }

    /// The names of the matrices of a [`Memory`].
    fn state_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Makes it remember what it did in an earlier process: how often it moved a parameter, and the
    /// matrices in the order of their names.
    fn load_state(&mut self, _id: ParamId, _steps: i32, _matrices: Vec<Matrix>) {}

    /// One step of a whole model. Parameters without a gradient stay as they are.
    fn step(&mut self, model: &mut dyn Module, gradients: &ParamGradients) {
        self.scaled_step(model, gradients, 1.0);
    }

    /// One step along `factor·gradients`. Copies that products keep of a weight are made again right behind its
    /// step, while caches may hold it ([`prepack`](products::prepack())).
    fn scaled_step(&mut self, model: &mut dyn Module, gradients: &ParamGradients, factor: Float) {
        model.visit_all(&mut |name, param| {
            if let Some(d) = gradients.get(param.id()) {
                self.update(name, param, d, factor);
                param.prepack();
            }
        });
    }
}

/// The state that an optimiser keeps of a parameter.
pub struct Memory<'a> {
    /// How often the parameter was moved.
    pub steps: i32,
    /// Matrices of the parameter's shape, in the order of [`Optimizer::state_names`].
    pub matrices: Vec<&'a Matrix>,
}

/// Gradient descent: `θ ← θ − η·dθ`.
///
/// ```
/// use shared::{Matrix, Optimizer, Param, Sgd, Tape};
/// let mut x = Param::new(Matrix::from_element(1, 1, 3.0));
/// let gradients = Tape::new().param(&x).square().backward(); // 2x = 6
/// Sgd { learning_rate: 0.5 }.step(&mut x, &gradients.into());
/// assert_eq!(x.value()[0], 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sgd {
    /// η
    pub learning_rate: Float,
}

impl Optimizer for Sgd {
    fn update(&mut self, _name: &str, param: &mut Param, d: &Matrix, factor: Float) {
        *param.value_mut() -= d * (factor * self.learning_rate);
    }

    fn set_learning_rate(&mut self, rate: Float) {
        self.learning_rate = rate;
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![("name", "sgd".to_owned())]
    }
}
