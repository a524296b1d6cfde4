//! 1.11, the capstone: the reader's functions smooth the chapter's points.

use crate::solutions;
use kernel_regression::bandwidth::candidates;
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::{
    Float, Kernel, Matrix, leave_one_out, mean_squared_error, nadaraya_watson,
};
use tests::exercises::{Exercise, Kind, Wrong, show};

/// The answers that the smoother is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub attention_weights: fn(&[Float], &[Float], Float) -> Matrix,
    pub choose_bandwidth: fn(&[Float], &[Float], &[Float]) -> Float,
    pub leave_one_out_from: fn(&Matrix, &[Float]) -> Vec<Float>,
    pub one_pass: fn([Float; 3], Float, Float) -> [Float; 3],
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 4] = [2, 4, 5, 7];

pub const SOLVED: Parts = Parts {
    attention_weights: solutions::attention_weights,
    choose_bandwidth: solutions::choose_bandwidth,
    leave_one_out_from: solutions::leave_one_out_from,
    one_pass: solutions::one_pass,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 11,
        title: "capstone: your smoother",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "always the smallest bandwidth",
                hint: "(1.4)",
                answer: Parts { choose_bandwidth: |_, _, candidates| candidates[0], ..SOLVED },
            },
            Wrong {
                name: "a point sees itself",
                hint: "(1.5)",
                answer: Parts {
                    leave_one_out_from: |weights, values| {
                        let mean =
                            |j| weights.column(j).iter().zip(values).map(|(a, y)| a * y).sum();
                        (0..values.len()).map(mean).collect()
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "sums that are not corrected",
                hint: "(1.7)",
                answer: Parts {
                    one_pass: |[largest, sum, total], score, value| {
                        let now = largest.max(score);
                        let weight = (score - now).exp();
                        [now, sum + weight, total + weight * value]
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

/// Columns and rows of the picture.
const WIDTH: usize = 64;
const HEIGHT: usize = 16;

impl Parts {
    /// The curve, by the weights of all keys at once.
    fn curve(&self, queries: &[Float], keys: &[Float], values: &[Float], h: Float) -> Vec<Float> {
        let weights = (self.attention_weights)(queries, keys, h); // (m, n)
        let mean = |alpha: &[Float]| alpha.iter().zip(values).map(|(a, y)| a * y).sum();
        weights.as_slice().chunks(keys.len()).map(mean).collect()
    }

    /// The same without weights: one pass over the keys for each query.
    fn streamed(
        &self,
        queries: &[Float],
        keys: &[Float],
        values: &[Float],
        h: Float,
    ) -> Vec<Float> {
        let one = |query: &Float| {
            let mut running = [Float::NEG_INFINITY, 0.0, 0.0];
            for (key, value) in keys.iter().zip(values) {
                running = (self.one_pass)(running, -((query - key) / h).powi(2) / 2.0, *value);
            }
            running[2] / running[1]
        };
        queries.iter().map(one).collect()
    }
}

fn check(parts: Parts) {
    let (x, y) = noisy_points(50, &mut shared::rng(0));
    let candidates = candidates(&x);
    let (h, ours) = (
        (parts.choose_bandwidth)(&x, &y, &candidates),
        solutions::choose_bandwidth(&x, &y, &candidates),
    );
    let queries: Vec<Float> = (0..WIDTH).map(|j| 5.0 * j as Float / (WIDTH - 1) as Float).collect();
    let truths: Vec<Float> = queries.iter().copied().map(truth).collect();
    let curve = parts.curve(&queries, &x, &y, h);
    let our_curve = nadaraya_watson(&queries, &x, &y, Kernel::Gaussian, ours);
    let left_out = (parts.leave_one_out_from)(&(parts.attention_weights)(&x, &x, h), &y);
    let our_left_out = leave_one_out(&x, &y, Kernel::Gaussian, ours);
    let streamed = parts.streamed(&queries, &x, &y, h);
    let row = |name: &str, yours: f64, ours: f64| format!("{name:26} {yours:>8.3} {ours:>11.3}\n");
    show(format!(
        "\n{:26} {:>8} {:>11}\n{}{}{}\n{}",
        "fifty points",
        "yours",
        "chapter's",
        row("bandwidth", h.into(), ours.into()),
        row(
            "leave-one-out error",
            mean_squared_error(&left_out, &y),
            mean_squared_error(&our_left_out, &y)
        ),
        row(
            "distance from the truth",
            mean_squared_error(&curve, &truths),
            mean_squared_error(&our_curve, &truths)
        ),
        picture(&x, &y, &curve),
    ));
    assert!(h == ours, "your bandwidth is {h}, the chapter's {ours}\nhint: look at (1.4)");
    let near = |a: &[Float], b: &[Float]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near(&curve, &our_curve), "your curve is not the chapter's\nhint: look at (1.2)");
    assert!(
        near(&left_out, &our_left_out),
        "your points are not predicted from the others as the chapter's are\nhint: look at (1.5)"
    );
    assert!(
        near(&streamed, &curve),
        "one pass and all weights at once give two curves\nhint: look at (1.7)"
    );
}

/// The points and the curve, drawn with letters.
fn picture(x: &[Float], y: &[Float], curve: &[Float]) -> String {
    let values = || y.iter().chain(curve).copied().filter(|y| y.is_finite());
    let low = values().fold(Float::INFINITY, Float::min);
    let high = values().fold(Float::NEG_INFINITY, Float::max);
    let row = |y: Float| {
        let share = ((high - y) / (high - low)).clamp(0.0, 1.0); // NaN: the top row
        (share * (HEIGHT - 1) as Float).round() as usize
    };
    let mut rows = vec![vec![' '; WIDTH]; HEIGHT];
    for (x, y) in x.iter().zip(y) {
        rows[row(*y)][(x / 5.0 * (WIDTH - 1) as Float).round() as usize] = '·';
    }
    for (j, y) in curve.iter().enumerate() {
        rows[row(*y)][j] = '█';
    }
    let lines: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    lines.join("\n") + "\n· a point, █ your curve"
}
