//! Words in pieces, as BERT cuts them (Devlin et al. 2019, section 3; Wu et al. 2016, section 4.1).
//!
//! ```text
//! Une Éléphante trompe.                  a text
//! une elephante trompe .                 its words                       [`Settings`]
//! un ##e el ##ep ##hante trompe .        the longest known pieces of each, from the left
//! 48 97 512 933 7604 2081 14             their numbers                   [`WordPiece::cut`]
//! ```
//!
//! A piece that does not begin a word is written with `##` before it. A word of which some part is
//! no piece, or of more than a hundred characters, is `[UNK]` as a whole. The cutting is done by the
//! crate `tokenizers`, whose files are those of the Hugging Face ecosystem.

mod added;
mod files;
mod learn;
mod pieces;
mod settings;

pub use files::CLASSES;
pub(crate) use files::numbered;
pub use pieces::{Special, WordPiece};
pub use settings::Settings;
