//! What decides a claim about seeds.

use hard_attention::program::statistics::{BothSolved, Seeds, sign_test};
use tests::assert_close;
use workbench::study::Spread;

/// The test by its definition: every way in which n coins can fall.
#[test]
fn the_sign_test_counts_coins() {
    for n in 0..11_u32 {
        for larger in 0..=n {
            let uneven = |heads: u32| heads.abs_diff(n - heads);
            let as_uneven = |coins: &u32| uneven(coins.count_ones()) >= uneven(larger);
            let naive = (0..1_u32 << n).filter(as_uneven).count() as f64 / f64::from(1 << n);
            assert_close!(sign_test(larger as usize, (n - larger) as usize), naive, 1e-12);
        }
    }
}

/// 0 or 1 for each of twenty seeds, the first `n` of them solved.
fn solved(n: usize) -> Spread {
    Spread::of((0..20).map(|i| f64::from(u8::from(i < n))))
}

/// Of twenty seeds, four that point one way are enough for an interval without zero; the sign test asks
/// for six.
#[test]
fn a_share_is_decided_when_the_interval_and_the_sign_test_decide() {
    let interval = |n| solved(20).minus(&solved(n)).more();
    assert_eq!((interval(17), interval(16)), (None, Some(true)));
    let five = solved(20).minus(&solved(15));
    assert_eq!((five.larger, five.smaller, five.p), (5, 0, 0.0625));
    assert_eq!((five.more(), five.more_often()), (Some(true), None));
    let six = solved(20).minus(&solved(14));
    assert_eq!((six.more(), six.more_often()), (Some(true), Some(true)));
    assert_eq!(solved(14).minus(&solved(20)).more_often(), Some(false));
    let none = solved(20).minus(&solved(20));
    assert_eq!((none.p, none.more(), none.more_often()), (1.0, None, None));
}

#[test]
fn where_both_solve_only_these_seeds_are_compared() {
    let (one, other) = ([0.95, 0.2, 0.93, 0.99], [0.94, 0.97, 0.91, 0.5]);
    let of = |accuracy: [f64; 4]| Spread::of(accuracy);
    let both = BothSolved::new([&of(one), &of(other)], [("accuracy", [of(one), of(other)])]);
    let accuracy = &both.differences["accuracy"];
    assert_eq!((both.seeds, accuracy.larger, accuracy.smaller), (2, 2, 0));
    assert_close!(accuracy.interval.estimate, 0.015, 1e-9);
    let none = BothSolved::new([&of([0.1; 4]), &of(one)], [("accuracy", [of(one), of(other)])]);
    assert!(none.seeds == 0 && none.differences.is_empty());
}
