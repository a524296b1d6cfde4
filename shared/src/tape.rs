//! Reverse-mode differentiation: a tape that remembers how each value was made.
//!
//! An operation is one function, whose forward body ends by pushing its backward: a chapter defines its own in this way.

mod added;
use crate::module::{Param, ParamId};
use crate::operands::{NodeId, Operands};
use crate::random::Rng;
use products::{Float, Matrix, Operand, gemm, product};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

// ANCHOR: tape
/// A record of computed values and of how a gradient passes through each.
///
/// ```
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let w = tape.leaf(Matrix::from_row_slice(1, 2, &[1.0, 2.0]));
/// let x = tape.constant(Matrix::from_column_slice(2, 1, &[3.0, 4.0]));
/// let gradients = (w * x).square().backward(); // 2·(wx)·xᵀ
/// assert_eq!(gradients.wrt(w), Matrix::from_row_slice(1, 2, &[66.0, 88.0]));
/// ```
#[derive(Default)]
pub struct Tape {
    nodes: RefCell<Vec<Node>>,
    params: RefCell<HashMap<ParamId, NodeId>>,
    added: RefCell<HashMap<ParamId, NodeId>>,
    no_grad: Cell<bool>,
    freed: Cell<bool>,
    rng: RefCell<Option<Rng>>,
}

struct Node {
    value: Arc<Matrix>,
    kind: Kind,
}

/// What backward does when it arrives at a node whose gradient is complete.
enum Kind {
    /// Data: nobody asks for its gradient, so none is computed.
    Constant,
    /// An input whose gradient is kept: backward ends here.
    Leaf,
    /// Passes the gradient `dy` of the value on to the values it was made from.
    Operation(Backward),
}

type Backward = Box<dyn FnOnce(Matrix, &mut Gradients)>;

/// A value on a tape. `Copy`, so formulas read as on paper: `w * x + b`.
#[doc(alias = "Tensor")]
#[derive(Clone, Copy)]
pub struct Var<'t> {
    tape: &'t Tape,
    id: NodeId,
}
// ANCHOR_END: tape

