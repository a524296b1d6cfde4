//! What holds for any network and any story.

use memory_networks::{
    Alignment, Answers, KeyValue, MemoryNetwork, Order, SelfAttending, Sizes, Stories,
};
use proptest::prelude::*;
use shared::{Matrix, Tape, rng};

const SIZES: Sizes = Sizes { words: 9, memory: 5, width: 6, hops: 3 };

/// A network with entries as large as a trained one's.
fn network(seed: u64) -> MemoryNetwork {
    let mut network = MemoryNetwork::new(SIZES, &mut rng(seed));
    let tables = network.words.iter_mut().chain(&mut network.times);
    tables.for_each(|table| *table.value_mut() *= 8.0);
    network
}

fn told() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<usize>, u64)> {
    let sentence = || prop::collection::vec(0..9usize, 1..5);
    (prop::collection::vec(sentence(), 1..6), sentence(), 0..50u64)
}

fn one(sentences: &[Vec<usize>], question: &[usize]) -> Stories {
    Stories::one(&sentences.iter().map(Vec::as_slice).collect::<Vec<_>>(), question)
}

/// Logits, and the weights (sentences, hops).
fn run(model: &impl Answers, stories: &Stories, alignment: Alignment) -> (Matrix, Matrix) {
    let tape = Tape::no_grad();
    let answered = model.answer(&tape, stories, alignment);
    let weights = |i: usize, k: usize| answered.weights[k][i];
    let count = stories.sentences.len();
    (
        Matrix::clone(&answered.logits.value()),
        Matrix::from_fn(count, answered.weights.len(), weights),
    )
}

/// The paper's formulas (§2, §4.1) number by number: aᵢ = Σ_k A_k m_ik, with every table as the paper names it.
fn unrolled(
    network: &MemoryNetwork,
    sentences: &[Vec<usize>],
    question: &[usize],
    softmax: bool,
) -> Vec<f64> {
    let d = SIZES.width;
    let vector = |k: usize, words: &[usize]| -> Vec<f64> {
        let entries = (0..d).map(|e| {
            let entry = (e + 1) as f64 / d as f64;
            let terms = words.iter().enumerate().map(|(j, word)| {
                let place = (j + 1) as f64 / words.len() as f64;
                let l = (1.0 - place) - entry * (1.0 - 2.0 * place);
                l * f64::from(network.words[k].value()[(e, *word)])
            });
            terms.sum()
        });
        entries.collect()
    };
    let slot = |k: usize, i: usize| -> Vec<f64> {
        let age = sentences.len() - 1 - i;
        let time = network.times[k].value().column(age);
        vector(k, &sentences[i]).iter().zip(&time).map(|(x, t)| x + f64::from(*t)).collect()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut u = vector(0, question); // B = A¹
    for hop in 0..SIZES.hops {
        let scores: Vec<f64> = (0..sentences.len()).map(|i| dot(&u, &slot(hop, i))).collect();
        let sum: f64 = scores.iter().map(|score| score.exp()).sum();
        let mut o = vec![0.0; d];
        for (i, score) in scores.iter().enumerate() {
            let p = if softmax { score.exp() / sum } else { *score };
            o.iter_mut().zip(slot(hop + 1, i)).for_each(|(o, c)| *o += p * c); // C of this hop = A of the next
        }
        u.iter_mut().zip(o).for_each(|(u, o)| *u += o);
    }
    let w = network.words[SIZES.hops].value().map(f64::from); // Wᵀ = C^K
    (0..SIZES.words).map(|word| dot(w.column(word).as_slice(), &u)).collect()
}

proptest! {
    #[test]
    fn hops_are_the_unrolled_formula((sentences, question, seed) in told()) {
        let network = network(seed);
        for (alignment, softmax) in [(Alignment::Softmax, true), (Alignment::Linear, false)] {
            let found = run(&network, &one(&sentences, &question), alignment).0;
            let expected = unrolled(&network, &sentences, &question, softmax);
            let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((f64::from(*found) - expected).abs() < 1e-4 * largest, "{found} {expected}");
            }
        }
    }

    /// Without temporal encoding a story is a set; with it, the order of sentences counts.
    #[test]
    fn sentences_in_another_order((sentences, question, seed) in told()) {
        let mut network = network(seed);
        let mut turned = sentences.clone();
        turned.rotate_left(1);
        let of = |network: &MemoryNetwork, told: &[Vec<usize>]| {
            run(network, &one(told, &question), Alignment::Softmax)
        };
        if turned != sentences {
            prop_assert_ne!(of(&network, &sentences).0, of(&network, &turned).0);
        }
        network.times.clear();
        let (a, b) = (of(&network, &sentences), of(&network, &turned));
        let largest = a.0.amax().max(1.0);
        prop_assert!((a.0 - b.0).amax() < 1e-4 * largest);
        let moved = Matrix::from_fn(sentences.len(), 3, |i, k| a.1[((i + 1) % sentences.len(), k)]);
        prop_assert!((moved - b.1).amax() < 1e-4);
    }

    /// Stories side by side do not see each other.
    #[test]
    fn a_story_among_others_is_answered_as_alone((a, asks_a, seed) in told(), (b, asks_b, _) in told()) {
        let (memory, attending) = (network(seed), SelfAttending::new(SIZES, &mut rng(seed)));
        let key_value = KeyValue::new(9, 6, 2, Order::Positions, &mut rng(seed));
        let all: Vec<&[usize]> = a.iter().chain(&b).map(Vec::as_slice).collect();
        let mut both = Stories::one(&all, &asks_a);
        both.questions = shared::Ragged::new(&[&asks_a, &asks_b]);
        both.offsets = vec![0, a.len(), all.len()];
        let close = |model: &dyn Fn(&Stories) -> Matrix| {
            let alone = model(&one(&b, &asks_b));
            let largest = alone.amax().max(1.0);
            (model(&both).columns(1, 1) - alone).amax() < 1e-4 * largest
        };
        prop_assert!(close(&|s| run(&memory, s, Alignment::Softmax).0));
        prop_assert!(close(&|s| run(&attending, s, Alignment::Softmax).0));
        prop_assert!(close(&|s| run(&key_value, s, Alignment::Softmax).0));
    }
}

/// With keys that are values, key and value memory read what they find.
#[test]
fn values_that_are_the_keys_change_nothing() {
    let network = KeyValue::new(9, 6, 2, Order::Bag, &mut rng(1));
    let plain = one(&[vec![1, 2], vec![3]], &[2]);
    let same = Stories { values: Some(plain.sentences.clone()), ..plain.clone() };
    let of = |stories| run(&network, stories, Alignment::Softmax);
    assert_eq!(of(&plain), of(&same));
    let other = Stories { values: Some(shared::Ragged::new(&[&[4], &[5]])), ..plain.clone() };
    assert_ne!(of(&plain).0, of(&other).0);
}
