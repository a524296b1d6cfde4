//! Chapter 7: what is true of every window and of every weight, on random small problems.

use bahdanau::attention::{contexts, softmax_in_segments};
use luong::attention::{
    contexts_by_sentence, dot_scores, dot_scores_by_sentence, location_scores, near,
};
use luong::windows::{Blocks, Queries, Windows};
use proptest::prelude::*;
use shared::{Float, Matrix, Tape};
use tests::assert_close;

/// Numbers of words of a few sentences, and of queries of each.
fn sentences() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    prop::collection::vec((1_usize..9, 1_usize..5), 1..6).prop_map(|all| all.into_iter().unzip())
}

fn running(counts: &[usize]) -> Vec<usize> {
    let mut sums = vec![0];
    counts.iter().for_each(|count| sums.push(sums[sums.len() - 1] + count));
    sums
}

/// The sentence and the step of every query, sentence after sentence.
fn asked(queries: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let each = |(j, n): (usize, &usize)| (0..*n).map(move |t| (j, t));
    queries.iter().enumerate().flat_map(each).unzip()
}

fn uneven(rows: usize, columns: usize, phase: Float) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as Float + 2.1 * j as Float + phase).sin())
}

proptest! {
    /// Every word of a window is near and in its sentence; every other word of it is far.
    #[test]
    fn a_window_has_the_near_words_and_no_others(
        (words, queries) in sentences(), width in 1_usize..5, share in 0.0 as Float..1.0,
    ) {
        let (offsets, (of, steps)) = (running(&words), asked(&queries));
        let queries = Queries::new(&offsets, &of, &steps);
        let centers: Vec<Float> = of.iter().map(|j| share * words[*j] as Float).collect();
        let windows = Windows::around(&centers, width, &queries);
        prop_assert_eq!(windows.queries(), of.len());
        let pairs = windows.pairs();
        for (i, j) in of.iter().enumerate() {
            for s in 0..words[*j] {
                let inside = (s as Float - centers[i]).abs() <= width as Float;
                prop_assert_eq!(pairs.contains(&(i, s)), inside);
            }
        }
        for ((i, s), column) in pairs.into_iter().zip(&windows.columns) {
            prop_assert_eq!(offsets[of[i]] + s, *column);
            prop_assert!(*column < offsets[of[i] + 1]);
        }
    }

    /// A wide window is no window, and then a product a sentence gives what one pair at a time does.
    #[test]
    fn all_at_once_is_one_by_one((words, queries) in sentences(), phase in 0.0 as Float..6.0) {
        let (offsets, (of, steps)) = (running(&words), asked(&queries));
        let (tape, n) = (Tape::new(), of.len());
        let (q, k) = (tape.leaf(uneven(3, n, phase)), tape.leaf(uneven(3, offsets[words.len()], 1.0)));
        let blocks = Blocks { queries: running(&queries), words: offsets.clone() };
        let queries = Queries::new(&offsets, &of, &steps);
        let windows = Windows::whole(&queries);
        prop_assert_eq!(&windows, &Windows::around(&vec![0.0; n], 9, &queries));
        prop_assert_eq!(blocks.pairs(), windows.columns.len());

        let fast = dot_scores_by_sentence(q, k, &blocks);
        let slow = dot_scores(q, windows.of(k), &windows.offsets);
        assert_close!(fast.value(), slow.value(), 1e-6);
        let alpha = softmax_in_segments(fast, &windows.offsets);
        let fast = contexts_by_sentence(k, alpha, &blocks).value();
        let slow = contexts(windows.of(k), alpha, &windows.offsets).value();
        assert_close!(fast, slow, 1e-6);
    }

    /// The Gaussian only takes weight away: nothing at the center, the more the farther.
    #[test]
    fn the_gaussian_keeps_the_center_and_lowers_the_rest(
        words in 1_usize..9, share in 0.0 as Float..1.0, width in 1_usize..4,
    ) {
        let (offsets, tape) = ([0, words], Tape::new());
        let queries = Queries::new(&offsets, &[0], &[0]);
        let p = share * words as Float;
        let windows = Windows::around(&[p], width, &queries);
        let n = windows.columns.len();
        let alpha = tape.constant(Matrix::from_element(1, n, 1.0 / n as Float));
        let center = tape.constant(Matrix::from_element(1, 1, p));
        let y = near(alpha, center, &windows, width as Float / 2.0).value();
        prop_assert!(y.sum() <= 1.0 + 1e-6);
        let edge = (-2.0 as Float).exp() / n as Float; // |s − p| = D = 2σ
        prop_assert!(y.iter().all(|y| *y >= edge * 0.999));
        for (i, s) in windows.positions.iter().enumerate() {
            for (k, r) in windows.positions.iter().enumerate() {
                if (*s as Float - p).abs() + 1e-3 < (*r as Float - p).abs() {
                    prop_assert!(y[i] > y[k]);
                }
            }
        }
    }

    /// Scores by position do not depend on the sentence but on its length.
    #[test]
    fn a_location_is_the_same_in_every_sentence((words, _) in sentences(), phase in 0.0 as Float..6.0) {
        let (offsets, tape) = (running(&words), Tape::new());
        let of: Vec<usize> = (0..words.len()).collect();
        let queries = Queries::new(&offsets, &of, &of);
        let windows = Windows::whole(&queries);
        let column = uneven(9, 1, phase);
        let scores = tape.constant(Matrix::from_fn(9, words.len(), |s, _| column[s]));
        let e = location_scores(scores, &windows).value();
        for (i, s) in windows.positions.iter().enumerate() {
            prop_assert_eq!(e[i], column[*s]);
        }
    }
}
