//! 1.7 one pass: what one more key does to the three numbers of a running softmax

use kernel_regression::Float;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type OnePass = fn([Float; 3], Float, Float) -> [Float; 3];

pub fn exercise() -> Exercise<OnePass> {
    Exercise {
        number: 7,
        title: "one pass",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "no largest score",
                hint: "s_max",
                answer: |[_, sum, total], s, y| [0.0, sum + s.exp(), total + s.exp() * y],
            },
            Wrong {
                name: "sums not rescaled",
                hint: "both sums",
                answer: |r, s, y| pass(r, s, y, |_| [1.0; 2]),
            },
            Wrong {
                name: "one sum rescaled",
                hint: "both sums",
                answer: |r, s, y| pass(r, s, y, |shrink| [1.0, shrink]),
            },
            Wrong {
                name: "relative to the newest score",
                hint: "largest score so far, not the newest",
                answer: relative_to_the_newest,
            },
            Wrong {
                name: "the newest score kept as the largest",
                hint: "largest score so far, not the newest",
                answer: |r, s, y| {
                    let [_, sum, total] = pass(r, s, y, |shrink| [shrink; 2]);
                    [s, sum, total]
                },
            },
            Wrong {
                name: "starting at −10⁴",
                hint: "",
                answer: |[largest, sum, total], s, y| {
                    pass([largest.max(-1e4), sum, total], s, y, |shrink| [shrink; 2])
                },
            },
            Wrong {
                name: "the new value not weighed",
                hint: "e^(s − s_max)·y",
                answer: |r, s, y| {
                    let [largest, sum, total] = pass(r, s, y, |shrink| [shrink; 2]);
                    [largest, sum, total - (s - largest).exp() * y + y]
                },
            },
        ],
    }
}

fn check(one_pass: OnePass) {
    // Rising, falling, equal; then far below any exponential, from the first score on; then far above.
    let sequences: [&[(Float, Float)]; 4] = [
        &[(-2.0, 7.0), (-0.5, 1.0), (-1.0, 4.0), (-0.5, -2.0), (-3.0, 3.0), (0.25, 5.0)],
        &[(-300.0, 1.0), (-301.0, 3.0), (-100.0, 9.0), (-500.0, 2.0)],
        &[(-20_000.0, 1.0), (-20_001.0, 3.0), (-19_999.0, 2.0)],
        &[(400.0, 2.0), (-400.0, 5.0), (500.0, 1.0), (499.0, 4.0)],
    ];
    for points in sequences {
        let mut running = [Float::NEG_INFINITY, 0.0, 0.0];
        for (i, &(s, y)) in points.iter().enumerate() {
            let before = format!("[{}, {}, {}]", running[0], running[1], running[2]);
            let expected = right(&points[..=i]);
            let hints = [
                (
                    [0.0, running[1] + s.exp(), running[2] + s.exp() * y],
                    "S and T are relative to s_max, else every exponential may be 0",
                ),
                (
                    pass(running, s, y, |_| [1.0; 2]),
                    "the sums are relative to the largest score so far: when it grows, both sums shrink",
                ),
                (
                    pass(running, s, y, |shrink| [1.0, shrink]),
                    "a larger score shrinks both sums, that of the weights and that of the values",
                ),
                (
                    relative_to_the_newest(running, s, y),
                    "the sums are relative to the largest score so far, not the newest",
                ),
                (
                    [s, expected[1], expected[2]],
                    "s_max is the largest score so far, not the newest",
                ),
                (
                    [expected[0], expected[1], expected[2] - (s - expected[0]).exp() * y + y],
                    "a value enters T with its weight: e^(s − s_max)·y",
                ),
            ];
            let told = |wrong: [Float; 3]| {
                wrong.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-3 * (1.0 + b.abs()))
            };
            let comparison = expect(one_pass(running, s, y), expected, 1e-5)
                .of(format!("[s_max, S, T] = one_pass({before}, {s}, {y})"));
            hints
                .into_iter()
                .filter(|(wrong, _)| told(*wrong))
                .fold(comparison, |comparison, (wrong, hint)| comparison.or_hint(wrong, hint))
                .check();
            running = expected;
        }
    }
}

/// The three numbers of all points at once.
fn right(points: &[(Float, Float)]) -> [Float; 3] {
    let largest = points.iter().map(|point| point.0).fold(Float::NEG_INFINITY, Float::max);
    let weight = |s: Float| (s - largest).exp();
    [
        largest,
        points.iter().map(|(s, _)| weight(*s)).sum(),
        points.iter().map(|(s, y)| weight(*s) * y).sum(),
    ]
}

/// One more key, where `factors` says by how much the sums (of weights, of values) shrink when a
/// larger score comes, given the right factor.
fn pass(
    [largest, sum, total]: [Float; 3],
    s: Float,
    y: Float,
    factors: fn(Float) -> [Float; 2],
) -> [Float; 3] {
    let now = largest.max(s);
    let [weights, values] = factors((largest - now).exp());
    let weight = (s - now).exp();
    [now, sum * weights + weight, total * values + weight * y]
}

fn relative_to_the_newest([largest, sum, total]: [Float; 3], s: Float, y: Float) -> [Float; 3] {
    let factor = (largest - s).exp();
    [s, sum * factor + 1.0, total * factor + y]
}
