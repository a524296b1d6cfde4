//! Temperature, top-k and top-p against an implementation that looks at every word by itself.

use language_model::Sampling;
use proptest::prelude::*;
use shared::Float;
use tests::assert_close;

/// p of every word: it stays if fewer than k words are ahead of it and those ahead have less than p together.
fn naive(sampling: &Sampling, logits: &[Float]) -> Vec<f64> {
    let ahead = |i: usize, j: usize| (logits[j], i) > (logits[i], j); // larger, or as large and before
    let scaled = logits.iter().map(|s| f64::from(*s) / f64::from(sampling.temperature));
    let weights: Vec<f64> = scaled.map(f64::exp).collect();
    let n = logits.len();
    let by_k =
        |i: usize| sampling.top_k == 0 || (0..n).filter(|j| ahead(i, *j)).count() < sampling.top_k;
    let kept: Vec<usize> = (0..n).filter(|i| by_k(*i)).collect();
    let sum: f64 = kept.iter().map(|i| weights[*i]).sum();
    let by_p = |i: &usize| {
        let before: f64 = kept.iter().filter(|j| ahead(*i, **j)).map(|j| weights[*j]).sum();
        sampling.top_p == 1.0 || before / sum < f64::from(sampling.top_p) - 1e-6
    };
    let kept: Vec<usize> = kept.iter().copied().filter(by_p).collect();
    let sum: f64 = kept.iter().map(|i| weights[*i]).sum();
    (0..n).map(|i| if kept.contains(&i) { weights[i] / sum } else { 0.0 }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    /// Logits in halves, so that many are equal; a top-p that no sum of theirs meets by rounding.
    #[test]
    fn probabilities_are_the_naive_ones(
        halves in prop::collection::vec(-8_i8..8, 1..12),
        temperature in prop::sample::select(vec![0.3 as Float, 1.0, 2.5]),
        top_k in 0_usize..6,
        top_p in prop::sample::select(vec![0.0501 as Float, 0.3013, 0.7017, 0.9507, 1.0]),
    ) {
        let logits: Vec<Float> = halves.iter().map(|half| Float::from(*half) / 2.0).collect();
        let sampling = Sampling { temperature, top_k, top_p };
        let expected = naive(&sampling, &logits);
        let found = sampling.probabilities(&logits);
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((f64::from(*found) - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn what_is_drawn_may_be_drawn(
        logits in prop::collection::vec(-5.0 as Float..5.0, 1..9),
        ticket in 0.0 as Float..1.0,
        top_k in 0_usize..4,
        top_p in 0.01 as Float..1.0,
    ) {
        let sampling = Sampling { temperature: 1.0, top_k, top_p };
        let p = sampling.probabilities(&logits);
        prop_assert!(p[sampling.draw(&logits, ticket)] > 0.0);
    }
}

#[test]
fn tickets_are_spread_over_words_as_their_probabilities_are() {
    let logits = [0.5, 0.3, 0.2].map(|p: Float| p.ln());
    let drawn = (0..1000).map(|i| Sampling::PLAIN.draw(&logits, (i as Float + 0.5) / 1000.0));
    let mut counts = [0; 3];
    drawn.for_each(|word| counts[word] += 1);
    assert_close!(
        shared::Vector::from_iterator(3, counts.map(|n| n as Float / 1000.0)),
        shared::Vector::from_row_slice(&[0.5, 0.3, 0.2]),
        2e-3
    );
}

/// Greedy search takes the first of equals, and the last ticket belongs to a word that may be drawn.
#[test]
fn ends_and_ties() {
    assert_eq!(Sampling::GREEDY.draw(&[1.0, 3.0, 3.0], 0.99), 1);
    let two = Sampling { top_k: 2, ..Sampling::PLAIN };
    assert_eq!(two.probabilities(&[1.0; 4]), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(two.draw(&[1.0; 4], 1.0), 0);
    let cold = Sampling { temperature: 1e-40, ..Sampling::PLAIN };
    assert_eq!(cold.probabilities(&[1.0, 3.0, -2.0]), [0.0, 1.0, 0.0]);
    let narrow = Sampling { top_p: 1e-9, ..Sampling::PLAIN };
    assert_eq!(narrow.probabilities(&[0.0, 2.0, 1.0]), [0.0, 1.0, 0.0]);
}
