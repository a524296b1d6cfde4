//! What can be learnt from text alone?
//!
//! BERT (Devlin et al. 2019): the Transformer's encoder, trained to tell hidden pieces of words and
//! whether one text follows another. A column is a token; the sequences of a batch lie side by side,
//! without padding. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n` | pieces, all sequences together |
//! | `d` | entries of a token |
//! | `M`, `N` | hidden pieces, pairs: of the whole batch |
//!
//! | module | holds |
//! |---|---|
//! | [`pieces`] | a word cut into known pieces |
//! | [`inputs`] | `[CLS] a [SEP] b [SEP]` |
//! | [`gelu`](mod@gelu) | the function that bends |
//! | [`encoder`] | the model |
//! | [`masking`] | what is hidden, and by what |
//! | [`pretraining`] | the two heads and their loss |
//! | [`telling`] | the loss of hidden pieces, without a matrix of logits |
//! | [`ladder`] | what loss is normal |
//! | [`experiment`] | the program |
//! | [`count`](mod@count) | how many parameters, and where they are |
//! | `interchange` | checkpoints of others; with the feature `program` |

pub mod count;
pub mod encoder;
#[cfg(feature = "program")]
pub mod experiment;
pub mod gelu;
pub mod inputs;
#[cfg(feature = "program")]
pub mod interchange;
pub mod ladder;
pub mod masking;
pub mod pieces;
pub mod pretraining;
pub mod telling;

pub use count::{Counts, count};
pub use encoder::{Bert, Config, Embeddings, draw_weights};
pub use gelu::gelu;
pub use inputs::{Special, Tokens, fit};
pub use ladder::{Ladder, Rungs};
pub use masking::{Hidden, Masking};
pub use pieces::cut_word;
pub use pretraining::{Denominators, Examples, Losses, MaskedHead, Pretraining};
pub use telling::tied_cross_entropy;
