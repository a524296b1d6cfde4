//! 6.3: the gradient of many softmaxes.

use crate::solutions;
use nalgebra::DMatrix;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

/// Weights and their gradient, cut into sentences.
type SoftmaxBackward = fn(&[f32], &[f32], &[usize]) -> Vec<f32>;

pub fn exercise() -> Exercise<SoftmaxBackward> {
    Exercise {
        number: 3,
        title: "the gradient of many softmaxes",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "one mean for the batch",
                hint: "a mean of its own",
                answer: |alpha, d, _| one_mean(alpha, d),
            },
            Wrong {
                name: "only the diagonal",
                hint: "every weight depends on every score",
                answer: |alpha, d, _| diagonal(alpha, d),
            },
            Wrong { name: "an unweighted mean", hint: "under the weights", answer: unweighted },
            Wrong {
                name: "the sum, not the mean",
                hint: "the sum of dα",
                answer: |alpha, d, offsets| centred(alpha, d, offsets, plain_sum),
            },
            Wrong {
                name: "the mean divided by the length",
                hint: "already sum to 1",
                answer: |alpha, d, offsets| centred(alpha, d, offsets, divided),
            },
            Wrong {
                name: "only the mean multiplied by the weight",
                hint: "both terms",
                answer: weight_on_the_mean,
            },
            Wrong {
                name: "not multiplied by the weight",
                hint: "times the weight",
                answer: without_the_weight,
            },
            Wrong {
                name: "the mean forgotten",
                hint: "αᵀdα is taken away",
                answer: |alpha, d, _| without_the_mean(alpha, d),
            },
        ],
    }
}

fn check(softmax_backward: SoftmaxBackward) {
    let offsets = [0, 3, 4, 6];
    let scores = [0.5, -1.0, 1.5, 2.0, 0.3, -0.4_f32];
    let d = [1.0, -2.0, 0.5, 3.0, -1.5, 2.5_f32];
    let softmaxes = |e: &DMatrix<f64>| -> Vec<f64> {
        let e: Vec<f64> = e.iter().map(|e| e.exp()).collect();
        let sum = |i: usize| -> f64 {
            let words = offsets.windows(2).find(|w| (w[0]..w[1]).contains(&i)).unwrap();
            e[words[0]..words[1]].iter().sum()
        };
        (0..e.len()).map(|i| e[i] / sum(i)).collect()
    };
    let start = Matrix::from_column_slice(6, 1, &scores);
    let weights: Vec<f32> =
        softmaxes(&start.map(f64::from)).iter().map(|weight| *weight as f32).collect();
    let loss = |e: &DMatrix<f64>| {
        softmaxes(e).iter().zip(&d).map(|(alpha, d)| alpha * f64::from(*d)).sum::<f64>()
    };
    let found = softmax_backward(&weights, &d, &offsets);
    expect(found, finite_difference(loss, &start), 1e-5)
        .of("softmax_backward(weights, dweights, [0, 3, 4, 6])")
        .given("weights", &weights)
        .given("dweights", d)
        .or_hint(one_mean(&weights, &d), "one αᵀdα for the whole batch: every sentence has a mean of its own")
        .or_hint(diagonal(&weights, &d), "the diagonal of the Jacobian alone: every weight depends on every score of its sentence")
        .or_hint(unweighted(&weights, &d, &offsets), "the mean of dα is one under the weights, αᵀdα")
        .or_hint(
            centred(&weights, &d, &offsets, plain_sum),
            "the sum of dα was taken away: what is needed is its mean under the weights, αᵀdα",
        )
        .or_hint(
            centred(&weights, &d, &offsets, divided),
            "αᵀdα is the mean, since the weights already sum to 1: do not divide it by the length",
        )
        .or_hint(
            weight_on_the_mean(&weights, &d, &offsets),
            "dα − α·(αᵀdα): the weight multiplies both terms, α ⊙ (dα − αᵀdα)",
        )
        .or_hint(without_the_weight(&weights, &d, &offsets), "dα − αᵀdα is there: each entry times the weight is missing")
        .or_hint(without_the_mean(&weights, &d), "from each dα its sentence's mean αᵀdα is taken away: a softmax does not see what all its scores share")
        .check();
}

fn one_mean(alpha: &[f32], d: &[f32]) -> Vec<f32> {
    let mean: f32 = alpha.iter().zip(d).map(|(a, d)| a * d).sum();
    alpha.iter().zip(d).map(|(a, d)| a * (d - mean)).collect()
}

fn without_the_weight(alpha: &[f32], d: &[f32], offsets: &[usize]) -> Vec<f32> {
    let right = solutions::softmax_backward(alpha, d, offsets);
    right.iter().zip(alpha).map(|(d, a)| d / a).collect()
}

fn without_the_mean(alpha: &[f32], d: &[f32]) -> Vec<f32> {
    alpha.iter().zip(d).map(|(a, d)| a * d).collect()
}

fn diagonal(alpha: &[f32], d: &[f32]) -> Vec<f32> {
    alpha.iter().zip(d).map(|(a, d)| a * (1.0 - a) * d).collect()
}

fn unweighted(alpha: &[f32], d: &[f32], offsets: &[usize]) -> Vec<f32> {
    centred(alpha, d, offsets, |_, d| d.iter().sum::<f32>() / d.len() as f32)
}

/// α ⊙ (dα − m), with m computed from each sentence's weights and their gradient.
fn centred(alpha: &[f32], d: &[f32], offsets: &[usize], m: fn(&[f32], &[f32]) -> f32) -> Vec<f32> {
    let of = |words: &[usize]| {
        let (alpha, d) = (&alpha[words[0]..words[1]], &d[words[0]..words[1]]);
        let m = m(alpha, d);
        alpha.iter().zip(d).map(|(a, d)| a * (d - m)).collect::<Vec<_>>()
    };
    offsets.windows(2).flat_map(of).collect()
}

fn plain_sum(_: &[f32], d: &[f32]) -> f32 {
    d.iter().sum()
}

fn divided(alpha: &[f32], d: &[f32]) -> f32 {
    alpha.iter().zip(d).map(|(a, d)| a * d).sum::<f32>() / d.len() as f32
}

/// dα − α m
fn weight_on_the_mean(alpha: &[f32], d: &[f32], offsets: &[usize]) -> Vec<f32> {
    let right = solutions::softmax_backward(alpha, d, offsets);
    right.iter().zip(alpha).zip(d).map(|((right, a), d)| right - a * d + d).collect()
}
