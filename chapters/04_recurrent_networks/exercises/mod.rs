//! The exercises of chapter 4. Replace a `todo!()`, then run
//! `cargo test -p recurrent_networks --test exercises`.
//!
//! A column is a token. `product(&a, &b)` is ab, `product(&a.t(), &b)` is aᵀb; `a.rows(i, k)` are k
//! rows of a from row i on, `a.component_mul(&b)` multiplies entry by entry, `a.map(f32::tanh)` applies
//! a function to every entry. `sigmoid(x)` is 1/(1 + e^−x).
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use recurrent_networks::Steps;
use shared::elementwise::sigmoid;
use shared::{Matrix, Operand, Vector, product};

/// **4.1 one step of a GRU – difficulty ●●○, about 15 minutes**
///
/// The new states (H, B). `projected` (3H, B) holds `W x + b`, the rows of r above those of z above those
/// of n; `u` (3H, H), `c` (3H, 1), and the last states `h` (H, B):
///
/// r = σ(p_r + U_r h + c_r), z = σ(p_z + U_z h + c_z), n = tanh(p_n + r ⊙ (U_n h + c_n)),
/// new h = (1 − z) ⊙ n + z ⊙ h
///
/// Hint: one product for all three gates; then take rows.
pub fn gru_step(projected: &Matrix, u: &Matrix, c: &Vector, h: &Matrix) -> Matrix {
    todo!()
}

/// **4.2 backward through one LSTM step – difficulty ●●●, about 30 minutes**
///
/// The step was c = f ⊙ c' + i ⊙ g and h = o ⊙ tanh(c), with i, f, o = σ(…) and g = tanh(…).
/// `gates` (4H, 1) holds i, f, g, o one below the other, after their σ and tanh; `last` is c' (H, 1).
/// From `dh` and `dc` (H, 1), the gradients of a loss with respect to h and to c, return the gradient of
/// what went into the four σ and tanh (4H, 1), in the same order, and that of c' (H, 1).
///
/// Hint: c is reached by two routes, from `dc` and through h. Add them first.
pub fn lstm_backward(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    todo!()
}

/// **4.3 the word before – difficulty ●●○, about 15 minutes**
///
/// Sequences of the given lengths, longest first, are packed step by step: first the first tokens of all,
/// then the second tokens of those that have one, and so on. Return, for each column of the packing, the
/// column of the token before it in its own sequence, and `None` for first tokens: for the lengths 4, 2
/// and 1 – `abcd`, `ef`, `g`, packed as `aeg bf c d` – three times `None`, then 0 (a), 1 (e), 3 (b), 5 (c).
///
/// Hint: how many tokens stand between a token and the one before it? Sequences that have ended are not
/// among them.
pub fn word_before(lengths: &[usize]) -> Vec<Option<usize>> {
    todo!()
}

/// **4.4 clipping – difficulty ●○○, about 10 minutes**
///
/// All gradients of a model, together no longer than `longest`: if the Euclidean norm of all entries of
/// all matrices is larger, shorten the whole without turning it; otherwise change nothing. Entries may be
/// as large as 10³⁰, whose squares an `f32` cannot hold.
///
/// Hint: one factor for all matrices. To sum squares of large numbers, divide by the largest first.
pub fn clip(gradients: &[Matrix], longest: f32) -> Vec<Matrix> {
    todo!()
}

/// **4.5 the gradient through time – difficulty ●●○, about 20 minutes**
///
/// A plain network went through the states h₀, h₁, … h_T, the columns of `states` (H, T + 1), by
/// h_t = tanh(a_t + U h_{t−1}) with some inputs a_t. Return ∂h_T/∂h₀ (H, H): entry (i, j) says how entry
/// i of h_T moves with entry j of h₀. T may be 0.
///
/// Hint: the derivative of tanh is 1 − tanh², so you need the states and U alone. What does one step
/// contribute, and on which side?
pub fn through_time(u: &Matrix, states: &Matrix) -> Matrix {
    todo!()
}

