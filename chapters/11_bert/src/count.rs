//! How many parameters a model has, known before anything is built.

use crate::encoder::Config;

/// The numbers of parameters, part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// The three tables of the input: pieces, positions, segments.
    pub embeddings: u64,
    /// Queries, keys, values and output of every attention.
    pub attention: u64,
    /// The feed-forward networks.
    pub feed_forward: u64,
    /// The normalisations: of the input, and two in every block.
    pub norms: u64,
    /// The vector for the sequence.
    pub pooler: u64,
    /// The MLM head; its largest matrix is the table of the input, counted there.
    pub masked: u64,
    /// The NSP head.
    pub next: u64,
}

/// Counts parameters, from the sizes alone. What others call the size of BERT is the encoder with its
/// pooler, without heads:
///
/// ```
/// use bert::{Config, count};
/// assert_eq!(count(&Config::BASE).encoder(), 109_482_240);
/// ```
pub fn count(config: &Config) -> Counts {
    let [d, d_ff, blocks] = [config.width, config.feed_forward, config.blocks].map(|n| n as u64);
    let tables = [config.vocabulary, config.longest, config.segments].map(|n| n as u64);
    let linear = |inputs, outputs| outputs * inputs + outputs;
    let norm = 2 * d;
    Counts {
        embeddings: tables.iter().sum::<u64>() * d,
        attention: blocks * 4 * linear(d, d),
        feed_forward: blocks * (linear(d, d_ff) + linear(d_ff, d)),
        norms: (2 * blocks + 1) * norm,
        pooler: linear(d, d),
        masked: linear(d, d) + norm + tables[0],
        next: linear(d, 2),
    }
}

impl Counts {
    /// Counts the parameters of a [`Bert`](crate::Bert) with its pooler.
    pub fn encoder(&self) -> u64 {
        self.embeddings + self.attention + self.feed_forward + self.norms + self.pooler
    }

    /// Counts the parameters of a [`Pretraining`](crate::Pretraining), both heads with it.
    pub fn pretraining(&self) -> u64 {
        self.encoder() + self.masked + self.next
    }
}
