//! What will they want next, and why?
//!
//! A customer's history is a list of actions. A *candidate* is an item that could come next. The
//! candidate is the query, the history holds keys and values, and attention makes one vector of the
//! history: another one for every candidate (DIN, Zhou et al. 2018).
//!
//! A column is an action, or a candidate. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `d` | entries of the vector of an item |
//! | `N` | actions in all histories of a batch |
//! | `n` | candidates asked about all of them |
//! | `P` | pairs of a candidate and an action of its history |
//! | `h` | hidden units |
//!
//! | module | holds |
//! |---|---|
//! | [`histories`] | a batch of histories, and the candidates that are asked about them |
//! | [`counting`] | three models without a parameter: popularity, last item, item to item |
//! | [`din`] | one vector of a history for each candidate: average pooling, and DIN |
//! | [`atrank`] | self-attention among actions of several kinds, then the candidate asks (ATRank) |
//! | [`sequential`] | the next item from the last state: SASRec, and a GRU |
//! | [`model`] | one of these, and the two losses |
//! | [`rulers`] | the place of the item that was bought among others: HR, NDCG, negatives |

pub mod atrank;
pub mod counting;
pub mod din;
pub mod histories;
pub mod model;
#[cfg(feature = "program")]
pub mod program;
pub mod rulers;
pub mod sequential;
#[cfg(feature = "program")]
pub mod world;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as recommendation;

pub use atrank::AtRank;
pub use counting::{Counted, ItemToItem, LastItem, Popularity};
pub use din::{ActivationUnit, Din, Pooling, Scored};
pub use histories::{Action, Candidates, Histories};
pub use model::{Model, Question, binary_cross_entropy};
pub use rulers::{Rank, top};
pub use sequential::{Reader, Sequential};
