//! 1.11, the capstone: the reader's functions smooth the chapter's points.

use super::attention_weights::{AttentionWeights, EXERCISE as WEIGHTS};
use super::choose_bandwidth::{ChooseBandwidth, EXERCISE as CHOOSE};
use super::leave_one_out_from::{EXERCISE as LEFT_OUT, LeaveOneOutFrom};
use super::one_pass::{EXERCISE as PASS, OnePass};
use super::solutions;
use kernel_regression::bandwidth::candidates;
use kernel_regression::data::{noisy_points, truth};
use kernel_regression::{Float, Kernel, leave_one_out, mean_squared_error, nadaraya_watson};
use tests::exercises::show;
use tests::expect;

tests::parts! {
    2 attention_weights: AttentionWeights = [WEIGHTS.wrong[6].answer],
    4 choose_bandwidth: ChooseBandwidth = [CHOOSE.wrong[0].answer],
    5 leave_one_out_from: LeaveOneOutFrom = [LEFT_OUT.wrong[0].answer],
    7 one_pass: OnePass = [PASS.wrong[1].answer],
}

/// Columns and rows of the picture.
const WIDTH: usize = 64;
const HEIGHT: usize = 16;

impl Parts {
    /// The curve, by the weights of all keys at once.
    fn curve(&self, queries: &[Float], keys: &[Float], values: &[Float], h: Float) -> Vec<Float> {
        let weights = (self.attention_weights)(queries, keys, h); // (m, n)
        let columns = weights.as_slice().chunks(keys.len());
        columns.map(|alpha| alpha.iter().zip(values).map(|(a, y)| a * y).sum()).collect()
    }

    /// The same at one query without weights: one pass over the keys.
    fn streamed(&self, query: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
        let mut running = [Float::NEG_INFINITY, 0.0, 0.0];
        for (key, value) in keys.iter().zip(values) {
            running = (self.one_pass)(running, -((query - key) / h).powi(2) / 2.0, *value);
        }
        running[2] / running[1]
    }
}

fn check(parts: Parts) {
    let (x, y) = noisy_points(50, &mut shared::rng(0));
    let candidates = candidates(&x);
    let [h, ours] = [parts.choose_bandwidth, solutions::choose_bandwidth]
        .map(|choose| choose(&x, &y, &candidates));
    let queries: Vec<Float> = (0..WIDTH).map(|j| 5.0 * j as Float / (WIDTH - 1) as Float).collect();
    let truths: Vec<Float> = queries.iter().copied().map(truth).collect();
    let curve = parts.curve(&queries, &x, &y, h);
    let our_curve = nadaraya_watson(&queries, &x, &y, Kernel::Gaussian, ours);
    let left_out = (parts.leave_one_out_from)(&(parts.attention_weights)(&x, &x, h), &y);
    let our_left_out = leave_one_out(&x, &y, Kernel::Gaussian, ours);
    let streamed: Vec<Float> =
        queries.iter().map(|query| parts.streamed(*query, &x, &y, h)).collect();
    let error = mean_squared_error;
    let mut report = format!("\n{:26} {:>8} {:>11}\n", "fifty points", "yours", "chapter's");
    for (name, yours, ours) in [
        ("bandwidth", h.into(), ours.into()),
        ("leave-one-out error", error(&left_out, &y), error(&our_left_out, &y)),
        ("distance from the truth", error(&curve, &truths), error(&our_curve, &truths)),
    ] {
        report += &format!("{name:26} {yours:>8.3} {ours:>11.3}\n");
    }
    show(report + "\n" + &picture(&x, &y, &curve));
    expect(h, ours, 0.0).of("your bandwidth (1.4), beside the chapter's").check();
    expect(&curve, &our_curve, 1e-3).of("your curve (1.2), beside the chapter's").check();
    expect(&left_out, &our_left_out, 1e-3).of("each point from the others (1.5)").check();
    expect(&streamed, &curve, 1e-3).of("your curve in one pass (1.7), beside that of 1.2").check();
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
