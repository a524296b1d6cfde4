//! Adam, without and with weight decay.

use crate::module::{Param, ParamId};
use crate::optimizers::{Memory, Optimizer};
use crate::param_gradients::CHUNK;
use multiversion::multiversion;
use products::{Float, Matrix};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Adam (Kingma & Ba 2015, algorithm 1): each entry's step is scaled by running estimates of its
/// gradient's mean `m` and square `v`.
///
/// ```
/// use shared::{Adam, Matrix, Optimizer, Param, Tape};
/// let mut x = Param::new(Matrix::from_element(1, 1, 3.0));
/// let mut adam = Adam::new(0.1);
/// for _ in 0..200 {
///     let gradients = Tape::new().param(&x).square().backward();
///     adam.step(&mut x, &gradients.into());
/// }
/// assert!(x.value()[0].abs() < 0.1);
/// ```
#[derive(Clone, Debug)]
pub struct Adam {
    /// η; its effect on each entry's step is roughly ±η.
    pub learning_rate: Float,
    /// Decay of the mean, 0.9.
    pub beta_1: Float,
    /// Decay of the square, 0.999.
    pub beta_2: Float,
    /// Keeps the quotient finite, 1e-8.
    pub epsilon: Float,
    moments: HashMap<ParamId, Moments>,
}

/// The state that Adam keeps of one parameter.
#[derive(Clone, Debug)]
struct Moments {
    m: Matrix,
    v: Matrix,
    steps: i32,
}

impl Adam {
    /// The paper's settings with the given learning rate.
    pub fn new(learning_rate: Float) -> Adam {
        Adam { learning_rate, beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8, moments: HashMap::new() }
    }

    fn settings_named(&self, name: &str) -> Vec<(&'static str, String)> {
        vec![
            ("name", name.to_owned()),
            ("beta_1", self.beta_1.to_string()),
            ("beta_2", self.beta_2.to_string()),
            ("epsilon", self.epsilon.to_string()),
        ]
    }

    /// One parameter's step, after its entries were multiplied by `keep`.
    fn update_kept(&mut self, param: &mut Param, d: &Matrix, factor: Float, keep: Float) {
        let Moments { m, v, steps } = self.moments.entry(param.id()).or_insert_with(|| {
            let zeros = Matrix::zeros(d.nrows(), d.ncols());
            Moments { m: zeros.clone(), v: zeros, steps: 0 }
        });
        *steps += 1;
        let step = AdamStep {
            beta_1: self.beta_1,
            beta_2: self.beta_2,
            epsilon: self.epsilon,
            // m and v start at zero and are too small at first: m̂ = m/(1 − β₁ᵗ) and v̂ = v/(1 − β₂ᵗ).
            m_scale: self.learning_rate / (1.0 - self.beta_1.powi(*steps)),
            v_scale: 1.0 / (1.0 - self.beta_2.powi(*steps)).sqrt(),
            factor,
            keep,
        };
        step.apply(param.value_mut(), m, v, d);
    }
}

impl Optimizer for Adam {
    fn update(&mut self, _name: &str, param: &mut Param, d: &Matrix, factor: Float) {
        self.update_kept(param, d, factor, 1.0);
    }

    fn set_learning_rate(&mut self, rate: Float) {
        self.learning_rate = rate;
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.settings_named("adam")
    }

    fn memory(&self, id: ParamId) -> Option<Memory<'_>> {
        let Moments { m, v, steps } = self.moments.get(&id)?;
        Some(Memory { steps: *steps, matrices: vec![m, v] })
    }

    fn state_names(&self) -> &'static [&'static str] {
        &["m", "v"]
    }

    fn load_state(&mut self, id: ParamId, steps: i32, matrices: Vec<Matrix>) {
        let [m, v] = matrices.try_into().expect("a mean and a square");
        self.moments.insert(id, Moments { m, v, steps });
    }
}

/// λ of a parameter, by its name.
pub type Decay = Arc<dyn Fn(&str) -> Float + Send + Sync>;

