//! Chapter 9's words that ask each other, with the matrices that its page chooses by hand.

use scoring_functions::{causal, dot, masked_softmax};
use shared::{Float, Matrix, Tape};

/// The page's layers: no matrices; three; two heads of one row each, and a fourth matrix. Row by row.
const IDENTITY: [Float; 4] = [1.0, 0.0, 0.0, 1.0];
const LESS: [Float; 4] = [1.0, -1.0, -1.0, 1.0];
const LAYERS: [Layer; 3] = [
    Layer { heads: 1, q: IDENTITY, k: IDENTITY, v: IDENTITY, o: IDENTITY, added: false },
    Layer {
        heads: 1,
        q: [0.0, 1.0, -1.0, 1.0],
        k: [1.0, -1.0, 0.0, 1.0],
        v: LESS,
        o: IDENTITY,
        added: true,
    },
    Layer { heads: 2, q: [1.0; 4], k: IDENTITY, v: IDENTITY, o: LESS, added: true },
];

struct Layer {
    heads: usize,
    q: [Float; 4],
    k: [Float; 4],
    v: [Float; 4],
    o: [Float; 4],
    added: bool, // to the word
}

/// A layer's number, whether a word sees only itself and the words before, then the words, two numbers each →
/// for each head the scores and the weights of all words, asking word by asking word; then the outputs, and what
/// becomes of the words.
///
/// Scores are not divided by √d, as on the page.
pub fn bank(numbers: &[Float]) -> Vec<Float> {
    let [layer, masked, words @ ..] = numbers else { panic!("too few numbers") };
    let layer = &LAYERS[*layer as usize];
    let n = words.len() / 2;
    let seen = if *masked == 1.0 { causal(n) } else { vec![n; n] };
    let tape = Tape::no_grad();
    let matrix = |rows: &[Float; 4]| tape.constant(Matrix::from_row_slice(2, 2, rows));
    let x = tape.constant(Matrix::from_column_slice(2, n, words));
    let [q, k, v] = [layer.q, layer.k, layer.v].map(|w| matrix(&w) * x); // (2, n)
    let mut answer = Vec::new();
    let d = 2 / layer.heads;
    let mut heads = Vec::new();
    for i in 0..layer.heads {
        let [q, k, v] = [q, k, v].map(|x| x.rows(i * d, d)); // (d, n)
        let scores = dot(q, k); // (n, n)
        let weights = masked_softmax(scores, &seen); // (n, n)
        answer.extend_from_slice(scores.value().as_slice());
        answer.extend_from_slice(weights.value().as_slice());
        heads.push(v * weights); // (d, n)
    }
    let stacked = heads.into_iter().reduce(|above, below| above.stack(below));
    let outputs = matrix(&layer.o) * stacked.expect("a head");
    let new = if layer.added { x + outputs } else { outputs };
    answer.extend_from_slice(outputs.value().as_slice());
    answer.extend_from_slice(new.value().as_slice());
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoring_functions::Score;
    use self_attention::heads;

    const RIVER_BANK: [Float; 4] = [2.0, 0.0, 1.0, 1.0];

    #[test]
    fn bank_moves_as_on_the_page() {
        for (layer, moved) in [[1.5, 0.5], [2.76, -0.76], [2.0, 0.0]].iter().enumerate() {
            let answer = bank(&[&[layer as Float, 0.0][..], &RIVER_BANK].concat());
            let new = &answer[answer.len() - 2..];
            assert!(new.iter().zip(moved).all(|(a, b)| (a - b).abs() < 0.005), "{new:?}");
        }
    }

    #[test]
    fn without_a_mask_the_heads_are_chapter_9s() {
        let words = [2.0, 0.5, 1.0, 1.5, -0.5, 2.0];
        for (i, layer) in LAYERS.iter().enumerate() {
            let tape = Tape::no_grad();
            let matrix = |rows: &[Float; 4]| tape.constant(Matrix::from_row_slice(2, 2, rows));
            let x = tape.constant(Matrix::from_column_slice(2, 3, &words));
            let [q, k, v] = [layer.q, layer.k, layer.v].map(|w| matrix(&w) * x);
            let scores = [Score::Dot, Score::Dot];
            let theirs = (matrix(&layer.o) * heads(&scores[..layer.heads], q, k, v)).value();
            let ours = bank(&[&[i as Float, 0.0][..], &words].concat());
            let outputs = &ours[ours.len() - 12..ours.len() - 6];
            assert!(outputs.iter().zip(theirs.as_slice()).all(|(a, b)| (a - b).abs() < 1e-5));
        }
    }

    #[test]
    fn a_masked_word_is_the_last_of_a_shorter_sentence() {
        let words = [2.0, 0.0, 1.0, 1.0, 0.0, 2.0];
        for layer in [0.0, 1.0, 2.0] {
            let all = bank(&[&[layer, 1.0][..], &words].concat());
            let two = bank(&[&[layer, 0.0][..], &words[..4]].concat());
            assert_eq!(all[all.len() - 4..all.len() - 2], two[two.len() - 2..]);
        }
    }
}
