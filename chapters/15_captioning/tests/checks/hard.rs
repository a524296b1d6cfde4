//! Drawn places.

use captioning::experiment::{batch, scenes};
use captioning::{Attention, Captioner, Config};
use seq2seq::{Translator, decoding};
use shared::{Matrix, Tape, rng};
use tests::assert_close;
use worlds::scenes::{Pairs, WORDS};

fn config() -> Config {
    let small = Config {
        channels: [3, 4, 5],
        embedding: 4,
        hidden: 6,
        score: 4,
        ..Config::new(WORDS.len() + 3)
    };
    Config { attention: Attention::Hard, expected: 0.0, entropy: 0.0, ..small }
}

/// Where all annotations are alike it does not matter which is drawn: hard and soft attention agree, loss by
/// loss, and there is nothing to learn about where to look: with a baseline of others, what a look answers for
/// does not depend on it.
#[test]
fn the_loss_is_that_of_the_places_that_were_drawn() {
    let scenes = scenes(3, 2..=3, Pairs::Known, &mut rng(1));
    let batch = batch(&scenes);
    let loss = |attention, uniforms: Option<u64>| {
        let mut model = Captioner::new(&Config { attention, ..config() }, &mut rng(2));
        for layer in &mut model.encoder.layers {
            layer.linear.weight.value_mut().fill(0.0);
            layer.linear.bias.as_mut().unwrap().value_mut().fill(0.5);
        }
        let tape = uniforms.map_or_else(Tape::new, |seed| Tape::training(rng(seed)));
        model.training_loss(&tape, &batch).scalar()
    };
    let soft = loss(Attention::Soft, None);
    for seed in 0..3 {
        assert_close!(loss(Attention::Hard, Some(seed)), soft, 1e-3);
    }
}

/// The estimate is unbiased: its mean over many draws is the gradient of the mean loss, which is found by
/// finite differences with the same draws. Only the bias of the score's query is moved: the draws follow it.
#[test]
fn the_mean_estimate_is_the_gradient_of_the_expected_loss() {
    let scenes = scenes(2, 2..=2, Pairs::Known, &mut rng(3));
    let batch = batch(&scenes);
    let mut model = Captioner::new(&config(), &mut rng(4));
    model.score.v.value_mut().apply(|x| *x *= 6.0); // weights far from uniform
    let run = |model: &Captioner, seed: u64| {
        let tape = Tape::training(rng(seed));
        let loss = model.training_loss(&tape, &batch);
        let value = loss.scalar();
        let gradients = loss.backward();
        (f64::from(value), gradients.of(model.score.w_q.bias.as_ref().unwrap()).unwrap().clone())
    };
    const DRAWS: u64 = 600;
    let (mut mean, mut squares) = (Matrix::zeros(4, 1), Matrix::zeros(4, 1));
    for seed in 0..DRAWS {
        let (_, d) = run(&model, seed);
        squares += d.map(|x| x * x);
        mean += d;
    }
    mean /= DRAWS as f32;
    let error =
        squares.zip_map(&mean, |s, m| (s / DRAWS as f32 - m * m).sqrt() / (DRAWS as f32).sqrt());
    let i = error.iamax_full().0; // the entry that moves most
    let mut at = |by: f32| {
        model.score.w_q.bias.as_mut().unwrap().value_mut()[i] += by;
        let sum: f64 = (0..DRAWS).map(|seed| run(&model, DRAWS + seed).0).sum();
        model.score.w_q.bias.as_mut().unwrap().value_mut()[i] -= by;
        sum / DRAWS as f64
    };
    let numeric = (at(0.5) - at(-0.5)) as f32;
    assert!(
        (mean[i] - numeric).abs() < 5.0 * error[i],
        "{} against {numeric} ± {}",
        mean[i],
        error[i]
    );
}

/// Without chance, hard attention looks where the weight is largest: the same caption twice.
#[test]
fn searching_is_not_left_to_chance() {
    let model = Captioner::new(&config(), &mut rng(5));
    let picture = captioning::experiment::picture(&scenes(1, 2..=2, Pairs::Known, &mut rng(6))[0]);
    let [a, b] = [(); 2].map(|()| decoding::greedy(&model, &picture));
    assert_eq!(a, b);
    assert!(a.alignment.column_iter().all(|column| (column.sum() - 1.0).abs() < 1e-5));
}
