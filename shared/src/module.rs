//! Parameters, and modules that hold them.

use products::{Float, Matrix, prepack};
use rand::Rng;
use rand_distr::{Distribution, Uniform};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes one parameter from another, whatever its name: the key of gradients and optimiser states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParamId(u64);

/// A trainable matrix. Tapes share its value; an optimiser changes it in place once they are gone.
#[doc(alias = "Parameter")]
#[derive(Debug)]
pub struct Param {
    id: ParamId,
    value: Arc<Matrix>,
    frozen: bool,
}

impl Param {
    /// A parameter with the given start value.
    pub fn new(value: Matrix) -> Param {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Param {
            id: ParamId(NEXT.fetch_add(1, Ordering::Relaxed)),
            value: Arc::new(value),
            frozen: false,
        }
    }

    /// A parameter drawn from `U(−a, a)` with `a = √(6/(rows + columns))`, which keeps the variance
    /// of values and gradients alike from layer to layer (Glorot & Bengio 2010, equation 16).
    pub fn glorot(rows: usize, columns: usize, rng: &mut impl Rng) -> Param {
        let bound = (6.0 / (rows + columns) as Float).sqrt();
        let uniform = Uniform::new(-bound, bound).expect("a finite bound");
        Param::new(Matrix::from_fn(rows, columns, |_, _| uniform.sample(rng)))
    }

    /// The current value.
    pub fn value(&self) -> &Matrix {
        &self.value
    }

    /// The current value, for changes in place. Copies it first if a tape still holds it.
    pub fn value_mut(&mut self) -> &mut Matrix {
        Arc::make_mut(&mut self.value)
    }

    /// The current value, shared: no copy. Products learn that it is a weight ([`prepack()`]).
    pub fn shared_value(&self) -> Arc<Matrix> {
        self.prepack();
        self.value.clone()
    }

    pub(crate) fn prepack(&self) {
        prepack(&self.value);
    }

    /// Whether it is to stay as it is; see [`Module::freeze`].
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// The parameter's identity.
    pub fn id(&self) -> ParamId {
        self.id
    }
}

/// A clone is a parameter of its own: it has another identity.
impl Clone for Param {
    fn clone(&self) -> Param {
        Param { frozen: self.frozen, ..Param::new(Matrix::clone(&self.value)) }
    }
}

/// Anything with parameters: a layer, or a model made of layers.
///
/// ```
/// use shared::{Linear, Module, Visitor};
/// struct Mlp { hidden: Linear, output: Linear }
/// impl Module for Mlp {
///     fn visit(&mut self, visitor: &mut Visitor) {
///         visitor.module("hidden", &mut self.hidden);
///         visitor.module("output", &mut self.output);
///     }
/// }
/// let rng = &mut shared::rng(0);
/// let mut mlp = Mlp { hidden: Linear::new(2, 8, rng), output: Linear::new(8, 1, rng) };
/// assert_eq!(mlp.parameter_count(), 2 * 8 + 8 + 8 + 1);
/// assert_eq!(mlp.parameter_names()[0], "hidden.weight");
/// ```
pub trait Module {
    /// Shows every parameter to the visitor, always in the same order.
    fn visit(&mut self, visitor: &mut Visitor);

    /// [`Module::for_each_parameter`] of a module whose type is not known.
    fn visit_all(&mut self, f: &mut dyn FnMut(&str, &mut Param)) {
        self.visit(&mut Visitor { prefix: String::new(), f });
    }

    /// Calls `f` with the dotted name and the parameter, for each.
    fn for_each_parameter(&mut self, mut f: impl FnMut(&str, &mut Param))
    where
        Self: Sized,
    {
        self.visit_all(&mut f);
    }

    /// Freezes the parameters for whose name `which` answers true, and thaws the others: a frozen
    /// one is a constant to every tape that it is entered on, so it has no gradient and no optimiser
    /// moves it.
    ///
    /// ```
    /// use shared::{Linear, Module, Tape, squared_error, Matrix};
    /// let mut layer = Linear::new(2, 1, &mut shared::rng(0));
    /// layer.freeze(|name| name == "weight");
    /// let tape = Tape::new();
    /// let y = layer.forward(tape.constant(Matrix::identity(2, 2)));
    /// let gradients = squared_error(y, &Matrix::zeros(1, 2)).backward();
    /// assert!(gradients.of(&layer.weight).is_none() && gradients.of(&layer.bias.unwrap()).is_some());
    /// ```
    #[doc(alias = "requires_grad_")]
    fn freeze(&mut self, which: impl Fn(&str) -> bool)
    where
        Self: Sized,
    {
        self.for_each_parameter(|name, param| param.frozen = which(name));
    }

    /// The dotted names of all parameters, as checkpoints use them.
    fn parameter_names(&mut self) -> Vec<String>
    where
        Self: Sized,
    {
        let mut names = Vec::new();
        self.for_each_parameter(|name, _| names.push(name.to_owned()));
        names
    }

    /// The number of scalars in all parameters, frozen ones included.
    fn parameter_count(&mut self) -> usize
    where
        Self: Sized,
    {
        let mut count = 0;
        self.for_each_parameter(|_, param| count += param.value().len());
        count
    }
}

/// Walks through a module's parameters and keeps track of their dotted names.
pub struct Visitor<'a> {
    prefix: String,
    f: &'a mut dyn FnMut(&str, &mut Param),
}

impl Visitor<'_> {
    /// Shows one parameter.
    pub fn param(&mut self, name: &str, param: &mut Param) {
        (self.f)(&format!("{}{name}", self.prefix), param);
    }

    /// Shows all parameters of a part, named `name.…`.
    pub fn module(&mut self, name: &str, module: &mut impl Module) {
        let prefix = format!("{}{name}.", self.prefix);
        module.visit(&mut Visitor { prefix, f: self.f });
    }
}

/// A parameter alone is the smallest module.
impl Module for Param {
    fn visit(&mut self, visitor: &mut Visitor) {
        (visitor.f)(visitor.prefix.trim_end_matches('.'), self);
    }
}

/// Numbered parts: `blocks.0.…`, `blocks.1.…`.
impl<M: Module> Module for Vec<M> {
    fn visit(&mut self, visitor: &mut Visitor) {
        for (i, module) in self.iter_mut().enumerate() {
            visitor.module(&i.to_string(), module);
        }
    }
}

/// A part that may be absent.
impl<M: Module> Module for Option<M> {
    fn visit(&mut self, visitor: &mut Visitor) {
        if let Some(module) = self {
            module.visit(visitor);
        }
    }
}
