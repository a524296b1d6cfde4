//! Ranks against sorting, ties included; negatives; the first k.

use proptest::prelude::*;
use rand::RngExt;
use recommendation::rulers::Ruler;
use recommendation::{Rank, top};
use shared::{Float, rng};

/// The mean of a measure over all orders of equal scores that put the bought item at each place in turn.
fn naive(scores: &[Float], bought: usize, worth: impl Fn(usize) -> f64) -> f64 {
    let mut sorted: Vec<Float> = scores.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let places = (0..sorted.len()).filter(|place| sorted[*place] == scores[bought]);
    let worths: Vec<f64> = places.map(|place| worth(place + 1)).collect();
    worths.iter().sum::<f64>() / worths.len() as f64
}

#[test]
fn measures_are_those_of_sorting_on_a_million_rankings_with_ties() {
    let rng = &mut rng(0);
    for _ in 0..1_000_000 {
        let items = rng.random_range(1..14);
        let scores: Vec<Float> =
            (0..items).map(|_| Float::from(rng.random_range(0..5_u8))).collect(); // many ties
        let (bought, k) = (rng.random_range(0..items), rng.random_range(1..12));
        let others = (0..items).filter(|item| *item != bought).map(|item| scores[item]);
        let rank = Rank::of(scores[bought], others);
        let hit = naive(&scores, bought, |place| f64::from(u8::from(place <= k)));
        let ndcg =
            naive(&scores, bought, |i| f64::from(u8::from(i <= k)) / (i as f64 + 1.0).log2());
        assert!((rank.hit(k) - hit).abs() < 1e-12, "{scores:?}, {bought} bought, HR@{k}");
        assert!((rank.ndcg(k) - ndcg).abs() < 1e-12, "{scores:?}, {bought} bought, NDCG@{k}");
    }
}

#[test]
#[should_panic(expected = "cannot be compared")]
fn a_score_that_is_no_number_is_no_rank() {
    Rank::of(0.5, [0.1, Float::NAN]);
}

/// Item 0 is bought as often as all others together: half of single negatives are item 0. Of pairs with
/// another item it is drawn nearly always.
#[test]
fn popular_negatives_are_drawn_by_popularity() {
    let rng = &mut rng(2);
    let (scores, counts) = ([1.0, 0.0, 0.0, 0.0, 0.5], [3.0, 1.0, 1.0, 1.0, 9.0]);
    let mut drawn = |ruler: Ruler| {
        let above = (0..20_000).map(|_| ruler.rank(&scores, 4, &counts, rng).above);
        above.sum::<usize>() as f64 / 20_000.0
    };
    assert!((drawn(Ruler::Popular(1)) - 0.5).abs() < 0.02);
    assert!((drawn(Ruler::Uniform(1)) - 0.25).abs() < 0.02);
    // First item 0, or first another (1/6 each) and then item 0 with 3 of 5: 1/2 + 1/2 · 3/5
    assert!((drawn(Ruler::Popular(2)) - 0.8).abs() < 0.02);
}

proptest! {
    #[test]
    fn the_first_k_are_those_of_a_stable_sort(
        scores in prop::collection::vec(0_u8..6, 0..40),
        k in 0_usize..12,
    ) {
        let scores: Vec<Float> = scores.into_iter().map(Float::from).collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        order.truncate(k);
        prop_assert_eq!(top(&scores, k), order);
    }
}
