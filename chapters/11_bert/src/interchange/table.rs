//! What a BERT's parameters are called in the library *transformers*.

use crate::encoder::Config;
use workbench::parameters::{Entry, Foreign, Theirs};

/// The beginning of a name: a file of the encoder alone has none of it, with a head on top
/// `bert.`.
pub const PREFIX: &str = "bert.";

/// How many tensors hold a block: six affine maps and two normalisations.
pub(super) const BLOCK_TENSORS: usize = 2 * (6 + 2);

/// The parts of a model beside embeddings and blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// [`Bert::pooler`](crate::Bert::pooler).
    pub pooler: bool,
    /// [`Pretraining::masked`](crate::Pretraining::masked).
    pub masked: bool,
    /// [`Pretraining::next`](crate::Pretraining::next).
    pub next: bool,
}

/// A table of all parameters of a model that holds a [`Bert`](crate::Bert) as its part `bert`, as
/// [`Pretraining`](crate::Pretraining) does. Another head on top adds its own entries.
///
/// ```
/// use bert::interchange::{Parts, table};
/// let table = table(&bert::Config::BASE, Parts::default());
/// assert_eq!(table.entries[0].ours, "bert.embeddings.words.weight");
/// assert_eq!(table.entries[0].theirs[0].names, ["bert.embeddings.word_embeddings.weight"]);
/// assert_eq!(table.entries[0].theirs[0].shape, [30_522, 768]); // a row for each piece
/// ```
pub fn table(config: &Config, parts: Parts) -> Foreign {
    let d = config.width;
    let mut entries = embeddings(config);
    entries.extend((0..config.blocks).flat_map(|i| block(config, i)));
    if parts.pooler {
        entries.extend(linear("bert.pooler", "bert.pooler.dense", [d, d]));
    }
    if parts.masked {
        let theirs = "cls.predictions";
        let bias = Theirs::new(format!("{theirs}.bias"), [config.vocabulary]);
        entries.extend(linear("masked.dense", &format!("{theirs}.transform.dense"), [d, d]));
        entries.extend(norm("masked.norm", &format!("{theirs}.transform.LayerNorm"), d));
        entries.push(Entry::new("masked.bias", bias.or(format!("{theirs}.decoder.bias"))));
    }
    if parts.next {
        entries.extend(linear("next", "cls.seq_relationship", [2, d]));
    }
    Foreign { prefixes: vec![PREFIX.to_owned()], entries }
}

fn embeddings(config: &Config) -> Vec<Entry> {
    let table = |name: &str, theirs: &str, rows| {
        let theirs = format!("bert.embeddings.{theirs}.weight");
        let tensor = Theirs::new(theirs, [rows, config.width]).transposed(); // our columns are its rows
        Entry::new(format!("bert.embeddings.{name}.weight"), tensor)
    };
    let mut entries = vec![
        table("words", "word_embeddings", config.vocabulary),
        table("places", "position_embeddings", config.longest),
        table("segments", "token_type_embeddings", config.segments),
    ];
    entries.extend(norm("bert.embeddings.norm", "bert.embeddings.LayerNorm", config.width));
    entries
}

fn block(config: &Config, i: usize) -> Vec<Entry> {
    let (d, d_ff) = (config.width, config.feed_forward);
    let (ours, theirs) = (format!("bert.blocks.{i}"), format!("bert.encoder.layer.{i}"));
    let linears = [
        ("attention.w_q", "attention.self.query", [d, d]),
        ("attention.w_k", "attention.self.key", [d, d]),
        ("attention.w_v", "attention.self.value", [d, d]),
        ("attention.w_o", "attention.output.dense", [d, d]),
        ("feed_forward.inner", "intermediate.dense", [d_ff, d]),
        ("feed_forward.outer", "output.dense", [d, d_ff]),
    ];
    let norms = [
        ("attention_norm", "attention.output.LayerNorm"),
        ("feed_forward_norm", "output.LayerNorm"),
    ];
    let linears = linears.into_iter().flat_map(|(name, their_name, shape)| {
        linear(&format!("{ours}.{name}"), &format!("{theirs}.{their_name}"), shape)
    });
    let norms = norms.into_iter().flat_map(|(name, their_name)| {
        norm(&format!("{ours}.{name}"), &format!("{theirs}.{their_name}"), d)
    });
    linears.chain(norms).collect()
}

/// The entries of an affine map: `W` (outputs, inputs) and `b`.
pub fn linear(ours: &str, theirs: &str, [outputs, inputs]: [usize; 2]) -> [Entry; 2] {
    let weight = Theirs::new(format!("{theirs}.weight"), [outputs, inputs]);
    let bias = Theirs::new(format!("{theirs}.bias"), [outputs]);
    [Entry::new(format!("{ours}.weight"), weight), Entry::new(format!("{ours}.bias"), bias)]
}

/// Gain and bias; files made from the paper's own call them γ and β.
fn norm(ours: &str, theirs: &str, d: usize) -> [Entry; 2] {
    let tensor =
        |name, older| Theirs::new(format!("{theirs}.{name}"), [d]).or(format!("{theirs}.{older}"));
    [
        Entry::new(format!("{ours}.gain"), tensor("weight", "gamma")),
        Entry::new(format!("{ours}.bias"), tensor("bias", "beta")),
    ]
}
