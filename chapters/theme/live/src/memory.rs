//! Chapter 14's network: lines of a story are taken away and put back, and every hop looks again.

use crate::packed::unpack;
use memory_networks::{Alignment, Answers, MemoryNetwork, Sizes, Stories};
use shared::{Float, Tape, rng};
use std::cell::RefCell;

thread_local! {
    static NETWORK: RefCell<Option<MemoryNetwork>> = const { RefCell::new(None) };
}

/// Words, sentences in memory, width, hops, and the packed parameters: makes the network. Nothing is returned.
pub fn memory_network(numbers: &[Float]) -> Vec<Float> {
    let [words, memory, width, hops] = [0, 1, 2, 3].map(|i| numbers[i] as usize);
    let mut network = MemoryNetwork::new(Sizes { words, memory, width, hops }, &mut rng(0));
    unpack(&mut network, &numbers[4..]);
    NETWORK.set(Some(network));
    Vec::new()
}

/// A question and the sentences, each after the number of its words → the likeliest word, its probability, and then hop
/// by hop the weight of every sentence.
pub fn memory(numbers: &[Float]) -> Vec<Float> {
    let (mut texts, mut rest) = (Vec::new(), numbers);
    while let [count, words @ ..] = rest {
        let (own, others) = words.split_at(*count as usize);
        texts.push(own.iter().map(|word| *word as usize).collect::<Vec<_>>());
        rest = others;
    }
    let (question, sentences) = texts.split_first().expect("a question");
    let sentences: Vec<&[usize]> = sentences.iter().map(Vec::as_slice).collect();
    NETWORK.with_borrow(|network| {
        let network = network.as_ref().expect("`memory_network` comes first");
        let tape = Tape::no_grad();
        let stories = Stories::one(&sentences, question);
        let answered = network.answer(&tape, &stories, Alignment::Softmax);
        let probabilities = answered.logits.softmax().value();
        let word = probabilities.column(0).imax();
        let weights = answered.weights.iter().flat_map(|hop| hop.iter().copied());
        [word as Float, probabilities[word]].into_iter().chain(weights).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{Matrix, Module};

    /// Two sentences of unit vectors; the question finds the one that shares its word.
    #[test]
    fn the_sentence_with_the_word_is_read() {
        let sizes = Sizes { words: 3, memory: 2, width: 3, hops: 1 };
        let mut network = MemoryNetwork::new(sizes, &mut rng(0));
        network.for_each_parameter(|name, param| {
            let own = if name.starts_with("words") { 9.0 } else { 0.0 };
            *param.value_mut() = Matrix::identity(3, param.value().ncols()) * own;
        });
        NETWORK.set(Some(network));
        let answer = memory(&[1.0, 1.0, 1.0, 0.0, 1.0, 1.0]); // asks 1, of the sentences 0 and 1
        assert_eq!((answer[0], answer.len()), (1.0, 4));
        assert!(answer[3] > 0.99 && (answer[2] + answer[3] - 1.0).abs() < 1e-5, "{answer:?}");
    }
}
