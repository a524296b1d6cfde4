//! 6.3: the gradient of many softmaxes.

use super::solutions;
use nalgebra::DMatrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference};

/// Weights and their gradient, cut into sentences.
pub type SoftmaxBackward = fn(&[f32], &[f32], &[usize]) -> Vec<f32>;

pub const EXERCISE: Exercise<SoftmaxBackward> = Exercise {
    check,
    wrong: &[
        wrong(
            "one αᵀdα for the whole batch: every sentence has a mean of its own",
            |alpha, d, _| solutions::softmax_backward(alpha, d, &[0, d.len()]),
        ),
        wrong(
            "the diagonal of the Jacobian alone: every weight depends on every score of its sentence",
            |alpha, d, _| alpha.iter().zip(d).map(|(a, d)| a * (1.0 - a) * d).collect(),
        ),
        wrong("dα's mean is under the weights: αᵀdα", |alpha, d, offsets| {
            centred(alpha, d, offsets, |_, d| d.iter().sum::<f32>() / d.len() as f32)
        }),
        wrong(
            "the sum of dα was taken away: what is needed is its mean under the weights, αᵀdα",
            |alpha, d, offsets| centred(alpha, d, offsets, |_, d| d.iter().sum()),
        ),
        wrong(
            "dα − αᵀdα is there: each entry times the weight is missing",
            |alpha, d, offsets| {
                let right = solutions::softmax_backward(alpha, d, offsets);
                right.iter().zip(alpha).map(|(d, a)| d / a).collect()
            },
        ),
        wrong(
            "from each dα its sentence's mean αᵀdα is taken away: a softmax does not see what all its \
             scores share",
            |alpha, d, offsets| centred(alpha, d, offsets, |_, _| 0.0),
        ),
    ],
};

fn check(softmax_backward: SoftmaxBackward) {
    let offsets = [0, 3, 4, 6];
    let d = [1.0, -2.0, 0.5, 3.0, -1.5, 2.5];
    let softmaxes = |e: &DMatrix<f64>| -> Vec<f64> {
        let each = offsets.windows(2).flat_map(|words| -> Vec<f64> {
            let e = e.rows(words[0], words[1] - words[0]).map(f64::exp);
            (&e / e.sum()).data.into()
        });
        each.collect()
    };
    let scores = DMatrix::from_column_slice(6, 1, &[0.5, -1.0, 1.5, 2.0, 0.3, -0.4]);
    let weights: Vec<f32> = softmaxes(&scores).iter().map(|weight| *weight as f32).collect();
    let loss = |e: &DMatrix<f64>| {
        softmaxes(e).iter().zip(&d).map(|(alpha, d)| alpha * f64::from(*d)).sum::<f64>()
    };
    expect(softmax_backward(&weights, &d, &offsets), finite_difference(loss, scores), 1e-5)
        .of("softmax_backward(weights, dweights, [0, 3, 4, 6])")
        .given("weights", &weights)
        .given("dweights", d)
        .check();
}

/// α ⊙ (dα − m), with m computed from each sentence's weights and their gradient.
fn centred(alpha: &[f32], d: &[f32], offsets: &[usize], m: fn(&[f32], &[f32]) -> f32) -> Vec<f32> {
    let each = offsets.windows(2).flat_map(|words| {
        let (alpha, d) = (&alpha[words[0]..words[1]], &d[words[0]..words[1]]);
        let m = m(alpha, d);
        alpha.iter().zip(d).map(move |(a, d)| a * (d - m))
    });
    each.collect()
}