/// **4.6 spot the bug: two directions – difficulty ●●○, about 10 minutes**
///
/// Should return the states (2H, N) of a bidirectional layer over a packed batch `x` (I, N): in each
/// column, the forward layer's state, which depends on the token and all before it, above the backward
/// layer's, which depends on the token and all after it. `forward` and `backward` are two layers; each
/// reads a packed batch from the first token of every sequence to its last, and returns its states (H, N).
///
/// Hint: read a sequence of two words. What should the backward state at the second word depend on?
pub fn both_ways(forward: Reader, backward: Reader, x: &Matrix, steps: &Steps) -> Matrix {
    todo!("find the bug, then remove this line");
    let turned = x.select_columns(&steps.reversed());
    let (above, below) = (forward(x), backward(&turned));
    let mut states = Matrix::zeros(above.nrows() + below.nrows(), x.ncols());
    states.rows_mut(0, above.nrows()).copy_from(&above);
    states.rows_mut(above.nrows(), below.nrows()).copy_from(&below);
    states
}

/// A layer that reads a packed batch (I, N) and returns its states (H, N).
pub type Reader<'a> = &'a dyn Fn(&Matrix) -> Matrix;

/// **4.7 spot the bug: the last state – difficulty ●○○, about 5 minutes**
///
/// Should return the state of each sequence at its own end, (H, B). Here sequences are *padded*, as other
/// libraries do it: `states` (H, T·B) holds in column t·B + i the state of sequence i after step t, also
/// for steps after its end; `lengths` (B) says where each ends.
///
/// Hint: try two sequences of different lengths.
pub fn final_states(states: &Matrix, lengths: &[usize]) -> Matrix {
    todo!("find the bug, then remove this line");
    let batch = lengths.len();
    states.columns(states.ncols() - batch, batch).into_owned()
}

/// **4.8 a word drawn – difficulty ●●○, about 15 minutes**
///
/// The number of one word, drawn in proportion to softmax(logits / temperature). `ticket`, between 0 and
/// 1, decides which: lay the words side by side on a line of length 1, each as long as it is probable, in
/// their order, and take the one in which the ticket falls. Temperatures may be as small as 10⁻³, logits
/// as large as 100; and rounding may leave the last tickets to no word at all: then give the most probable.
///
/// Hint: what does a softmax do about large numbers?
pub fn choose(logits: &[f32], temperature: f32, ticket: f32) -> usize {
    todo!()
}

/// **4.9 a memory by hand – difficulty ●●○, about 20 minutes**
///
/// Weights of a GRU with one unit that reads pairs (number, mark), as in the adding problem, with numbers
/// between 0 and 1. After any sequence of up to 100 pairs its state should be the tanh of the number that
/// was marked last, to within 0.01.
///
/// Hint: which gate must know of the mark? Half open is not open, a hundred times in a row.
pub fn by_hand() -> Cell {
    todo!()
}

/// The weights of a GRU with one unit: an entry for r, for z and for n; the two columns of `w` belong to
/// the number and to the mark.
pub struct Cell {
    pub w: [[f32; 2]; 3],
    pub u: [f32; 3],
    pub b: [f32; 3],
    pub c: [f32; 3],
}

/// **4.10 surprises – difficulty ●○○, about 10 minutes**
///
/// Three perplexities, worked out before any program prints them: of a model
/// 0. that gives each of 600 words the same probability;
/// 1. that knows three words of every four for certain, and is right, and gives the right one of every
///    four a probability of 1/16;
/// 2. that knows 999 words of 1000 for certain, and is right, and has ruled out the last one.
///
/// Infinity is `f64::INFINITY`.
pub fn perplexities() -> [f64; 3] {
    todo!()
}

/// **4.11 two explanations – difficulty ●●○, about 15 minutes**
///
/// A plain network fails at length 100. One says: *at its start, no gradient arrives from the first half*.
/// The other says: *a plain state cannot hold a number over a hundred steps, whatever its weights are*.
/// Which of these six can distinguish the two – that is, may come out in a way that one of them has ruled
/// out and the other has not?
/// 0. Training the same network ten times as long, if it fails again.
/// 1. Training it from weights at which a gradient does arrive.
/// 2. Measuring the gradient over 99 steps before training.
/// 3. Looking, by hand and without any training, for weights with which it holds a number.
/// 4. Training a GRU, which succeeds.
/// 5. Training plain networks of twice and four times the size, all from the usual start, if they fail.
pub fn distinguishing() -> [bool; 6] {
    todo!()
}

// **4.12 capstone: your cell writes – difficulty ●○○, about 5 minutes**
//
// Nothing to write: with 4.1 and 4.8 you have a network that writes. The check (`tests/exercises/writes.rs`)
// trains a small language model in a second, puts its weights into *your* GRU step, draws its words with
// *your* dice, prints the sentences with how many of them are English beside those of the reference, and
// draws how probable your network found each word of a sentence. It opens when 4.1 and 4.8 are solved.
