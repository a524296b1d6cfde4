//! The three cells as formulas: one step, written with tape operations.
//!
//! Each is the teacher, and the oracle, of its fused form in [`crate::layers`].

use crate::steps::Steps;
use shared::Var;

/// The weights of a layer on a tape, the gates of a cell below one another: `g` gates of `H` rows.
#[derive(Clone, Copy)]
pub struct Gates<'t> {
    /// `W` (gH, I): what each gate makes of the input.
    pub w: Var<'t>,
    /// `U` (gH, H): what each gate makes of the last state.
    pub u: Var<'t>,
    /// `b` (gH, 1), added to `W x`.
    pub b: Var<'t>,
    /// `c` (gH, 1), added to `U h`.
    pub c: Var<'t>,
}

impl<'t> Gates<'t> {
    /// `W`, `U`, `b` and `c`.
    pub fn parameters(&self) -> [Var<'t>; 4] {
        [self.w, self.u, self.b, self.c]
    }

    /// `H`.
    pub fn hidden(&self) -> usize {
        self.u.shape().1
    }

    /// `W x + b` (gH, n).
    pub fn project(&self, x: Var<'t>) -> Var<'t> {
        (self.w * x).add_column(self.b)
    }

    /// `U h + c` (gH, n).
    pub fn recur(&self, h: Var<'t>) -> Var<'t> {
        (self.u * h).add_column(self.c)
    }
}

/// Two states side by side: the output `h` of an LSTM and its memory cell `c`, both (H, n).
#[derive(Clone, Copy)]
pub struct State<'t> {
    /// The output, which other layers see.
    pub h: Var<'t>,
    /// The cell state, which no other layer sees.
    pub c: Var<'t>,
}

/// The plain recurrent network (Elman 1990): `h_t = tanh(W x_t + b + U h_{t−1} + c)`.
///
/// `projected` = `W x_t + b` (H, n) and `h` = `h_{t−1}` (H, n) → (H, n).
// ANCHOR: rnn
pub fn rnn<'t>(gates: Gates<'t>, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
    (projected + gates.recur(h)).tanh()
}
// ANCHOR_END: rnn

/// The gated recurrent unit (Cho et al. 2014, equations 5–8), in the variant of PyTorch and cuDNN:
///
/// ```text
/// r   = σ(W_r x_t + b_r + U_r h_{t−1} + c_r)           reset: what of the past may speak
/// z   = σ(W_z x_t + b_z + U_z h_{t−1} + c_z)           update: what of the past stays
/// n   = tanh(W_n x_t + b_n + r ⊙ (U_n h_{t−1} + c_n))  the candidate for a new state
/// h_t = (1 − z) ⊙ n + z ⊙ h_{t−1}
/// ```
///
/// The paper resets before the product, `U_n (r ⊙ h_{t−1})`. Then `U_n` has to wait for `r`. With
/// the reset after the product, all three gates are one product `U h_{t−1}` – one large product is
/// faster than a large and a small one that wait for each other – and weights can be exchanged with
/// the libraries that chose the same.
///
/// `projected` = `W x_t + b` (3H, n), rows of `r`, `z`, `n`, and `h` (H, n) → (H, n).
// ANCHOR: gru
pub fn gru<'t>(gates: Gates<'t>, projected: Var<'t>, h: Var<'t>) -> Var<'t> {
    let (p, q) = (projected, gates.recur(h)); // (3H, n)
    let gate = |x: Var<'t>, k: usize| x.rows(k * gates.hidden(), gates.hidden());
    let r = (gate(p, 0) + gate(q, 0)).sigmoid(); // (H, n)
    let z = (gate(p, 1) + gate(q, 1)).sigmoid();
    let n = (gate(p, 2) + r.component_mul(gate(q, 2))).tanh();
    n + z.component_mul(h - n) // (1 − z) ⊙ n + z ⊙ h
}
// ANCHOR_END: gru

/// Long short-term memory (Hochreiter & Schmidhuber 1997) with the forget gate of Gers,
/// Schmidhuber & Cummins (2000):
///
/// ```text
/// i = σ(W_i x_t + b_i + U_i h_{t−1} + c_i)       input: what of the candidate is written
/// f = σ(W_f x_t + b_f + U_f h_{t−1} + c_f)       forget: what of the memory stays
/// g = tanh(W_g x_t + b_g + U_g h_{t−1} + c_g)    the candidate
/// o = σ(W_o x_t + b_o + U_o h_{t−1} + c_o)       output: what of the memory is shown
/// cell_t = f ⊙ cell_{t−1} + i ⊙ g
/// h_t = o ⊙ tanh(cell_t)
/// ```
///
/// `projected` = `W x_t + b` (4H, n), rows of `i`, `f`, `g`, `o`.
// ANCHOR: lstm
pub fn lstm<'t>(gates: Gates<'t>, projected: Var<'t>, state: State<'t>) -> State<'t> {
    let a = projected + gates.recur(state.h); // (4H, n)
    let gate = |k: usize| a.rows(k * gates.hidden(), gates.hidden());
    let [i, f, g, o] = [gate(0).sigmoid(), gate(1).sigmoid(), gate(2).tanh(), gate(3).sigmoid()];
    let c = f.component_mul(state.c) + i.component_mul(g); // (H, n)
    State { h: o.component_mul(c.tanh()), c }
}
// ANCHOR_END: lstm

/// What [`unroll`] needs to know of a state: how to drop the sequences that have ended.
pub trait Truncate: Copy {
    /// The first `n` columns.
    fn first(self, n: usize) -> Self;
}

impl Truncate for Var<'_> {
    fn first(self, n: usize) -> Self {
        if self.shape().1 == n { self } else { self.columns(0, n) }
    }
}

impl Truncate for State<'_> {
    fn first(self, n: usize) -> Self {
        State { h: self.h.first(n), c: self.c.first(n) }
    }
}

/// A cell applied along a packed batch, step by step, from `start` (one column a sequence): the
/// states after each step.
///
/// `cell` receives `W x_t + b` and the last states of the sequences that go on.
pub fn unroll<'t, S: Truncate>(
    gates: Gates<'t>,
    x: Var<'t>,
    steps: &Steps,
    start: S,
    cell: impl Fn(Gates<'t>, Var<'t>, S) -> S,
) -> Vec<S> {
    let mut states: Vec<S> = Vec::new();
    for t in 0..steps.len() {
        let x_t = x.columns(steps.columns(t).start, steps.size(t)); // (I, B_t)
        let last = states.last().copied().unwrap_or(start).first(steps.size(t)); // (H, B_t)
        states.push(cell(gates, gates.project(x_t), last));
    }
    states
}
