//! Low-rank adaptation: what a task adds to a matrix is the product of two thin ones.

use rand_distr::{Distribution, Normal};
use shared::{Float, Matrix, Module, Param, ParamId, Rng, Tape, Visitor};

/// LoRA (Hu et al. 2022, equation 3): a frozen matrix `W` (m, n) is read as `W + B A`, where `B` (m, r) and
/// `A` (r, n) learn. `A` is drawn from N(0, 1/n) and `B` is zero, so that training begins where the model stood.
#[derive(Debug)]
pub struct Lora {
    adapters: Vec<Adapter>,
}

#[derive(Debug)]
struct Adapter {
    of: ParamId, // W
    b: Param,
    a: Param,
}

impl Lora {
    /// Freezes the model, and gives every matrix whose name `which` picks a sum of this rank.
    ///
    /// # Panics
    /// When none is picked.
    pub fn new(
        model: &mut impl Module,
        which: impl Fn(&str) -> bool,
        rank: usize,
        rng: &mut Rng,
    ) -> Lora {
        let mut adapters = Vec::new();
        model.freeze(|_| true);
        model.for_each_parameter(|name, param| {
            if which(name) {
                let (m, n) = param.value().shape();
                let normal = Normal::new(0.0, (n as Float).sqrt().recip()).expect("finite");
                let a = Param::new(Matrix::from_fn(rank, n, |_, _| normal.sample(rng)));
                let b = Param::new(Matrix::zeros(m, rank));
                adapters.push(Adapter { of: param.id(), b, a });
            }
        });
        assert!(!adapters.is_empty(), "no parameter to adapt");
        Lora { adapters }
    }

    // ANCHOR: lora
    /// On this tape the model's matrices are `W + B A`.
    pub fn apply(&self, tape: &Tape) {
        for Adapter { of, b, a } in &self.adapters {
            tape.add_to(*of, tape.param(b) * tape.param(a));
        }
    }

    /// Writes the sums into the model: it needs no adapters any more, and costs what it did before.
    pub fn merge(self, model: &mut impl Module) {
        model.for_each_parameter(|_, param| {
            if let Some(found) = self.adapters.iter().find(|adapter| adapter.of == param.id()) {
                *param.value_mut() += found.b.value() * found.a.value();
            }
        });
    }
    // ANCHOR_END: lora
}

impl Module for Lora {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("adapters", &mut self.adapters);
    }
}

impl Module for Adapter {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("b", &mut self.b);
        visitor.param("a", &mut self.a);
    }
}
