//! 13.4: two models change places.

use tests::exercises::{Exercise, unhinted};

type Places = fn() -> [[usize; 4]; 2];

pub const EXERCISE: Exercise<Places> = Exercise {
    check,
    wrong: &[
        unhinted("B just misses everywhere, and so does A", || [[10, 11, 12, 13], [11; 4]]),
        unhinted("B is better by both", || [[1, 1000, 1000, 1000], [5; 4]]),
        unhinted("A finds what B finds", || [[1; 4], [50; 4]]),
        unhinted("B stands too far down", || [[1, 1, 1000, 1000], [300; 4]]),
        unhinted("A is bold once in four, B is bold once, too", || {
            [[1, 1000, 1000, 1000], [1, 50, 50, 50]]
        }),
    ],
};

fn check(places: Places) {
    let [a, b] = places();
    for place in a.iter().chain(&b) {
        assert!((1..=1000).contains(place), "place {place} of 1000 items");
    }
    let full = |places: [usize; 4]| mean(places, |place| f64::from(u8::from(place <= 10)));
    let sampled = |places: [usize; 4]| mean(places, hit_of_sampled);
    let ahead = [full(a) - full(b), sampled(b) - sampled(a)];
    let told = format!(
        "A {a:?}: HR@10 {:.2} full, {:.2} sampled; B {b:?}: {:.2} full, {:.2} sampled",
        full(a),
        sampled(a),
        full(b),
        sampled(b)
    );
    assert!(ahead[0] >= 0.2, "{told}\nhint: in the full ranking A is to be better by 0.2");
    assert!(ahead[1] >= 0.2, "{told}\nhint: against 100 negatives B is to be better by 0.2");
}

fn mean(places: [usize; 4], of: impl Fn(usize) -> f64) -> f64 {
    places.map(of).iter().sum::<f64>() / 4.0
}

/// The chance that of `place − 1` items above at most nine are among 100 of 999: hypergeometric.
fn hit_of_sampled(place: usize) -> f64 {
    let above = place - 1;
    let ln_choose = |n: usize, k: usize| -> f64 {
        (0..k).map(|i| ((n - i) as f64).ln() - ((k - i) as f64).ln()).sum()
    };
    let possible = (0..10).filter(|drawn| *drawn <= above && 100 - drawn <= 999 - above);
    let chances = possible.map(|drawn| {
        (ln_choose(above, drawn) + ln_choose(999 - above, 100 - drawn) - ln_choose(999, 100)).exp()
    });
    chances.sum()
}