impl<'t> Operands<Var<'t>> for Var<'t> {
    type Ids = NodeId;
    fn ids(self, enter: &mut impl FnMut(Var<'t>) -> NodeId) -> NodeId {
        enter(self)
    }
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Tape {
        Tape::default()
    }

    /// A tape for evaluation: values are computed, backward functions are dropped at once.
    ///
    /// # Panics
    /// [`Var::backward`] panics on such a tape.
    pub fn no_grad() -> Tape {
        Tape { no_grad: Cell::new(true), ..Tape::default() }
    }

    /// A tape for training: it carries the generator of its pass, from which [`Var::dropout`] draws. On
    /// any other tape dropout does nothing.
    pub fn training(rng: Rng) -> Tape {
        let tape = Tape::new();
        tape.begin_training(rng);
        tape
    }

    /// Makes this tape one for [`training`](Tape::training).
    pub fn begin_training(&self, rng: Rng) {
        self.rng.replace(Some(rng));
    }

    /// Draws from the generator of a tape for training; `None` on any other.
    pub fn draw<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> Option<T> {
        self.rng.borrow_mut().as_mut().map(draw)
    }

    /// A tape that is never freed, whose variables outlive a notebook's cell.
    pub fn leaked() -> &'static Tape {
        Box::leak(Box::default())
    }

    // ANCHOR: push
    /// Records a value with its operands and its backward: given `dy`, the gradient of the loss with
    /// respect to the value, it adds each operand's share to [`Gradients`]. What is made of constants
    /// alone is a constant, and its backward is dropped.
    ///
    /// ```
    /// use shared::{Matrix, Tape, Var};
    /// /// y = x³, dx = 3x²·dy
    /// fn cube<'t>(x: Var<'t>) -> Var<'t> {
    ///     let value = x.value();
    ///     let y = value.map(|x| x * x * x);
    ///     x.tape().push([x], y, move |dy, [x_id], gradients| {
    ///         gradients.add(x_id, dy.zip_map(&value, |dy, x| dy * 3.0 * x * x));
    ///     })
    /// }
    /// let tape = Tape::new();
    /// let x = tape.leaf(Matrix::from_element(1, 1, 2.0));
    /// assert_eq!(cube(x).backward().wrt(x)[0], 12.0);
    /// ```
    ///
    /// # Panics
    /// When an operand stands on another tape: its place would mean another value.
    // ANCHOR: push_one
    pub fn push<'t, O: Operands<Var<'t>>>(
        &self,
        operands: O,
        value: impl Into<Arc<Matrix>>,
        backward: impl FnOnce(Matrix, O::Ids, &mut Gradients) + 'static,
    ) -> Var<'_> {
        let mut needed = false;
        let ids = operands.ids(&mut |x| {
            assert!(std::ptr::eq(self, x.tape), "the operands stand on different tapes");
            needed |= x.needs_gradient();
            x.id
        });
        let backward = move |dy: Matrix, gradients: &mut Gradients| backward(dy, ids, gradients);
        let kind = if needed { Kind::Operation(Box::new(backward)) } else { Kind::Constant };
        self.record(value.into(), kind)
    }
    // ANCHOR_END: push_one

    /// Data: no gradient is computed for it.
    pub fn constant(&self, value: impl Into<Arc<Matrix>>) -> Var<'_> {
        self.record(value.into(), Kind::Constant)
    }

    /// An input whose gradient [`Gradients::wrt`] returns.
    pub fn leaf(&self, value: impl Into<Arc<Matrix>>) -> Var<'_> {
        self.record(value.into(), Kind::Leaf)
    }

    /// A parameter: a leaf that is entered once, however often it is used, so that the gradients of
    /// all its uses (tied weights, steps of a recurrence) add up. A frozen parameter is a constant.
    pub fn param(&self, param: &Param) -> Var<'_> {
        let value = if param.is_frozen() || self.no_grad.get() {
            self.constant(param.shared_value())
        } else {
            let mut params = self.params.borrow_mut();
            let id = params.entry(param.id()).or_insert_with(|| self.leaf(param.shared_value()).id);
            Var { tape: self, id: *id }
        };
        self.with_added(param.id(), value)
    }

    /// The value that `make` records, as a constant: nothing inside is remembered for backward, so a
    /// part that is not trained costs its values and no more; nor is anything left out at random.
    ///
    /// ```
    /// use shared::{Linear, Matrix, Tape};
    /// let rng = &mut shared::rng(0);
    /// let (encoder, head) = (Linear::new(3, 3, rng), Linear::new(3, 1, rng));
    /// let tape = Tape::new();
    /// let h = tape.detach(|| encoder.forward(tape.constant(Matrix::identity(3, 3))).tanh());
    /// let gradients = head.forward(h).sum().backward();
    /// assert!(gradients.of(&encoder.weight).is_none() && gradients.of(&head.weight).is_some());
    /// ```
    pub fn detach<'t>(&'t self, make: impl FnOnce() -> Var<'t>) -> Var<'t> {
        let (before, rng) = (self.no_grad.replace(true), self.rng.take());
        let value = make();
        self.no_grad.set(before);
        self.rng.replace(rng);
        value
    }

    fn record(&self, value: Arc<Matrix>, kind: Kind) -> Var<'_> {
        assert!(!self.freed.get(), "{FREED}");
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { value, kind });
        Var { tape: self, id: nodes.len() - 1 }
    }
    // ANCHOR_END: push

    /// How many values the tape holds.
    pub fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// Whether nothing was recorded yet, or backward has passed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'t> Var<'t> {
    /// The value, shared with the tape: no copy.
    ///
    /// # Panics
    /// After [`Var::backward`], which frees the values of its tape as it passes.
    pub fn value(self) -> Arc<Matrix> {
        self.tape.nodes.borrow().get(self.id).expect(FREED).value.clone()
    }

    /// (rows, columns)
    pub fn shape(self) -> (usize, usize) {
        self.tape.nodes.borrow().get(self.id).expect(FREED).value.shape()
    }

    /// The only entry of a 1 × 1 value, such as a loss.
    ///
    /// # Panics
    /// When the value is not 1 × 1.
    pub fn scalar(self) -> Float {
        let value = self.value();
        assert!(value.shape() == (1, 1), "a scalar is 1 × 1, this value is {:?}", value.shape());
        value[(0, 0)]
    }

    /// The tape this value was recorded on.
    pub fn tape(self) -> &'t Tape {
        self.tape
    }

    /// Whether backward will ask for its gradient: an operation that computes it ahead asks first.
    pub fn needs_gradient(self) -> bool {
        !self.tape.no_grad.get()
            && !matches!(self.tape.nodes.borrow()[self.id].kind, Kind::Constant)
    }

    /// The value's place on its tape.
    pub fn id(self) -> NodeId {
        self.id
    }

    // ANCHOR: backward
    /// The gradients of this 1 × 1 value with respect to every leaf and parameter. Frees the tape's
    /// values on the way, newest first.
    ///
    /// # Panics
    /// When the value is not 1 × 1, or the tape was made without gradients.
    pub fn backward(self) -> Gradients {
        self.pass(|_, _| {})
    }

    /// The loop: `at_leaf` is called where it passes an input, whose gradient is complete then.
    fn pass(self, mut at_leaf: impl FnMut(NodeId, &mut Gradients)) -> Gradients {
        assert!(!self.tape.no_grad.get(), "this tape was made without gradients");
        assert!(
            self.shape() == (1, 1),
            "backward starts from a 1 × 1 loss, not {:?}",
            self.shape()
        );
        self.tape.freed.set(true);
        let mut nodes = self.tape.nodes.take();
        let mut gradients = Gradients::new(&nodes, self.tape.params.take());
        gradients.add(self.id, Matrix::from_element(1, 1, 1.0));
        // ANCHOR: way_back
        while let Some(node) = nodes.pop() {
            let id = nodes.len();
            match node.kind {
                Kind::Constant => {}
                Kind::Leaf => at_leaf(id, &mut gradients),
                Kind::Operation(backward) => {
                    drop(node.value); // memory is freed as early as can be
                    if let Some(dy) = gradients.nodes[id].take() {
                        backward(dy, &mut gradients);
                    }
                }
            }
        }
        // ANCHOR_END: way_back
        gradients
    }
    // ANCHOR_END: backward

    /// Backward that hands out each parameter's gradient as soon as it is complete, while the rest
    /// is still to come: when it passes the place where the tape first met the parameter, no use of
    /// it is left. The last layers' come first.
    ///
    /// ```
    /// use shared::{Matrix, Param, Tape};
    /// let [first, last] = [2.0, 3.0].map(|x| Param::new(Matrix::from_element(1, 1, x)));
    /// let tape = Tape::new();
    /// let loss = tape.param(&first) * tape.param(&last);
    /// let mut complete = Vec::new();
    /// loss.backward_into(|id, d| complete.push((id, d[0])));
    /// assert_eq!(complete, [(last.id(), 2.0), (first.id(), 3.0)]);
    /// ```
    ///
    /// # Panics
    /// As [`Var::backward`].
    pub fn backward_into(self, mut complete: impl FnMut(ParamId, Matrix)) {
        let params: HashMap<_, _> =
            self.tape.params.borrow().iter().map(|(id, node)| (*node, *id)).collect();
        self.pass(|leaf, gradients| {
            if let Some(id) = params.get(&leaf)
                && let Some(d) = gradients.nodes[leaf].take()
            {
                complete(*id, d);
            }
        });
    }
}

