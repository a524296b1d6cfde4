//! Chapter 10's trained Transformer, which translates what a reader types.

use crate::packed;
use crate::pair::{cosines, largest_first};
use self_attention::relative::Kind;
use seq2seq::{BEGIN, Batch, END, decoding};
use shared::{Float, Tape};
use std::cell::RefCell;
use transformer::{Absolute, BlockSizes, Config, Encoding, Norm, Tied, Transformer};

thread_local! {
    static MODEL: RefCell<Option<Transformer>> = const { RefCell::new(None) };
}

/// Heads of a block, and blocks on either side.
pub const HEADS: usize = 4;
const BLOCKS: usize = 2;

/// The model that `cargo run --release -p transformer` trains, before its parameters are there.
fn blank(source_words: usize, target_words: usize) -> Transformer {
    let shaw = Some(Kind::Shaw(8));
    let config = Config {
        source_words,
        target_words,
        encoder_blocks: BLOCKS,
        decoder_blocks: BLOCKS,
        block: BlockSizes { d_model: 128, d_ff: 256, heads: HEADS, dropout: 0.0, norm: Norm::Post },
        tied: Tied::Output,
        smoothing: 0.0,
        encoding: Encoding { absolute: Absolute::Nothing, own: shaw, cross: shaw },
        longest: 1024,
    };
    Transformer::new(&config, &mut shared::rng(0))
}

/// How many words either language has, then the [`packed`] parameters → nothing.
pub fn translator(numbers: &[Float]) -> Vec<Float> {
    let mut model = blank(numbers[0] as usize, numbers[1] as usize);
    packed::unpack(&mut model, &numbers[2..]);
    MODEL.set(Some(model));
    Vec::new()
}

/// How many beginnings the search keeps (1: greedy), then a sentence's words → the logarithm of the
/// translation's probability, how many words it has, these words, the weights by which they are aligned (the mean
/// of the last block's heads: for every word written those of the words read, and of their end), and the heads' own,
/// block after block: each for every word written, and for the end.
pub fn translate(numbers: &[Float]) -> Vec<Float> {
    let words = numbers[1..].iter().map(|word| *word as usize);
    let source: Vec<usize> = words.chain([END]).collect();
    MODEL.with_borrow(|model| {
        let model = model.as_ref().expect("a translator");
        let found = match numbers[0] as usize {
            1 => decoding::greedy(model, &source),
            width => decoding::beam(model, &source, width, 1.0),
        };
        let target = [&found.words[..], &[END]].concat();
        let batch = Batch::new(&[(&source, &target)], BEGIN);
        let tape = Tape::no_grad();
        let (h, _) = model.encode(&tape, &batch.source);
        let (_, looked) = model.decode(h, &batch.source, &batch.previous);
        let mut answer = vec![found.log_probability as Float, found.words.len() as Float];
        answer.extend(found.words.iter().map(|word| *word as Float));
        answer.extend(found.alignment.iter());
        for [_, across] in &looked {
            (0..HEADS).for_each(|head| answer.extend(across.of(0, head).iter()));
        }
        answer
    })
}

/// A word of the source → all of them by the cosine of their vectors with that word's, the nearest first.
pub fn alike(numbers: &[Float]) -> Vec<Float> {
    MODEL.with_borrow(|model| {
        let table =
            &model.as_ref().and_then(|model| model.source.as_ref()).expect("vectors").weight;
        largest_first(&cosines(table.value(), numbers[0] as usize))
    })
}
