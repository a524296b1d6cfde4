//! What can be learnt from text alone?
//!
//! BERT (Devlin et al. 2019): the Transformer's encoder, trained to predict masked tokens and
//! to classify whether one text follows another. A column is a token; the sequences of a batch lie side by side,
//! without padding. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n` | pieces, all sequences together |
//! | `d` | entries of a token |
//! | `M`, `N` | masked tokens, pairs: of the whole batch |
//!
//! | module | holds |
//! |---|---|
//! | [`pieces`] | a word cut into known pieces |
//! | [`inputs`] | `[CLS] a [SEP] b [SEP]` |
//! | [`gelu`](mod@gelu) | the function that bends |
//! | [`encoder`] | the model |
//! | [`masking`] | which tokens are masked, and by what |
//! | [`pretraining`] | the two heads and their loss |
//! | [`masked_loss`] | the loss of masked tokens, without a matrix of logits |
//! | [`ladder`] | what loss is normal |
//! | [`program`] | the program |
//! | [`count`](mod@count) | how many parameters, and where they are |
//! | `interchange` | checkpoints of others; with the feature `program` |

pub mod count;
pub mod encoder;
pub mod gelu;
pub mod inputs;
#[cfg(feature = "program")]
pub mod interchange;
pub mod ladder;
pub mod masked_loss;
pub mod masking;
pub mod pieces;
pub mod pretraining;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "program")]
pub mod world;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as bert;

pub use count::{Counts, count};
pub use encoder::{Bert, Config, Embeddings, draw_weights};
pub use gelu::gelu;
pub use inputs::{Special, Tokens, fit};
pub use ladder::{Ladder, Rungs};
pub use masked_loss::tied_cross_entropy;
pub use masking::{MaskedToken, Masking};
pub use pieces::cut_word;
pub use pretraining::{Denominators, Examples, Losses, MaskedHead, Pretraining};