const FREED: &str = "this tape is freed: backward() has passed over it and freed its values";

// ANCHOR: gradients
/// The gradient of the loss with respect to each value, summed up while backward passes.
pub struct Gradients {
    nodes: Vec<Option<Matrix>>,
    shapes: Vec<Option<(usize, usize)>>, // None: a constant, whose gradient nobody needs
    leaves: Vec<bool>,
    params: HashMap<ParamId, NodeId>,
}

impl Gradients {
    fn new(nodes: &[Node], params: HashMap<ParamId, NodeId>) -> Gradients {
        let shapes = nodes
            .iter()
            .map(|node| (!matches!(node.kind, Kind::Constant)).then(|| node.value.shape()));
        Gradients {
            nodes: nodes.iter().map(|_| None).collect(),
            shapes: shapes.collect(),
            leaves: nodes.iter().map(|node| matches!(node.kind, Kind::Leaf)).collect(),
            params,
        }
    }

    /// Adds `d` to the gradient of a value. A value used twice receives two shares: the sum is the
    /// chain rule.
    // ANCHOR: add
    pub fn add(&mut self, id: NodeId, d: Matrix) {
        let Some(shape) = self.shapes[id] else { return };
        assert!(d.shape() == shape, "gradient {:?} for a value of shape {shape:?}", d.shape());
        match &mut self.nodes[id] {
            Some(sum) => *sum += d,
            empty => *empty = Some(d),
        }
    }
    // ANCHOR_END: add

    /// Adds the product `a·b` to the gradient of a value, without a matrix in between.
    pub fn gemm(&mut self, id: NodeId, a: &impl Operand, b: &impl Operand) {
        if self.shapes[id].is_none() {
            return;
        }
        match &mut self.nodes[id] {
            Some(sum) => gemm(1.0, sum, 1.0, a, b),
            None => self.add(id, product(a, b)),
        }
    }
    // ANCHOR_END: gradients

    /// Hands the gradient of a value to `change`, as zeros if nothing was added yet: for operations
    /// that touch only a part of it. Does nothing for a constant.
    pub fn update(&mut self, id: NodeId, change: impl FnOnce(&mut Matrix)) {
        let Some((rows, columns)) = self.shapes[id] else { return };
        change(self.nodes[id].get_or_insert_with(|| Matrix::zeros(rows, columns)));
    }

    /// Whether anybody needs the gradient of this value: false for constants.
    pub fn needs(&self, id: NodeId) -> bool {
        self.shapes[id].is_some()
    }

    /// The gradient with respect to a leaf: zeros when the loss does not depend on it.
    ///
    /// # Panics
    /// When the variable is no leaf: constants have no gradient, those of values in between are used up.
    pub fn wrt(&self, leaf: Var) -> Matrix {
        assert!(self.leaves[leaf.id], "only leaves keep their gradient: enter it with Tape::leaf");
        let (rows, columns) = self.shapes[leaf.id].expect("a leaf has a shape");
        self.nodes[leaf.id].clone().unwrap_or_else(|| Matrix::zeros(rows, columns))
    }

    /// The gradient with respect to a parameter; `None` when the loss does not depend on it.
    pub fn of(&self, param: &Param) -> Option<&Matrix> {
        self.nodes[*self.params.get(&param.id())?].as_ref()
    }

    /// What an optimiser needs: the gradients of the parameters, in the order the tape met them.
    pub fn into_params(mut self) -> Vec<(ParamId, Matrix)> {
        let mut params: Vec<_> = std::mem::take(&mut self.params).into_iter().collect();
        params.sort_unstable_by_key(|(_, node)| *node);
        params.into_iter().filter_map(|(id, node)| Some((id, self.nodes[node].take()?))).collect()
    }
}
