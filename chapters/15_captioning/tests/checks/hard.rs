//! Drawn places.

use captioning::program::{batch, scenes};
use captioning::world::{Pairs, WORDS};
use captioning::{Attention, Captioner, Config, L};
use seq2seq::{Translator, decoding};
use shared::{Matrix, Ragged, Tape, rng};
use tests::assert_close;

/// Hard attention in a few channels.
pub fn small() -> Config {
    Config {
        channels: [3, 4, 5],
        embedding: 4,
        hidden: 6,
        score: 4,
        attention: Attention::Hard,
        ..Config::new(WORDS.len() + 3)
    }
}

fn config() -> Config {
    Config { expected: 0.0, entropy: 0.0, ..small() }
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

/// The estimate is unbiased: its mean over many draws is the gradient of the expected loss, `Σᵢ αᵢ ℓᵢ` over all
/// places, by differences. Captions have one word and only the score's last layer moves, so that the losses `ℓᵢ`
/// stay. An estimate of 0, one of the other sign, and one whose baseline contains its own draw (with two pictures:
/// half of it) are all further off than the tolerance.
#[test]
fn the_mean_estimate_is_the_gradient_of_the_expected_loss() {
    let mut batch = batch(&scenes(2, 2..=2, Pairs::Known, &mut rng(3)));
    let (begin, words) = ([WORDS.len(); 2], [5, 9]);
    batch.previous = Ragged::new(&[&begin[..1], &begin[1..]]);
    batch.target = Ragged::new(&[&words[..1], &words[1..]]);
    let mut model = Captioner::new(&config(), &mut rng(4));
    model.score.v.value_mut().apply(|x| *x *= 6.0); // weights far from uniform
    model.of_context.weight.value_mut().apply(|x| *x *= 20.0); // and losses that depend on the place
    let estimate = |seed: u64| {
        let tape = Tape::training(rng(seed));
        let loss = model.training_loss(&tape, &batch);
        loss.backward().of(&model.score.v).expect("it scores").clone()
    };
    let estimates: Vec<Matrix> = (0..6000).map(estimate).collect();

    let pictures: Vec<&[usize]> = batch.source.iter().collect();
    let losses = (0..L).map(|i| {
        let mut said = model.encode(&pictures);
        let v = model.score.v.value();
        let keys = Matrix::from_fn(4, 2 * L, |e, column| {
            if column % L == i { 1e3 * v[e].signum() } else { -1e3 * v[e].signum() }
        });
        said.keys = keys.into();
        let next = model.next(&mut said, &begin); // without chance: the place of the largest weight
        [0, 1].map(|j| -next.log_probabilities[(words[j], j)])
    });
    let losses: Vec<[f32; 2]> = losses.collect();
    let mut slope = |i: usize| {
        let mut at = |by: f32| {
            model.score.v.value_mut()[i] += by;
            let weights = model.next(&mut model.encode(&pictures), &begin).alignments;
            model.score.v.value_mut()[i] -= by;
            (0..L).map(|i| weights[0][i] * losses[i][0] + weights[1][i] * losses[i][1]).sum::<f32>()
        };
        (at(0.05) - at(-0.05)) / 0.1
    };
    for i in 0..4 {
        let (estimate, error) = mean(&estimates.iter().map(|d| d[i]).collect::<Vec<_>>());
        let (slope, tolerance) = (slope(i), 4.0 * error);
        assert!((estimate - slope).abs() < tolerance, "{estimate} ± {error}, {slope}");
        if i == 3 {
            assert!(slope.abs() > 3.0 * tolerance, "{slope}, tolerance {tolerance}");
        }
    }
}

/// The mean, and its standard error.
fn mean(of: &[f32]) -> (f32, f32) {
    let n = of.len() as f32;
    let mean = of.iter().sum::<f32>() / n;
    (mean, (of.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>()).sqrt() / n)
}

/// Without chance, hard attention looks where the weight is largest: the same caption twice.
#[test]
fn searching_is_not_left_to_chance() {
    let model = Captioner::new(&config(), &mut rng(5));
    let picture = captioning::program::picture(&scenes(1, 2..=2, Pairs::Known, &mut rng(6))[0]);
    let [a, b] = [(); 2].map(|()| decoding::greedy(&model, &picture));
    assert_eq!(a, b);
    assert!(a.alignment.column_iter().all(|column| (column.sum() - 1.0).abs() < 1e-5));
}