/// Adam with weight decay beside the gradient, not inside of it: `θ ← θ − η·(m̂/(√v̂ + ε) + λθ)`. Inside,
/// λθ would be divided by √v̂ as well, and parameters with large gradients would hardly decay.
///
/// Loshchilov & Hutter (2019, algorithm 2) named it. There λ is multiplied by the schedule's factor
/// alone; here, as in common libraries, by the rate η, in which that factor is contained.
///
/// λ is a rule by name: usually weights decay, biases and what normalises does not.
///
/// ```
/// use shared::{AdamW, Linear, Matrix, Module, Optimizer, ParamGradients};
/// let decays = |name: &str| if name.ends_with("bias") { 0.0 } else { 0.1 };
/// let mut adam = AdamW::new(0.5, decays);
/// let mut layer = Linear::new(1, 1, &mut shared::rng(0));
/// layer.for_each_parameter(|_, param| param.value_mut().fill(1.0));
/// let mut nothing = Vec::new();
/// layer.for_each_parameter(|_, param| nothing.push((param.id(), Matrix::zeros(1, 1))));
/// let nothing = ParamGradients::from_iter(nothing);
/// adam.step(&mut layer, &nothing); // a gradient of zero: what is left is the decay
/// assert_eq!(layer.weight.value()[0], 0.95); // 1 − 0.5·0.1
/// assert_eq!(layer.bias.unwrap().value()[0], 1.0);
/// ```
#[derive(Clone)]
pub struct AdamW {
    /// Its steps, and its settings.
    pub adam: Adam,
    /// λ of each parameter.
    pub decay: Decay,
}

impl AdamW {
    /// The settings of Adam's paper with the given learning rate, and λ by name.
    pub fn new(
        learning_rate: Float,
        decay: impl Fn(&str) -> Float + Send + Sync + 'static,
    ) -> AdamW {
        AdamW { adam: Adam::new(learning_rate), decay: Arc::new(decay) }
    }
}

impl Optimizer for AdamW {
    fn update(&mut self, name: &str, param: &mut Param, d: &Matrix, factor: Float) {
        let keep = 1.0 - self.adam.learning_rate * (self.decay)(name);
        self.adam.update_kept(param, d, factor, keep);
    }

    fn set_learning_rate(&mut self, rate: Float) {
        self.adam.learning_rate = rate;
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.adam.settings_named("adamw") // λ is a function: a run may go on with another
    }

    fn memory(&self, id: ParamId) -> Option<Memory<'_>> {
        self.adam.memory(id)
    }

    fn state_names(&self) -> &'static [&'static str] {
        self.adam.state_names()
    }

    fn load_state(&mut self, id: ParamId, steps: i32, matrices: Vec<Matrix>) {
        self.adam.load_state(id, steps, matrices);
    }
}

/// The numbers that are the same for every entry of a parameter.
#[derive(Clone, Copy)]
struct AdamStep {
    beta_1: Float,
    beta_2: Float,
    epsilon: Float,
    m_scale: Float, // η·m̂/m
    v_scale: Float, // √(v̂/v)
    factor: Float,  // g is this times the gradient that arrives
    keep: Float,    // 1 − ηλ, the share of a parameter that decay leaves
}

impl AdamStep {
    fn apply(self, theta: &mut Matrix, m: &mut Matrix, v: &mut Matrix, d: &Matrix) {
        assert!(theta.shape() == d.shape(), "gradient {:?} for {:?}", d.shape(), theta.shape());
        let (theta, m, v) = (theta.as_mut_slice(), m.as_mut_slice(), v.as_mut_slice());
        if theta.len() <= CHUNK {
            return adam_slices(theta, m, v, d.as_slice(), self);
        }
        let moments = m.par_chunks_mut(CHUNK).zip(v.par_chunks_mut(CHUNK));
        let chunks = theta.par_chunks_mut(CHUNK).zip(moments).zip(d.as_slice().par_chunks(CHUNK));
        chunks.for_each(|((theta, (m, v)), d)| adam_slices(theta, m, v, d, self));
    }
}

// ANCHOR: adam
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn adam_slices(
    theta: &mut [Float],
    m: &mut [Float],
    v: &mut [Float],
    g: &[Float],
    AdamStep { beta_1, beta_2, epsilon, m_scale, v_scale, factor, keep }: AdamStep,
) {
    for (((theta, m), v), g) in theta.iter_mut().zip(m).zip(v).zip(g) {
        let g = factor * g;
        *m = beta_1 * *m + (1.0 - beta_1) * g; //     m ← β₁m + (1 − β₁)g
        *v = beta_2 * *v + (1.0 - beta_2) * g * g; // v ← β₂v + (1 − β₂)g²
        *theta = keep * *theta - m_scale * *m / (v_scale * v.sqrt() + epsilon); // θ ← θ − η·m̂/(√v̂ + ε)
    }
}
// ANCHOR_END: adam
