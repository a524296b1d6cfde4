//! Answers that are drawn and rewarded: the estimate's mean is the gradient of the mean reward.

use language_model::answering::{advantages, divergence, policy_loss};
use shared::{Float, Matrix, Tape, elementwise};
use tests::{assert_close, uneven};

/// Every group of two answers, each weighted by its probability: no draw is needed to know the mean of the estimate. A
/// baseline that contains an answer's own reward shortens it by (G − 1)/G.
#[test]
fn the_mean_of_the_estimate_is_the_gradient_of_the_mean_reward() {
    let (logits, rewards) = (uneven(3, 1, 0.4), [1.0, 0.0, 0.3]);
    let mut p = logits.clone();
    elementwise::softmax_columns(&mut p);
    let mean_reward: Float = (0..3).map(|i| p[i] * rewards[i]).sum();
    let exact = Matrix::from_fn(3, 1, |i, _| p[i] * (rewards[i] - mean_reward));
    let mean_of = |of_rewards: &dyn Fn([Float; 2]) -> Vec<Float>| {
        let mut mean = Matrix::zeros(3, 1);
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let tape = Tape::new();
            let x = tape.leaf(logits.clone());
            let a = of_rewards([rewards[i], rewards[j]]);
            let loss = policy_loss(x.select_columns(&[0, 0]), &[i, j], &a);
            mean += loss.backward().wrt(x) * (p[i] * p[j]);
        }
        -mean
    };
    assert_close!(mean_of(&|rewards| rewards.to_vec()), exact, 1e-6);
    assert_close!(mean_of(&|rewards| advantages(&rewards, 2)), exact * 0.5, 1e-6);
}

#[test]
fn the_divergence_is_zero_where_it_began_and_that_of_two_distributions() {
    let tape = Tape::no_grad();
    let of = |q: Matrix, p: &Matrix| divergence(tape.constant(q), p).scalar();
    let began = uneven(4, 3, 0.2);
    assert!(of(began.add_scalar(5.0), &began).abs() < 1e-6, "a shift of logits is none of p");
    let [q, p] =
        [[0.5_f32, 0.5], [0.9, 0.1]].map(|p| Matrix::from_column_slice(2, 1, &p.map(Float::ln)));
    let expected = 0.5 * (0.5_f32 / 0.9).ln() + 0.5 * (0.5_f32 / 0.1).ln();
    assert_close!(of(q, &p), expected, 1e-6);
}
