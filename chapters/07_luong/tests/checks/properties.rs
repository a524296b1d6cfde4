//! Chapter 7: what is true of every window and of every weight, on random small problems.

use bahdanau::attention::{contexts, softmax_in_segments};
use luong::attention::{
    contexts_by_sentence, dot_scores, dot_scores_by_sentence, location_scores, near,
};
use luong::windows::around;
use proptest::prelude::*;
use scoring_functions::{AttentionMask, Sequences};
use shared::{Float, Matrix, Tape, Var};
use tests::assert_close;

type Operation = for<'t> fn(Var<'t>, Var<'t>, &Sequences) -> Var<'t>;

/// Numbers of words of a few sentences, and of queries of each.
fn sentences(least: usize) -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    prop::collection::vec((least..9, 1_usize..5), 1..6).prop_map(|all| all.into_iter().unzip())
}

fn running(counts: &[usize]) -> Vec<usize> {
    let mut sums = vec![0];
    counts.iter().for_each(|count| sums.push(sums[sums.len() - 1] + count));
    sums
}

fn uneven(rows: usize, columns: usize, phase: Float) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as Float + 2.1 * j as Float + phase).sin())
}

proptest! {
    /// Every word of a window is near and in its sentence; every other word of it is far.
    #[test]
    fn a_window_has_the_near_words_and_no_others(
        words in 1_usize..12, width in 1_usize..5, share in 0.0 as Float..1.0,
    ) {
        let center = share * words as Float;
        let window = around(center, width, words);
        for s in 0..words {
            prop_assert_eq!(window.contains(&s), (s as Float - center).abs() <= width as Float);
        }
        prop_assert!(window.end <= words);
    }

    /// Around its own position, or the last word when the translation is longer than its source.
    #[test]
    fn local_m_looks_around_the_step((words, queries) in sentences(1), width in 1_usize..5) {
        let sequences = Sequences::between(&running(&queries), &running(&words))
            .with(AttentionMask::Window { behind: width, ahead: width });
        for ((j, sequence), (_, seen)) in sequences.each().zip(sequences.views()) {
            let (t, m) = (j - sequence.queries.start, sequence.keys.len());
            let window = around(t.min(m - 1) as Float, width, m);
            prop_assert_eq!(seen, sequence.keys.start + window.start..sequence.keys.start + window.end);
        }
    }

    /// A wide window is no window, and then a product a sentence gives what one pair at a time does,
    /// gradients too; also for a sentence without words.
    #[test]
    fn all_at_once_is_one_by_one((words, queries) in sentences(0), phase in 0.0 as Float..6.0) {
        let (n, m) = (queries.iter().sum(), words.iter().sum());
        let sequences = Sequences::between(&running(&queries), &running(&words));
        let wide = sequences.clone().with(AttentionMask::Window { behind: 9, ahead: 9 });
        prop_assert!(sequences.pairs().eq(wide.pairs()));
        let results = |scores: Operation, contexts: Operation, sequences| {
            let tape = Tape::new();
            let (q, k) = (tape.leaf(uneven(3, n, phase)), tape.leaf(uneven(3, m, 1.0)));
            let e = scores(q, k, sequences);
            let c = contexts(k, softmax_in_segments(e, sequences), sequences);
            let values = [e, c].map(|y| Matrix::clone(&y.value()));
            let gradients = c.square().sum().backward();
            (values, [q, k].map(|leaf| gradients.wrt(leaf)))
        };
        let fast = results(dot_scores_by_sentence, contexts_by_sentence, &sequences);
        let slow = results(dot_scores, contexts, &wide);
        for i in 0..2 {
            assert_close!(fast.0[i], slow.0[i], 1e-6);
            assert_close!(fast.1[i], slow.1[i], 1e-5);
        }
    }

    /// The Gaussian only takes weight away: nothing at the center, the more the farther.
    #[test]
    fn the_gaussian_keeps_the_center_and_lowers_the_rest(
        words in 1_usize..9, share in 0.0 as Float..1.0, width in 1_usize..4,
    ) {
        let tape = Tape::new();
        let p = share * words as Float;
        let window = around(p, width, words);
        let sequences = Sequences::single(1, words).with(AttentionMask::Given(vec![window.clone()]));
        let n = window.len();
        let alpha = tape.constant(Matrix::from_element(1, n, 1.0 / n as Float));
        let center = tape.constant(Matrix::from_element(1, 1, p));
        let y = near(alpha, center, &sequences, width as Float / 2.0).value();
        prop_assert!(y.sum() <= 1.0 + 1e-6);
        let edge = (-2.0 as Float).exp() / n as Float; // |s − p| = D = 2σ
        prop_assert!(y.iter().all(|y| *y >= edge * 0.999));
        for (i, s) in window.clone().enumerate() {
            for (k, r) in window.clone().enumerate() {
                if (s as Float - p).abs() + 1e-3 < (r as Float - p).abs() {
                    prop_assert!(y[i] > y[k]);
                }
            }
        }
    }

    /// Scores by position do not depend on the sentence but on its length.
    #[test]
    fn a_location_is_the_same_in_every_sentence((words, _) in sentences(1), phase in 0.0 as Float..6.0) {
        let (sequences, tape) = (Sequences::one_each(&running(&words)), Tape::new());
        let column = uneven(9, 1, phase);
        let scores = tape.constant(Matrix::from_fn(9, words.len(), |s, _| column[s]));
        let e = location_scores(scores, &sequences).value();
        for (pair, e) in sequences.pairs().zip(e.iter()) {
            prop_assert_eq!(*e, column[pair.position]);
        }
    }
}

#[test]
#[should_panic(expected = "a product a sentence, but its queries see Causal")]
fn a_product_a_sentence_needs_every_word() {
    let tape = Tape::new();
    let q = tape.leaf(uneven(3, 4, 0.5));
    dot_scores_by_sentence(q, q, &Sequences::single(4, 4).with(AttentionMask::Causal));
}

/// What the page says of a concat score that was copied as `W_a [h; h]`: the query adds the same
/// number to the score of every key, and the softmax takes it away again.
#[test]
fn the_weights_of_a_concat_without_tanh_ignore_the_query() {
    let row = Matrix::from_row_slice(1, 4, &[0.7, -1.3, 0.4, 2.0]); // its query's half, its key's half
    let keys = Matrix::from_row_slice(2, 3, &[1.0, -0.5, 0.2, 0.3, 0.8, -1.1]);
    let weights = |query: [Float; 2]| {
        let mut scores = Matrix::from_fn(3, 1, |s, _| {
            let concat = [query[0], query[1], keys[(0, s)], keys[(1, s)]];
            (&row * Matrix::from_column_slice(4, 1, &concat))[0]
        });
        shared::elementwise::softmax_columns(&mut scores);
        scores
    };
    assert_close!(weights([0.9, -0.4]), weights([-2.0, 1.5]), 1e-5);
    // With v and tanh the same row, twice, distinguishes queries.
    let output = |query: Float| {
        let mut scores = Matrix::from_fn(3, 1, |s, _| (query + keys[(0, s)]).tanh());
        shared::elementwise::softmax_columns(&mut scores);
        scores
    };
    assert!((output(0.0) - output(2.0)).amax() > 0.05);
}
