//! The cells over whole sequences, each as one operation on the tape, its backward by hand.
//!
//! [`crate::cells`] puts a dozen nodes on the tape at every step and copies each gate. Here the
//! whole packed batch is one node:
//!
//! - forward, `W x` for all tokens is one product; then each step needs one product `U h` and one
//!   loop over the gates;
//! - backward runs through time the other way and leaves the gradients of all gates side by side;
//!   the gradients of `W`, `U` and `x` are then one product each, over all tokens.
//!
//! | layer | gates | state |
//! |---|---|---|
//! | [`Rnn`] | – | `h` |
//! | [`Gru`] | `r`, `z`, `n` | `h` |
//! | [`Lstm`] | `i`, `f`, `g`, `o` | `h` and `c` |

mod gru;
mod inputs;
mod lstm;
mod recurrent;
mod rnn;
mod walk;
mod weights;

pub use gru::{Gru, gru};
pub use inputs::Inputs;
pub use lstm::{Lstm, lstm};
pub use recurrent::Recurrent;
pub use rnn::{Rnn, rnn};
pub use weights::Weights;
