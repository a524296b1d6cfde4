//! One kind of attention of a model, and where it looked in one pair of sentences.

use shared::Matrix;

/// Where the heads of one kind of attention looked, block by block.
pub struct Look {
    /// What it is called, and which words ask and are looked at.
    pub kind: Kind,
    /// Block by block, head by head: (keys, queries).
    pub blocks: Vec<Vec<Matrix>>,
}

/// Which words ask which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Source words ask source words.
    Encoder,
    /// Before a word is written, the words before it are asked.
    Decoder,
    /// Before a word is written, the source is asked.
    Cross,
}
