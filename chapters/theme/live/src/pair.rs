//! The translators of chapters 5 and 6 side by side: one vector for the whole sentence, or a look back at every word.

use crate::packed;
use bahdanau::{Bahdanau, Config, Reading};
use seq2seq::{END, EncoderDecoder, Sizes, Translator, decoding};
use shared::{Float, Matrix, Module};
use std::cell::RefCell;

thread_local! {
    static ONE_VECTOR: RefCell<Option<EncoderDecoder>> = const { RefCell::new(None) };
    static LOOKING: RefCell<Option<Bahdanau>> = const { RefCell::new(None) };
}

/// The words of either language, the entries of a word's vector and of a state; the rest are parameters.
fn sizes(numbers: &[Float]) -> (Sizes, &[Float]) {
    let (sizes, parameters) = numbers.split_at(4);
    let [source_words, target_words, embedding, hidden] =
        std::array::from_fn(|i| sizes[i] as usize);
    (Sizes { source_words, target_words, embedding, hidden, layers: 1, dropout: 0.0 }, parameters)
}

fn unpacked<M: Module>(mut model: M, parameters: &[Float]) -> Option<M> {
    packed::unpack(&mut model, parameters);
    Some(model)
}

/// How many words either language has, how many entries a word's vector and a state; then the [`packed`]
/// parameters of chapter 5's model → nothing.
pub fn one_vector(numbers: &[Float]) -> Vec<Float> {
    let (sizes, parameters) = sizes(numbers);
    let blank = EncoderDecoder::new(&sizes, &mut shared::rng(0));
    ONE_VECTOR.set(unpacked(blank, parameters));
    Vec::new()
}

/// The same of chapter 6's model.
pub fn looking(numbers: &[Float]) -> Vec<Float> {
    let (sizes, parameters) = sizes(numbers);
    let score = sizes.hidden;
    let config = Config { sizes, reading: Reading::BothDirections, score, state_dropout: 0.0 };
    let blank = Bahdanau::new(&config, &mut shared::rng(0));
    LOOKING.set(unpacked(blank, parameters));
    Vec::new()
}

/// A sentence's words → for one model after the other how many words it writes, and these words, greedily; then
/// the weights of every word that chapter 6's wrote on those that it read, and on their end.
pub fn side_by_side(words: &[Float]) -> Vec<Float> {
    let source: Vec<usize> = words.iter().map(|word| *word as usize).chain([END]).collect();
    let mut answer = Vec::new();
    ONE_VECTOR.with_borrow(|model| write(model.as_ref(), &source, &mut answer));
    LOOKING.with_borrow(|model| write(model.as_ref(), &source, &mut answer));
    answer
}

fn write(model: Option<&impl Translator>, source: &[usize], answer: &mut Vec<Float>) {
    let written = decoding::greedy(model.expect("a translator"), source);
    answer.push(written.words.len() as Float);
    answer.extend(written.words.iter().map(|word| *word as Float));
    answer.extend(written.alignment.iter()); // no rows without attention
}

/// A word of the source → all of them by the cosines of their vectors with that word's, the sum over both models,
/// the nearest first.
pub fn nearest(numbers: &[Float]) -> Vec<Float> {
    let word = numbers[0] as usize;
    let one = ONE_VECTOR.with_borrow(|model| {
        cosines(model.as_ref().expect("a translator").source.weight.value(), word)
    });
    let look = LOOKING.with_borrow(|model| {
        cosines(model.as_ref().expect("a translator").source.weight.value(), word)
    });
    largest_first(&one.iter().zip(look).map(|(a, b)| a + b).collect::<Vec<_>>())
}

/// The cosine of every column of a table with this one.
pub(crate) fn cosines(table: &Matrix, column: usize) -> Vec<Float> {
    let this = table.column(column);
    table.column_iter().map(|other| this.dot(&other) / (this.norm() * other.norm())).collect()
}

/// The places of numbers, that of the largest first.
pub(crate) fn largest_first(numbers: &[Float]) -> Vec<Float> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*b].total_cmp(&numbers[*a]));
    order.into_iter().map(|place| place as Float).collect()
}
