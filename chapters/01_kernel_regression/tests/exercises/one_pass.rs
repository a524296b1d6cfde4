//! 1.7 one pass: kernel regression from points that are gone afterwards

use kernel_regression::{Float, Kernel, nadaraya_watson};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Points<'a> = &'a mut dyn Iterator<Item = (Float, Float)>;
type OnePass = fn(Float, Points, Float) -> Float;

pub fn exercise() -> Exercise<OnePass> {
    Exercise {
        number: 7,
        title: "one pass",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "no largest score",
                hint: "NaN",
                answer: |x, points, h| pass(x, points, h, 0.0, |_| [1.0; 2]),
            },
            Wrong {
                name: "sums not rescaled",
                hint: "both sums",
                answer: |x, points, h| pass(x, points, h, Float::NEG_INFINITY, |_| [1.0; 2]),
            },
            Wrong {
                name: "one sum rescaled",
                hint: "both sums",
                answer: |x, points, h| pass(x, points, h, Float::NEG_INFINITY, |s| [1.0, s]),
            },
        ],
    }
}

fn check(one_pass: OnePass) {
    let (keys, values) = ([5.0, 0.0, 2.0, 1.2, 1.4], [7.0, 1.0, 4.0, -2.0, 3.0]);
    let points = || keys.into_iter().zip(values);
    let h = 0.7;
    for x in [1.0, 1.3] {
        let expected = nadaraya_watson(&[x], &keys, &values, Kernel::Gaussian, h);
        expect(one_pass(x, &mut points(), h), expected[0], 1e-5)
            .of(format!("one_pass({x}, points, {h})"))
            .given("keys", keys)
            .given("values", values)
            .or_hint(
                pass(x, &mut points(), h, Float::NEG_INFINITY, |s| [1.0, s]),
                "a larger score shrinks both sums, that of the weights and that of the values",
            )
            .or_hint(
                pass(x, &mut points(), h, Float::NEG_INFINITY, |_| [1.0; 2]),
                "the sums are relative to the largest score so far: when it grows, both sums shrink",
            )
            .check();
    }
    // Scores down to −5000: the nearest key comes last, and takes it all.
    let expected = 9.0;
    let far = [(0.0, 1.0), (50.0, 3.0), (99.0, 9.0)];
    expect(one_pass(100.0, &mut far.into_iter(), 1.0), expected, 1e-5)
        .of("one_pass(100, [(0, 1), (50, 3), (99, 9)], 1)")
        .check();
    let farther = one_pass(200.0, &mut far.into_iter(), 1.0);
    assert!(
        !farther.is_nan(),
        "one_pass(200, [(0, 1), (50, 3), (99, 9)], 1) is NaN: without the largest score every \
         exponential is 0, and 0/0 is no number"
    );
    expect(farther, expected, 1e-5).of("one_pass(200, [(0, 1), (50, 3), (99, 9)], 1)").check();
    // Far from two keys that still share: weights as e^0 to e^0.3998.
    let share = 1.0 / (1.0 + (-0.3998 as Float).exp());
    let shared = one_pass(20.0, &mut [(0.0, 1.0), (0.02, 3.0)].into_iter(), 1.0);
    expect(shared, 1.0 + 2.0 * share, 1e-3).of("one_pass(20, [(0, 1), (0.02, 3)], 1)").check();
}

/// One pass, where `factors` says by how much the sums (of weights, of values) shrink when a larger
/// score comes, given the right factor.
fn pass(
    x: Float,
    points: Points,
    h: Float,
    start: Float,
    factors: fn(Float) -> [Float; 2],
) -> Float {
    let (mut largest, mut weight_sum, mut value_sum) = (start, 0.0, 0.0);
    for (key, value) in points {
        let score = -((x - key) / h).powi(2) / 2.0;
        if score > largest {
            let [weights, values] = factors((largest - score).exp());
            weight_sum *= weights;
            value_sum *= values;
            largest = score;
        }
        let weight = (score - largest).exp();
        weight_sum += weight;
        value_sum += weight * value;
    }
    value_sum / weight_sum
}
