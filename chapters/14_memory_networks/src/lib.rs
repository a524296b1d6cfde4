//! Where is the apple, if anna took it and went to the garden?
//!
//! A memory is a list of slots, each with a key that it is found by and a value that it holds. A question
//! is asked, reads, and asks again with what it has read (Sukhbaatar et al. 2015; Miller et al. 2016).
//! A column is a sentence. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n` | questions, one a story |
//! | `m` | sentences, all stories together |
//! | `d` | entries of a sentence |
//! | `V` | words |
//! | `M` | sentences that the memory can hold |
//! | `K` | hops |
//!
//! | module | holds |
//! |---|---|
//! | [`sentences`] | stories side by side; a sentence as one vector |
//! | [`network`] | the end-to-end memory network |
//! | [`key_value`] | the key–value memory network |
//! | [`self_attending`] | chapter 9's self-attention on the same columns |
//! | `program` | the program; with the feature `program` |

pub mod key_value;
pub mod network;
#[cfg(feature = "program")]
pub mod program;
pub mod self_attending;
pub mod sentences;
#[cfg(feature = "program")]
pub mod world;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as memory_networks;

pub use key_value::KeyValue;
pub use network::{MemoryNetwork, Sizes};
pub use self_attending::SelfAttending;
pub use sentences::{Order, Stories, bags};

use bahdanau::attention::{contexts, softmax_in_segments};
use luong::attention::dot_scores;
use rand_distr::{Distribution, Normal};
use scoring_functions::Sequences;
use shared::{Matrix, Param, Rng, Tape, Var};
use std::sync::Arc;

// ANCHOR: read
/// How scores become weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// A softmax over the slots of a story.
    Softmax,
    /// The scores themselves: how a linear start begins.
    Linear,
}

/// One look into memory: a query against the keys of its story, and the mean of the values there.
///
/// `queries` (d, n), `keys` and `values` (d, m) → what was read (d, n), and the weights (1, m).
pub fn read<'t>(
    queries: Var<'t>,
    keys: Var<'t>,
    values: Var<'t>,
    sequences: &Sequences,
    alignment: Alignment,
) -> (Var<'t>, Arc<Matrix>) {
    let scores = dot_scores(queries, keys, sequences); // (1, m)
    let weights = match alignment {
        Alignment::Softmax => softmax_in_segments(scores, sequences),
        Alignment::Linear => scores,
    };
    (contexts(values, weights, sequences), weights.value())
}
// ANCHOR_END: read

/// What a model says about some stories.
pub struct Answered<'t> {
    /// The words' scores (V, n).
    pub logits: Var<'t>,
    /// The weight of every sentence, hop by hop (1, m).
    pub weights: Vec<Arc<Matrix>>,
}

/// A model that reads stories and answers.
pub trait Answers {
    /// Answers the question of every story.
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, alignment: Alignment) -> Answered<'t>;
}

/// A table whose entries are drawn from N(0, 0.1²), as Sukhbaatar et al. draw them (§4.2).
fn table(rows: usize, columns: usize, rng: &mut Rng) -> Param {
    let normal = Normal::new(0.0, 0.1).expect("a finite deviation");
    Param::new(Matrix::from_fn(rows, columns, |_, _| normal.sample(rng)))
}
