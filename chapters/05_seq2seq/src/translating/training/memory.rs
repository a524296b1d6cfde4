//! How much memory a training takes, before it takes any.

use crate::translating::corpus::Words;
use crate::translating::judge::JUDGED;
use std::cmp::Reverse;
use workbench::memory::Needs;

/// How large a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Numbers in all parameters, if 64 bits are enough to count them.
    pub parameters: Option<u64>,
    /// Entries of the vectors that the matrices multiply.
    pub width: u32,
    /// Heads of attention in all blocks together.
    pub heads: u32,
}

impl Size {
    pub fn new(parameters: u128, width: u32, heads: u32) -> Size {
        Size { parameters: u64::try_from(parameters).ok(), width, heads }
    }
}

/// About how many bytes it takes to train a model, `size` large for so many words, on pairs of so many words (source, target) in
/// batches of `batch`, with so many `copies` of its parameters beside their values and Adam's two
/// moments; `None` when 64 bits are too few. The longest sentences decide: batches hold pairs of
/// about the same length.
pub fn training_memory(
    size: impl Fn(Words) -> Size,
    words: Words,
    lengths: &[(usize, usize)],
    batch: usize,
    copies: usize,
) -> Option<u64> {
    let Size { parameters, width, heads } = size(words);
    let model = Needs {
        parameters: parameters?.into(),
        copies: 3 + copies as u128,
        matrices: size(Words { source: 0, target: 0 }).parameters?.into(),
        width: width.into(),
        ..Needs::default()
    };
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable_by_key(|&(source, target)| Reverse((target, source)));
    let needs = |pairs: &[(usize, usize)]| {
        let sum = |number: &dyn Fn(usize, usize) -> usize| -> u128 {
            pairs.iter().map(|&(source, target)| number(source, target) as u128).sum()
        };
        Needs {
            tokens: sum(&|source, target| source.max(target)), // one half reads, the other writes
            logits: sum(&|_, target| target) * words.target as u128,
            pairs: sum(&|source, target| (source + target).pow(2)) * u128::from(heads),
            ..model
        }
    };
    let at_once = batch.max(rayon::current_num_threads() * JUDGED / 2);
    lengths.chunks(at_once).map(|pairs| needs(pairs).bytes()).max().unwrap_or(model.bytes())
}
